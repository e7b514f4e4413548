"""Judging by line and by key: what both show and understand, and line mode."""
