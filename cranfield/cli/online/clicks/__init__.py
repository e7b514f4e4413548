"""Fit models of what users examine and click, and list frequent queries."""
