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
    from cranfield.features.collecting.stopping import Found
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


def knee_rows(store: Store) -> list[dict[str, Any]]:
    """What knee6 says of the newest pool, where that is by active learning."""
    from cranfield.store.pools import bare_pool

    newest = store.rows("SELECT max(id) FROM pool")[0][0]
    return stops(store, "knee6", newest) if newest and bare_pool(store, newest).method == "cal" else []


def stops(store: Store, rule: str, number: int | None = None) -> list[dict[str, Any]]:
    """A row a topic of a pool by active learning: what was judged and found, and whether the rule would stop.

    A certified rule is refused, with what it would take, where no draw was made for it; there is none in a store yet.
    """
    from cranfield.features.collecting.stopping import RULES, certified_price
    from cranfield.pooling.stored.request import judgments

    found = curves(store, number)
    if rule not in RULES:
        relevant = [sum(known.values()) for known in judgments(store).values()]
        raise InputError(certified_price(rule, _documents(store), relevant))
    return [
        {
            "topic": qid, "judged": int(at.judged[-1]), "relevant": int(at.relevant[-1]), "ratio": at.ratio,
            "stop": RULES[rule](at),
        }
        if len(at.judged)
        else {"topic": qid, "judged": 0, "relevant": 0, "ratio": 0.0, "stop": False}
        for qid, at in found.items()
    ]  # fmt: skip


def curves(store: Store, number: int | None = None) -> dict[str, Found]:
    """How many relevant documents of each topic were known at the end of each batch of a pool by active learning."""
    import numpy as np

    from cranfield.features.collecting.stopping import Found
    from cranfield.pooling.stored.request import judgments
    from cranfield.store.pools import stored_pool

    pool, judged, size = stored_pool(store, number), judgments(store), _documents(store)
    if pool.method != "cal":
        raise InputError(f"pool {pool.number} is by {pool.method}; rules for stopping look at a pool by cal")
    found = {}
    for qid, batches in pool.parameters["batches"].items():
        order = sorted((one for one in pool.documents if one.qid == qid), key=lambda one: one.depth)
        known = [judged.get(qid, {}).get(one.docno) for one in order]
        whole = next((place for place, label in enumerate(known) if label is None), len(known))
        ends = np.array([end for end in np.cumsum(batches) if end <= whole], np.int64)
        found[qid] = Found(ends, np.cumsum([0, *(bool(label) for label in known[:whole])])[ends], size)
    return found


def _documents(store: Store) -> int:
    return int(store.rows("SELECT count(*) FROM document WHERE text IS NOT NULL")[0][0])
