"""Rounds of a collection that lives: residual evaluation, renamed documents, cumulative judgments, lag."""
