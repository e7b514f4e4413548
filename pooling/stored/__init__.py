"""Pools in a store: built, taken further, built anew, and what is in them."""
