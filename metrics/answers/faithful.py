"""Faithful, faithfulness: the share of the statements of an answer that can be inferred from the retrieved documents."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def faithfulness(answer: JudgedAnswer) -> float:
    """The share of the statements of an answer that can be inferred from the retrieved documents.

    >>> faithfulness(JudgedAnswer(statements=[1, 0])), faithfulness(JudgedAnswer(statements=[1, float("nan")]))
    (0.5, nan)
    >>> faithfulness(JudgedAnswer(statements=[]))
    nan
    """
    return mean_label(answer.statements)


FAITHFUL = Measure("Faithful", for_each(faithfulness), of="answers", needs="statements", explanation="""
Faithful, faithfulness: the share of the statements of an answer that can be inferred from the retrieved documents.

It says whether an answer invents. It misleads where an answer states little: one true sentence has 1. It needs the
statements of an answer and a label of each: `cranfield answers claims make` or `import`, and `label`; a statement that
the documents say in part counts as invented. A label that failed makes it NaN, and never counts as yes; so do
statements that are missing. Of an answer that states nothing it is undefined, and that is counted apart.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip
