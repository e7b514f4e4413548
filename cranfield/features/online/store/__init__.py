"""Experiments, impressions and actions of a store."""
