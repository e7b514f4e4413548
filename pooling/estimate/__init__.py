"""What a sample of a pool says of all of it."""
