"""Interaction logs: measures, A/B tests, interleaving, click models."""
