"""What the feature asks of a store."""
