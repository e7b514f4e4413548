"""Questions that answers would answer."""
