"""CtxR, context recall: the share of a reference answer that the retrieved documents say."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def context_recall(answer: JudgedAnswer) -> float:
    """The share of the sentences of a reference answer that the retrieved documents say.

    >>> context_recall(JudgedAnswer(reference=[1, 1, 0, 1])), context_recall(JudgedAnswer())
    (0.75, nan)
    """
    return mean_label(answer.reference)


CTXR = Measure("CtxR", for_each(context_recall), of="answers", needs="reference", explanation="""
CtxR, context recall: the share of a reference answer that the retrieved documents say.

It says whether the documents that an answer was made from suffice. It misleads where the reference answer is one of
several good ones. It needs a reference answer and a label of each of its sentences: `cranfield answers claims import`
and `label`; a sentence that the documents say in part counts as one that they do not say. By docnos, context recall is
the measure R. A label that failed makes it NaN; so does a reference without sentences.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip
