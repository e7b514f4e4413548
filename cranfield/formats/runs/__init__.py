"""Formats of runs, and what is known of a run besides."""
