"""Interaction logs, one file per format."""
