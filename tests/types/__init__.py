"""Calls of public functions that type checkers accept, and calls that they refuse; `tests/test_types.py` runs them."""
