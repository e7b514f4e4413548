"""Building, checking and reading the published folder."""
