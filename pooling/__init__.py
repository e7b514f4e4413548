"""Pools: which documents of many runs assessors are to judge.

`cranfield.pooling.methods` has the ways to build one, each in a file of its own; `verify` asks whether given runs,
pooled, make given judgments.
"""
