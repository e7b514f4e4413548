"""Judgments with all that any measure asks for: strata and subtopics, made up from the grades."""

from dataclasses import replace

import numpy as np

from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Subtopics


def equip(judged: Judged) -> Judged:
    """One stratum; a document of grade g covers the first g subtopics, so that a better one covers more."""
    times = np.maximum(judged.qrels_grade, 0)
    judgment = np.repeat(np.arange(len(times)), times)
    subtopic = np.arange(len(judgment)) - np.repeat(np.cumsum(times) - times, times)
    names = np.array([str(number) for number in range(int(times.max(initial=0)))], dtype=object)
    return replace(
        judged,
        qrels_stratum=np.zeros_like(judged.qrels_grade),
        subtopics=Subtopics(judgment, subtopic, judged.qrels_grade[judgment], names),
    )
