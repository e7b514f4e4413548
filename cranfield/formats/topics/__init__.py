"""Formats of topics only."""
