"""A policy that draws, as CSV: qid, docno, position, probability; without a position it is the first."""

import csv
from collections import defaultdict
from typing import NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints
from cranfield.errors import InputError
from cranfield.formats.files import Path, read_text

ROUNDING = 1e-3  # of a sum of probabilities
NEEDED = ("qid", "docno", "probability")


class PolicyTable(NamedTuple):
    """The rows of a policy; positions are ranks from 0."""

    qid: list[str]
    docno: list[str]
    rank: Ints
    probability: Floats


def is_policy(path: Path) -> bool:
    """Whether the first line names a probability, as no run does."""
    with open(path, "rb") as file:
        return b"probability" in file.readline(1000)


def read_policy(path: Path) -> PolicyTable:
    """The rows of the file; an error where the probabilities of a topic and a position do not sum to 1."""
    rows = csv.DictReader(read_text(path).splitlines())
    if absent := [name for name in NEEDED if name not in (rows.fieldnames or ())]:
        raise InputError(f"no column {absent[0]}; expected qid, docno, position and probability", path, 1)
    qids, docnos, ranks, chances = list[str](), list[str](), list[int](), list[float]()
    known, sums = set[tuple[str, str, int]](), defaultdict[tuple[str, int], float](float)
    for row in rows:
        try:
            rank, chance = int(row.get("position") or 1) - 1, float(row["probability"])
        except (TypeError, ValueError):
            rank, chance = -1, 0.0
        if rank < 0 or not 0 <= chance <= 1:
            found = f"position {row.get('position')!r:.20} and probability {row['probability']!r:.20}"
            raise InputError(f"{found}; expected from 1, and from 0 to 1", path, rows.line_num)
        if (key := (row["qid"], row["docno"], rank)) in known:
            raise InputError(f"{row['docno']!r} is twice at position {rank + 1}", path, rows.line_num)
        known.add(key)
        sums[row["qid"], rank] += chance
        qids.append(row["qid"])
        docnos.append(row["docno"])
        ranks.append(rank)
        chances.append(chance)
    for (qid, rank), total in sums.items():
        if abs(total - 1) > ROUNDING:
            raise InputError(
                f"topic {qid!r}: the probabilities of position {rank + 1} sum to {total:.4g}; expected 1", path
            )
    return PolicyTable(qids, docnos, np.array(ranks, np.int64), np.array(chances))
