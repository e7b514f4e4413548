"""Pairs of documents that people or models compare: which, in what order, and what follows from the answers.

Every pair is shown in both orders. Where the answers differ, there is no preference: it counts as a tie.
"""
