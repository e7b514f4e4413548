"""Pools as a store keeps them: their documents, how they grew, what samples were drawn from."""
