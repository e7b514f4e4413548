"""Pooling methods replayed on data that is judged already."""
