"""Tests of releases."""
