"""`progress --stop`: whether judging may stop, topic by topic, by a rule.

JSON: [{"topic", "judged", "relevant", "ratio", "stop"}].
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from cranfield.errors import InputError
from cranfield.hooks import OptionError

if TYPE_CHECKING:
    from cranfield.cli.tables import TableFormat
    from cranfield.store.store import Store


class StopOptions(NamedTuple):
    """Whether judging may stop."""

    stop: Annotated[
        str | None,
        typer.Option(
            metavar="RULE",
            help="Show for each topic of a pool by cal whether judging may stop: knee, knee6, budget-knee, precision,"
            " hypergeometric; target and qbcb:0.8 promise a recall, and need a random draw.",
        ),
    ] = None


def show_stops(options: StopOptions, path: Path, pool: int | None, format: TableFormat, output: Path | None) -> None:
    """Print the table of a rule."""
    from cranfield.cli.tables import emit
    from cranfield.errors import blaming
    from cranfield.features.collecting.stopping import CERTIFIED, RULES
    from cranfield.store.store import Store

    rule = options.stop or ""
    if rule.partition(":")[0] not in (*RULES, *CERTIFIED):
        raise OptionError("stop", f"{rule!r} is no rule; there are {', '.join((*RULES, 'target', 'qbcb:0.8'))}")
    with Store.open(path) as store, blaming(path):
        rows = stops(store, rule, pool)
    said = sum(row["stop"] for row in rows)
    emit(rows, format, output, title=f"{rule} says that {said} of {len(rows)} topics may stop; it promises no recall")


def stops(store: Store, rule: str, number: int | None = None) -> list[dict[str, Any]]:
    """A row a topic of a pool by active learning: what was judged and found, and whether the rule would stop.

    A certified rule is refused, with what it would take, where no draw was made for it; there is none in a store yet.
    """
    import numpy as np

    from cranfield.features.collecting.stopping import RULES, Found, certified_price
    from cranfield.pooling.stored.request import judgments
    from cranfield.store.pools import stored_pool

    pool, judged = stored_pool(store, number), judgments(store)
    if pool.method != "cal":
        raise InputError(f"pool {pool.number} is by {pool.method}; rules for stopping look at a pool by cal")
    size = store.rows("SELECT count(*) FROM document WHERE text IS NOT NULL")[0][0]
    if rule not in RULES:
        found = [sum(known.values()) for known in judged.values()]
        raise InputError(certified_price(rule, size, found))
    rows = []
    for qid, batches in pool.parameters["batches"].items():
        order = sorted((one for one in pool.documents if one.qid == qid), key=lambda one: one.depth)
        known = [judged.get(qid, {}).get(one.docno) for one in order]
        whole = next((place for place, label in enumerate(known) if label is None), len(known))
        ends = np.array([end for end in np.cumsum(batches) if end <= whole], np.int64)
        relevant = np.cumsum([0, *(bool(label) for label in known[:whole])])[ends]
        at = Found(ends, relevant, size)
        may = bool(len(ends)) and RULES[rule](at)
        rows.append({
            "topic": qid, "judged": int(ends[-1]) if len(ends) else 0,
            "relevant": int(relevant[-1]) if len(ends) else 0, "ratio": at.ratio if len(ends) else 0.0, "stop": may,
        })  # fmt: skip
    return rows
