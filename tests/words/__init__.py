"""Prose that users read, by surface, and the patterns of sentences that read badly: `python -m tests.words`."""
