"""The judging session and its controller, without any user interface."""
