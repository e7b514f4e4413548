"""Nuggets: the facts that an answer should have."""
