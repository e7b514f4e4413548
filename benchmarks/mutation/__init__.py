"""Mutants: how many of the faults that a tool puts into the code the tests find."""
