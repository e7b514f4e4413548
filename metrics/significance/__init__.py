"""Significance: do two systems differ by more than the choice of topics explains?

`TESTS` and `CORRECTIONS` are the tables; `compare` tests runs in pairs; `plan` says how many topics it takes to detect
a difference.
"""
