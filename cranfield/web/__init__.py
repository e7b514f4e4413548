"""Judging in the browser: a local web application over the same sessions as the terminal."""
