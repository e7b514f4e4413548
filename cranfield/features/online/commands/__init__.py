"""Evaluate systems by what users do: logs, A/B tests, interleaving, click models."""
