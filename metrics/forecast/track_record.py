"""How often the sentences on forecasts were right where the truth was known; those right too seldom are not printed."""

import re
from collections.abc import Mapping, Sequence
from math import log
from typing import Literal, NamedTuple

from cranfield.text import join_words

PoolKind = Literal["depth", "budget"]
SentenceName = Literal["interval", "at least", "less than"]
INTERVAL: SentenceName = "interval"  # the score would be between two values
LARGE_LOSS_SENTENCE: SentenceName = "at least"  # the score is too low by at least 6%
SMALL_LOSS_SENTENCE: SentenceName = "less than"  # the score is too low by less than 6%
LARGE_LOSS = 0.06  # of the score with the labels
CLAIMS: Mapping[SentenceName, float] = {  # lowest share of right cases
    LARGE_LOSS_SENTENCE: 0.95,
    SMALL_LOSS_SENTENCE: 0.95,
    INTERVAL: 0.93,
}
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
        "at least": {"AP": (10, 9), "nDCG@10": (10, 9), "P@10": (22, 22)},
        "less than": {"AP": (17, 17), "nDCG@10": (22, 22), "P@10": (4, 4)},
        "interval": {"AP": (63, 59), "nDCG@10": (63, 57), "P@10": (63, 63)},
    },
    ("budget", True): {
        "at least": {"AP": (34, 32), "nDCG@10": (32, 30), "P@10": (65, 65)},
        "less than": {"AP": (41, 39), "nDCG@10": (46, 46), "P@10": (10, 10)},
        "interval": {"AP": (126, 117), "nDCG@10": (126, 115), "P@10": (126, 120)},
    },
}
# </records>
# Intervals of other measures on pools to a depth, without labels and with 20. They are rows of the table of coverage;
# a test compares them.
OTHER_INTERVALS: Mapping[bool, Mapping[str, tuple[int, int]]] = {
    False: {
        "AP11": (300, 294), "BPM": (300, 298), "Bpref": (300, 289), "CG": (300, 298), "Compat": (300, 296),
        "DCG": (300, 295), "ERR": (300, 293), "F": (300, 295), "Hits": (300, 296), "INSQ": (300, 294),
        "INST": (300, 297), "IPrec": (300, 292), "NumRelRet": (300, 299), "Q": (300, 291), "R": (300, 298),
        "RBP": (300, 291), "RR": (300, 293), "R_cap": (300, 291), "Rprec": (300, 295), "SetAP": (300, 294),
        "Success": (300, 299), "gBpref": (300, 296), "gMAP": (300, 296), "infAP": (300, 290), "nERR": (300, 292),
    },
    True: {
        "AP11": (100, 96), "BPM": (100, 94), "Bpref": (100, 93), "CG": (100, 98), "Compat": (100, 93),
        "DCG": (100, 95), "ERR": (100, 96), "F": (100, 96), "Hits": (100, 99), "INSQ": (100, 97), "INST": (100, 97),
        "IPrec": (100, 96), "NumRelRet": (100, 96), "Q": (100, 94), "R": (100, 100), "RBP": (100, 96),
        "RR": (100, 96), "R_cap": (100, 94), "Rprec": (100, 95), "SetAP": (100, 98), "Success": (100, 99),
        "gBpref": (100, 97), "gMAP": (100, 96), "infAP": (100, 96), "nERR": (100, 99),
    },
}  # fmt: skip


class BoundRecord(NamedTuple):
    """How often the bound for the next system held in a test.

    Parameters
    ----------
    test : str
        The collection, and the pooled runs where they are of one kind.
    n_systems : int
        The tested systems whose unjudged share lies in a band with a bound.
    n_held : int
        Those that lost no more than the bound.
    """

    test: str
    n_systems: int
    n_held: int

    @property
    def share(self) -> float:
        """The share of the systems for which the bound held."""
        return self.n_held / self.n_systems


CLASSIC, HELD_OUT = "classic collections with 6 lexical pooled runs", "Cranfield with 4 to 8 lexical pooled runs"
BOUND_TESTS = (CLASSIC, HELD_OUT, "Robust 2003", "TREC-COVID 1")  # the rule was chosen on some classic collections only
MIN_HELD = 0.9  # share of the systems of each test for which bounds have to hold
# By measure and depth of the pool; `python -m benchmarks.coverage --only bound` draws these rows of the table of
# coverage and writes them here.
# <bounds>
BOUND_RECORDS: Mapping[str, Mapping[int, Sequence[tuple[int, int]]]] = {
    "AP": {
        5: ((97, 97), (37, 37), (28, 28), (40, 40)),
        10: ((94, 92), (37, 36), (26, 26), (40, 40)),
        20: ((91, 89), (35, 32), (24, 24), (40, 40)),
    },
    "nDCG@10": {
        5: ((97, 97), (38, 38), (24, 24), (40, 40)),
        10: ((94, 93), (37, 36), (23, 23), (39, 39)),
        20: ((91, 89), (34, 31), (26, 26), (38, 37)),
    },
    "P@10": {
        5: ((93, 93), (39, 39), (25, 25), (40, 40)),
        10: ((96, 96), (35, 35), (27, 27), (40, 40)),
        20: ((91, 90), (34, 34), (29, 29), (40, 40)),
    },
}
# </bounds>


