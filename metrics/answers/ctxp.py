"""CtxP, context precision: whether the relevant among the documents that an answer was made from come first."""

from __future__ import annotations

from itertools import accumulate

from cranfield.metrics.answers.judged import JudgedAnswer, for_each
from cranfield.metrics.measure import Measure


def context_precision(answer: JudgedAnswer, cutoff: int | None = None) -> float:
    """The mean of the precision at the ranks of the relevant documents among those that an answer was made from.

    >>> round(context_precision(JudgedAnswer(contexts=[1, 0, 1, 0])), 4), context_precision(JudgedAnswer(contexts=[0]))
    (0.8333, 0.0)
    """
    found = answer.contexts[:cutoff]
    precisions = [total / at for at, total in enumerate(accumulate(found), 1)]
    relevant = sum(found)
    return sum(p * v for p, v in zip(precisions, found, strict=True)) / relevant if relevant else 0.0


CTXP = Measure("CtxP", for_each(context_precision), of="answers", needs="contexts", explanation="""
CtxP, context precision: whether the relevant among the documents that an answer was made from come first.

CtxP@k = sum of P@i v_i over the first k / sum of v_i over them, v_i 1 where document i is relevant. It is not AP: it
is divided by what was retrieved, not by what is relevant, so it says nothing of documents that are missing. By docnos,
context precision is the measure P and context recall the measure R of the run that retrieved the documents. It
misleads where one relevant document comes first and nothing else is found: it is 1 then. Without a relevant document
it is 0, as in ragas; an unjudged document makes it NaN.

Source: Es, James, Espinosa-Anke and Schockaert, RAGAS: automated evaluation of retrieval augmented generation, EACL
2024, and the program ragas.
""")  # fmt: skip
