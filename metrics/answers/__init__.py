"""Measures of generated answers; table.py lists them."""
