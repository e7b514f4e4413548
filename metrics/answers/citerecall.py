"""CiteRecall, citation recall: the share of the sentences that their citations, taken together, entail."""

from __future__ import annotations

from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure

MOST = 3  # citations of a sentence


def citation_recall(answer: JudgedAnswer) -> float:
    """The share of the sentences that their first three citations entail together.

    >>> sets = {"a": 0, "b": 1, "ab": 1}
    >>> answer = JudgedAnswer(citations=["ab", ""], support={(0, frozenset(one)): label for one, label in sets.items()})
    >>> citation_recall(answer), citation_recall(JudgedAnswer())
    (0.5, 0.0)
    """
    labels = [answer.entailed(at, cited[:MOST]) for at, cited in enumerate(answer.citations)]
    return mean_label(labels) if labels else 0.0


CITERECALL = Measure("CiteRecall", for_each(citation_recall), of="answers", needs="support", explanation="""
CiteRecall, citation recall: the share of the sentences that their citations, taken together, entail.

Of each sentence the first three citations count, as one set; partial support is not enough. It needs labels of sets,
not of single citations. It misleads where sentences need no citation. A sentence without a citation counts 0, as does
an answer without sentences; a label that failed or is missing makes it NaN.

Source: Gao, Yen, Yu and Chen, Enabling large language models to generate text with citations, EMNLP 2023; its program
ALCE.
""")  # fmt: skip
