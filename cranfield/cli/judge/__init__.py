"""Commands around judging."""
