"""How often the sentences on forecasts were right where the truth was known; those right too seldom are not printed."""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

PoolKind = Literal["depth", "budget"]
SentenceName = Literal["interval", "at least", "less than"]
INTERVAL: SentenceName = "interval"  # the score would be between two values
AT_LEAST: SentenceName = "at least"  # the score is too low by at least 6%
LESS_THAN: SentenceName = "less than"  # the score is too low by less than 6%
LARGE_LOSS = 0.06  # of the score with the labels
CLAIMS: Mapping[SentenceName, float] = {AT_LEAST: 0.95, LESS_THAN: 0.95, INTERVAL: 0.93}  # lowest share of right cases
PoolRecord = Mapping[SentenceName, Mapping[str, tuple[int, int]]]  # by measure: tested cases, and right ones

# Pools to a depth and by a budget, without and with drawn labels; `python -m benchmarks.forecasts` writes this table.
# <records>
RECORDS: Mapping[tuple[PoolKind, bool], PoolRecord] = {
    ("depth", False): {
        "at least": {"AP": (5, 5), "nDCG@10": (7, 7), "P@10": (13, 13)},
        "less than": {"AP": (46, 46), "nDCG@10": (44, 44), "P@10": (18, 18)},
        "interval": {"AP": (126, 124), "nDCG@10": (126, 124), "P@10": (126, 126)},
    },
    ("depth", True): {
        "at least": {"AP": (32, 32), "nDCG@10": (34, 34), "P@10": (50, 50)},
        "less than": {"AP": (18, 18), "nDCG@10": (20, 20), "P@10": (3, 3)},
        "interval": {"AP": (81, 77), "nDCG@10": (81, 76), "P@10": (81, 79)},
    },
    ("budget", False): {
        "at least": {"AP": (14, 13), "nDCG@10": (14, 13), "P@10": (26, 26)},
        "less than": {"AP": (17, 17), "nDCG@10": (22, 22), "P@10": (4, 4)},
        "interval": {"AP": (63, 58), "nDCG@10": (63, 56), "P@10": (63, 63)},
    },
    ("budget", True): {
        "at least": {"AP": (36, 34), "nDCG@10": (33, 31), "P@10": (66, 66)},
        "less than": {"AP": (41, 39), "nDCG@10": (46, 46), "P@10": (10, 10)},
        "interval": {"AP": (126, 117), "nDCG@10": (126, 114), "P@10": (126, 120)},
    },
}
# </records>


class TrackRecord(NamedTuple):
    """How often a sentence was right.

    Parameters
    ----------
    pool : {"depth", "budget"}
        How the pools were built: to a depth, or by another method.
    sentence_name : {"interval", "at least", "less than"}
        The sentence.
    n_cases, n_right : int
        The tested cases in which it was said, and those in which it was right.
    """

    pool: PoolKind
    sentence_name: SentenceName
    n_cases: int
    n_right: int

    @property
    def is_kept(self) -> bool:
        """Whether the sentence was tested and right as often as it claims."""
        return self.n_cases > 0 and self.n_right >= CLAIMS[self.sentence_name] * self.n_cases

    @property
    def sentence(self) -> str:
        """The record of an interval in a clause."""
        pools = "pools to a depth" if self.pool == "depth" else "pools of other methods than depth"
        if not self.n_cases:
            return f"its intervals were not tested on {pools}"
        share, claim = self.n_right / self.n_cases, CLAIMS[self.sentence_name]
        return f"its intervals held in {share:.2f} of {self.n_cases} tested cases on {pools}; expected {claim:.2f}"


def record_of(pool: PoolKind, sentence: SentenceName, measure: str, labelled: bool) -> TrackRecord:
    """Return how often a sentence was right.

    A measure that was not tested has the worst record of the tested ones.

    Parameters
    ----------
    pool : {"depth", "budget"}
        How the pool was built: to a depth, or by another method.
    sentence : {"interval", "at least", "less than"}
        The sentence.
    measure : str
        The measure; its options do not matter.
    labelled : bool
        Whether drawn labels of the run were used.

    Returns
    -------
    TrackRecord
        The tested cases and the right ones.

    Examples
    --------
    >>> record_of("depth", "interval", "nDCG@20", False).is_kept
    True
    """
    by_measure = RECORDS[pool, labelled][sentence]
    name = re.split(r"[@(]", measure)[0]
    found = [counts for tested, counts in by_measure.items() if re.split(r"[@(]", tested)[0] == name]
    worst = min(found or by_measure.values(), key=lambda counts: counts[1] / max(counts[0], 1), default=(0, 0))
    return TrackRecord(pool, sentence, *worst)
