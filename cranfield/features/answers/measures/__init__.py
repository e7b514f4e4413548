"""Measures of generated answers; table.py lists them.

A measure is a function of one JudgedAnswer in a file of its own. What failed, or was not labelled, is NaN, and so is
every measure that needs it; it is never 0, and never left out of an answer.

>>> from cranfield.features.answers.measures.support import faithfulness
>>> from cranfield.features.answers.measures.judged import JudgedAnswer
>>> faithfulness(JudgedAnswer(statements=[1, 0, 1]))
0.6666666666666666
"""
