"""Formats of a corpus only."""
