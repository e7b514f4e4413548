"""Formats of votes: what assessors said elsewhere."""
