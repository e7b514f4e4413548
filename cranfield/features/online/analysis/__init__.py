"""What a command computes from the interaction log of a store."""
