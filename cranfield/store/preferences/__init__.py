"""Preferences between documents: the pairs that assessors compare, and the append-only log of what they say."""
