"""SupportR, support recall: how much of the answer is supported by what it cites."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def support_recall(answer: JudgedAnswer) -> float:
    """The mean support by the first citation, over all sentences; 0 for one that cites nothing.

    >>> first = [(0, frozenset("a")), (1, frozenset("b")), (2, frozenset("c"))]
    >>> answer = JudgedAnswer(citations=["a", "b", "c", ""], support=dict(zip(first, [1, 0.5, 0])))
    >>> support_recall(answer), support_recall(JudgedAnswer())
    (0.375, 0.0)
    """
    labels = [answer.supported(at, cited[:1]) if cited else 0.0 for at, cited in enumerate(answer.citations)]
    return mean_label(labels) if labels else 0.0


SUPPORTR = Measure("SupportR", for_each(support_recall), of="answers", needs="support", explanation="""
SupportR, support recall: how much of the answer is supported by what it cites.

Of each sentence the first citation counts: support 1, partial support .5, no support or no citation 0. It misleads
where sentences need no citation, such as a first sentence that announces the others. An answer without sentences has
0; a label that failed or is missing makes it NaN.

Source: Thakur et al., Support evaluation for the TREC 2024 RAG track: comparing human versus LLM judges, arXiv
2504.15205, 2025.
""")  # fmt: skip
