"""Commands that measure systems."""
