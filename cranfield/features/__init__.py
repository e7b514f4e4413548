"""Capabilities: each holds one whole, and adds it to the core by its feature.py."""
