"""Measures of generated answers."""
