"""Tests of judging in the browser."""
