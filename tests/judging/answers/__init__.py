"""Labelling generated answers."""
