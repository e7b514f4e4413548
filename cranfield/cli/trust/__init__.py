"""Commands that show how far to trust a collection."""
