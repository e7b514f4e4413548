"""The store: everything that knows SQL, and nobody else does."""
