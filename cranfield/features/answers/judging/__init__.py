"""Nuggets in answers and support of citations, by people and models."""
