"""Shared tasks: a track from its call to its archive."""
