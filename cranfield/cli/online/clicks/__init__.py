"""Fit models of what users examine and click."""
