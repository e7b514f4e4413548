"""Tests of online evaluation."""
