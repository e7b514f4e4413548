"""Evaluate systems from user behaviour: logs, A/B tests, interleaving, click models."""
