"""How similar two rankings of systems are.

Every coefficient takes two scorings of the same systems; where it matters which one is the truth, it is the first.
`CORRELATIONS` is the table of all; what is undefined (all systems tied, a score that is NaN) is NaN. No coefficient
says how a single system fares: look at its score and rank first.
"""
