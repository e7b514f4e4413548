"""The stability of a source: how far the ranking of its systems depends on which topics there are."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING, Any

from cranfield.errors import InputError

if TYPE_CHECKING:
    from cranfield.arrays.judged import Judged
    from cranfield.arrays.rankings import Floats
    from cranfield.metrics.measure import Measure


def stability_of(judged: Judged, measures: Sequence[Measure], seed: int = 0) -> dict[str, Any]:
    """The stability of a source as the JSON document."""
    from cranfield.metrics.evaluate import score

    if len(judged.tags) < 2 or len(judged.qids) < 2:
        found = f"{len(judged.tags)} and {len(judged.qids)}"
        raise InputError(f"stability is about two systems and two topics at least; here are {found}")
    told = [_told(str(measure), score(judged, [measure])[..., 0], seed) for measure in measures]
    return {"topics": len(judged.qids), "runs": len(judged.tags), "measures": told}


def _told(measure: str, scores: Floats, seed: int) -> dict[str, Any]:
    import numpy as np

    from cranfield.metrics.reusability.stability import (
        BIN,
        by_topics,
        discriminative_power,
        noise_floor,
        sizes,
        swap_rates,
    )  # fmt: skip

    defined = np.nan_to_num(scores)
    halves = [size for size in sizes(defined.shape[1]) if 2 * size <= defined.shape[1]]
    return {
        "measure": measure,
        "floor": noise_floor(defined, seed)._asdict(),
        "discriminative_power": discriminative_power(defined, seed=seed),
        "by_topics": by_topics(defined, seed),
        "swap_rates": [
            {"topics": size, "from": round(place * BIN, 2), "pairs": int(pairs), "swapped": int(swapped),
             "rate": float(swapped / pairs) if pairs else np.nan}
            for size in halves
            for place, (pairs, swapped) in enumerate(swap_rates(defined, size, seed=seed))
        ],
    }  # fmt: skip


def rows(document: dict[str, Any]) -> list[dict[str, Any]]:
    """A row a number of topics, as people read it; the measure stands there where there are several."""
    several = len(document["measures"]) > 1
    return [
        {
            **({"measure": told["measure"]} if several else {}),
            "topics": row["topics"],
            "swapped %": 100 * row["swap_rate"],
            "difference to rely on": row["difference"],
            "tau of two sets": row["tau"],
            "pairs told apart %": 100 * row["told_apart"],
        }
        for told in document["measures"]
        for row in told["by_topics"]
    ]


def title(document: dict[str, Any]) -> str:
    """What the table is of."""
    names = ", ".join(told["measure"] for told in document["measures"])
    return f"{names}: {document['runs']} runs, {document['topics']} topics, disjoint sets of them against each other"


def stability_sentences(told: dict[str, Any], topics: int) -> list[str]:
    """How to read the numbers of one measure, in sentences."""
    floor, name = told["floor"], told["measure"]
    lines = [
        f"{name}: tau between two halves of the topics is {floor['split_half_mean']:.3f} on average, and "
        f"{floor['bootstrap_mean']:.3f} between all of them and a resample "
        f"({floor['bootstrap_p5']:.3f} in the worst twentieth).",
        "A change of the collection that leaves tau above that is lost in the noise of the topics; one that moves a"
        " single system much is not, whatever tau says.",
    ]
    paired = [row for row in told["by_topics"] if not isnan(row["swap_rate"])]
    if paired:
        lines.append(_reliance(paired[-1]))
    power = 100 * told["discriminative_power"]
    lines.append(
        f"All {topics} topics tell {power:.0f} % of the pairs of systems apart (bootstrap test, .05, not corrected)."
    )
    return lines


def _reliance(row: dict[str, Any]) -> str:
    """What the largest sets say of differences."""
    swapped, size, needed = f"{100 * row['swap_rate']:.1f} %", row["topics"], row["difference"]
    start = f"With {size} topics, two sets of them disagree on {swapped} of the pairs"
    if isnan(needed):
        return f"{start}; no difference is large enough for them to disagree on fewer than 5 %."
    if not needed:
        return f"{start}: however small a difference, they disagree on fewer than 5 %."
    return f"{start}; they disagree on fewer than 5 % only where a difference is {needed:.2f} or more."
