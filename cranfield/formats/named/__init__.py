"""Runs and qrels whose columns have names, one file per format."""
