"""Commands that build a collection."""
