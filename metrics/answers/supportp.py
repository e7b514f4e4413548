"""SupportP, support precision: how far cited documents support the sentences that cite them."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def support_precision(answer: JudgedAnswer) -> float:
    """The mean support by the first citation, over the sentences that cite.

    >>> first = [(0, frozenset("a")), (1, frozenset("b")), (2, frozenset("c"))]
    >>> answer = JudgedAnswer(citations=["a", "b", "c", ""], support=dict(zip(first, [1, 0.5, 0])))
    >>> support_precision(answer), support_precision(JudgedAnswer(citations=[""]))
    (0.5, 0.0)
    """
    labels = [answer.supported(at, cited[:1]) for at, cited in enumerate(answer.citations) if cited]
    return mean_label(labels) if labels else 0.0


SUPPORTP = Measure("SupportP", for_each(support_precision), of="answers", needs="support", explanation="""
SupportP, support precision: how far cited documents support the sentences that cite them.

Of each sentence with citations the first one counts: support 1, partial support .5, no support 0. It misleads alone:
an answer with one sound citation and nine sentences without has 1 (see SupportR). An answer that cites nothing has 0,
as in ALCE; a label that failed or is missing makes it NaN.

Source: Thakur et al., Support evaluation for the TREC 2024 RAG track: comparing human versus LLM judges, arXiv
2504.15205, 2025.
""")  # fmt: skip
