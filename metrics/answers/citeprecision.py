"""CitePrecision, citation precision: the share of the citations that are needed for what they are cited for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from cranfield.metrics.answers.citerecall import MOST
from cranfield.metrics.answers.judged import JudgedAnswer, for_each, mean_label
from cranfield.metrics.measure import Measure


def citation_precision(answer: JudgedAnswer) -> float:
    """The share of the citations without which their sentence would not be entailed, or which entail it alone.

    >>> sets = {"a": 0, "b": 1, "ab": 1}
    >>> answer = JudgedAnswer(citations=["ab", ""], support={(0, frozenset(one)): label for one, label in sets.items()})
    >>> citation_precision(answer), citation_precision(JudgedAnswer(citations=[""]))
    (0.5, 0.0)
    """
    labels = [label for at, cited in enumerate(answer.citations) for label in _good(answer, at, cited[:MOST])]
    return mean_label(labels) if labels else 0.0


def _good(answer: JudgedAnswer, sentence: int, cited: Sequence[str]) -> Iterator[float]:
    """Of each citation of a sentence whether it is good."""
    together = answer.entailed(sentence, cited)
    for one in cited:
        if together != 1 or len(cited) == 1:
            yield together  # or NaN
            continue
        alone = answer.entailed(sentence, [one])
        others = answer.entailed(sentence, [other for other in cited if other != one]) if alone != 1 else 0.0
        yield alone if isnan(alone) else others if isnan(others) else float(alone == 1 or others == 0)


CITEPRECISION = Measure("CitePrecision", for_each(citation_precision), of="answers", needs="support", explanation="""
CitePrecision, citation precision: the share of the citations that are needed for what they are cited for.

Of each sentence the first three citations count. One is good if all of them together entail the sentence, and if it
entails it alone or the others do not without it. It needs labels of sets, not of single citations. It misleads alone:
an answer with one good citation has 1 (see CiteRecall). An answer that cites nothing has 0; a label that is needed and
failed or is missing makes it NaN.

Source: Gao, Yen, Yu and Chen, Enabling large language models to generate text with citations, EMNLP 2023; its program
ALCE.
""")  # fmt: skip
