"""Commands that measure how far a collection can be trusted."""
