"""Measures of an interaction log; table.py lists them."""
