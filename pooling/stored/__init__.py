"""Pools in a store: built, extended, rebuilt, and what is in them."""
