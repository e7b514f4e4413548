"""The chain of the logs of nuggets, support and preferences, in a table beside them."""
