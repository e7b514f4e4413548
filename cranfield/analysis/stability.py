"""The stability of a source: how much the ranking of its systems depends on the topics."""

from collections.abc import Sequence
from math import isnan
from typing import Any

from cranfield.arrays.blocks import JudgedBlocks
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.metrics.measure import Measure
from cranfield.text import counted

STABILITY_TEST = "paired t"


def stability_of(judged: Judged | JudgedBlocks, measures: Sequence[Measure], seed: int = 0) -> dict[str, Any]:
    """The stability of a source as the JSON document."""
    import numpy as np

    from cranfield.metrics.evaluate import score

    if len(judged.tags) < 2 or len(judged.qids) < 2:
        found = f"{len(judged.tags)} and {len(judged.qids)}"
        raise InputError(f"stability needs at least two runs and two topics; there are {found}")
    scores = np.moveaxis(score(judged, measures), -1, 0)
    row = [_measured(str(measure), some, seed) for measure, some in zip(measures, scores, strict=True)]
    return {"topics": len(judged.qids), "runs": len(judged.tags), "measures": row}


def _measured(measure: str, scores: Floats, seed: int) -> dict[str, Any]:
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
        "discriminative_power": discriminative_power(defined),
        "by_topics": by_topics(defined, seed),
        "swap_rates": [
            {"topics": size, "from": round(place * BIN, 2), "pairs": int(pairs), "swapped": int(swapped),
             "rate": float(swapped / pairs) if pairs else np.nan}
            for size in halves
            for place, (pairs, swapped) in enumerate(swap_rates(defined, size, seed=seed))
        ],
    }  # fmt: skip


def stability_rows(document: dict[str, Any], printed: bool = True) -> list[dict[str, Any]]:
    """One row per number of topics, with headings for print or the stable ones of CSV; the measure if several."""
    several = len(document["measures"]) > 1
    return [
        {
            **({"measure": measured["measure"]} if several else {}),
            "topics": row["topics"],
            ("reversed %" if printed else "swapped %"): 100 * row["swap_rate"],
            ("reliable difference" if printed else "difference to rely on"): row["difference"],
            "tau of two sets": row["tau"],
            (f"significant pairs % ({STABILITY_TEST})" if printed else "pairs told apart %"): 100 * row["told_apart"],
        }
        for measured in document["measures"]
        for row in measured["by_topics"]
    ]


def stability_title(document: dict[str, Any]) -> str:
    """What the table is of."""
    names = ", ".join(row["measure"] for row in document["measures"])
    runs, topics = counted(document["runs"], "run"), counted(document["topics"], "topic")
    return f"{names}: {runs}, {topics}; two disjoint topic sets compared"


def stability_sentences(measured: dict[str, Any], topics: int) -> list[str]:
    """How to read the numbers of one measure, in sentences."""
    floor, name = measured["floor"], measured["measure"]
    lines = [
        f"{name}: tau between two halves of the topics is {floor['split_half_mean']:.3f} on average, and "
        f"{floor['bootstrap_mean']:.3f} between all of them and a resample "
        f"(5th percentile {floor['bootstrap_p5']:.3f}).",
        "If changing the collection gives a tau above that, topic sampling alone could explain it, unless it changes"
        " a single system a lot.",
    ]
    paired = [row for row in measured["by_topics"] if not isnan(row["swap_rate"])]
    if paired:
        lines.append(_reliance(paired[-1]))
    power = 100 * measured["discriminative_power"]
    lines.append(
        f"By all {topics} topics {power:.0f} % of the pairs of systems differ significantly ({STABILITY_TEST}, .05)."
    )
    return lines


def _reliance(row: dict[str, Any]) -> str:
    """What the largest sets say about differences."""
    swapped, size, needed = f"{100 * row['swap_rate']:.1f} %", row["topics"], row["difference"]
    start = f"With {size} topics, two sets of them disagree on {swapped} of the pairs"
    if isnan(needed):
        return f"{start}; no difference is large enough for them to disagree on fewer than 5 %."
    if not needed:
        return f"{start}; at any difference they disagree on fewer than 5 %."
    return f"{start}; they disagree on fewer than 5 % only where the difference is {needed:.2f} or more."
