"""The judging session: a state machine without any user interface."""