class MeasureRecords(NamedTuple):
    """The tests of bounds by a measure on pools to a depth.

    Parameters
    ----------
    measure : str
        The measure.
    depth : int
        The depth of the pools that were tested.
    records : sequence of BoundRecord
        The tests.
    """

    measure: str
    depth: int
    records: Sequence[BoundRecord]

    @property
    def worst(self) -> BoundRecord:
        """The test in which the bounds held least often."""
        return min(self.records, key=lambda one: one.share)

    @property
    def is_kept(self) -> bool:
        """Whether the bounds held often enough in each test."""
        return self.worst.share >= MIN_HELD

    @property
    def sentence(self) -> str:
        """How often the bounds held, in a sentence."""
        pools = f"on pools of depth {self.depth}"
        if not self.is_kept:
            test, n_systems, n_held = self.worst
            return (
                f"There is no bound on {self.measure}: in tests {pools}, such bounds held for only {n_held} of"
                f" {n_systems} systems ({test})."
            )
        parts = [f"{_percent(one.share)} of {one.n_systems} systems ({one.test})" for one in self.records]
        return f"In tests {pools}, such bounds on {self.measure} held for {join_words(parts)}."


def find_bound_records(measure: str, depth: int) -> MeasureRecords | None:
    """Return how often the bound for the next system held by a measure.

    Parameters
    ----------
    measure : str
        The measure; its lowest relevant grade does not matter.
    depth : int
        The pool depth.

    Returns
    -------
    MeasureRecords or None
        The tests on pools to the nearest tested depth; None where the measure was not tested.

    Examples
    --------
    >>> records = find_bound_records("AP(rel=2)", 100)
    >>> records and (records.measure, records.depth)
    ('AP', 20)
    >>> find_bound_records("nDCG@20", 10) is None
    True
    """
    measure = re.sub(r"\(rel=\d+\)", "", measure)
    if measure not in BOUND_RECORDS:
        return None
    by_depth = BOUND_RECORDS[measure]
    nearest = min(by_depth, key=lambda tested: abs(log(tested / max(depth, 1))))
    records = [BoundRecord(test, *counts) for test, counts in zip(BOUND_TESTS, by_depth[nearest], strict=False)]
    return MeasureRecords(measure, nearest, records)


def _percent(share: float) -> str:
    """A share in percent, rounded down.

    >>> _percent(0.909), _percent(1.0)
    ('90%', '100%')
    """
    return f"{int(100 * share + 1e-9)}%"


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
        pools = "pools with a fixed depth" if self.pool == "depth" else "pools without a fixed depth"
        if not self.n_cases:
            return f"its intervals were not tested on {pools}"
        share, claim = self.n_right / self.n_cases, CLAIMS[self.sentence_name]
        digits = 3 if share < claim <= round(share, 2) else 2  # where rounding would hide that it is too low
        held = f"{share:.{digits}f} of {self.n_cases} tested cases on {pools}"
        return f"its intervals held in {held}; expected {claim:.2f}"


def find_track_record(pool: PoolKind, sentence: SentenceName, measure: str, labelled: bool) -> TrackRecord:
    """Return how often a sentence was right.

    Measures of `OTHER_INTERVALS` were tested on pools to a depth only, and other measures nowhere.

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
    >>> find_track_record("depth", "interval", "nDCG@20", False).is_kept
    True
    >>> find_track_record("budget", "interval", "RR", False).sentence
    'its intervals were not tested on pools without a fixed depth'
    """
    by_measure = RECORDS[pool, labelled][sentence]
    name = base_name(measure)
    found = [counts for tested, counts in by_measure.items() if base_name(tested) == name]
    if not found and sentence == INTERVAL and pool == "depth" and name in OTHER_INTERVALS[labelled]:
        found = [OTHER_INTERVALS[labelled][name]]
    return TrackRecord(pool, sentence, *min(found, key=lambda counts: counts[1] / max(counts[0], 1), default=(0, 0)))


def base_name(measure: str) -> str:
    """Return the name of a measure without its cutoff and options.

    Parameters
    ----------
    measure : str
        The measure.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> base_name("nDCG(gains=exp)@10")
    'nDCG'
    """
    return re.split(r"[@(]", measure)[0]
