"""What of a store counts in a round: its runs and topics, which judgments, and what was judged before."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from cranfield.arrays.rankings import Ints, Mask
from cranfield.arrays.selection import pair_keys
from cranfield.errors import InputError
from cranfield.features.rounds.options import ROUND_LABELS
from cranfield.features.rounds.store import Round, of_rounds, round_named, rounds, topics_of
from cranfield.selection import Selection
from cranfield.store.qrels import labelled
from cranfield.store.reading import EVALUATED
from cranfield.store.store import Store
from cranfield.store.withdrawals import WhatCounts


def names_asked(store: Store) -> int | None:
    """The round by whose names documents are asked for; None: the last."""
    name = store.selection.round
    return None if name is None else round_named(store, name).number


def counts_in_round(store: Store, counts: WhatCounts) -> WhatCounts:
    """What counts by the options that are given: in a round, or in all."""
    options = store.selection
    if options.remove_judged is not None:
        raise InputError("--remove-judged is of files; a store knows what was judged before: --round NAME")
    if options.round is None:
        if options.judged is not None:
            raise InputError(f"--judged {options.judged} needs --round NAME")
        return counts
    one = round_named(store, options.round)
    judged = options.judged or ("residual" if one.number > 1 else "own")
    if judged not in ROUND_LABELS:
        raise InputError(f"--judged is {judged!r}; expected residual, own or cumulative")
    if judged == "residual" and one.number == 1:
        raise InputError(f"round {one.name} is the first: nothing was judged before it, so nothing is residual")
    return _in_round(store, counts, one, judged)


def _in_round(store: Store, counts: WhatCounts, one: Round, judged: str) -> WhatCounts:
    first = 1 if judged == "cumulative" else one.number
    topics = topics_of(store, one)
    if counts.selection.topics is not None:
        topics &= counts.selection.topics
    others = store.rows("SELECT tag FROM run WHERE coalesce(round, 1) <> ?", [one.number])
    selection = replace(counts.selection, topics=topics)
    if judged == "residual":
        before = earlier_pairs(store, one.number, counts.selection.document)
        selection = replace(selection, earlier=before, most=EVALUATED)
    return counts._replace(
        others=frozenset(tag for (tag,) in others),
        selection=selection,
        labels=of_rounds(store, first, one.number),
        dropped=_is_dropped(store, one, counts.selection.document) if judged == "cumulative" else None,
    )


def earlier_pairs(store: Store, number: int, document: Ints | None) -> Ints:
    """The pairs that were judged before a round, under the names that documents have in it."""
    qrels = labelled(store, of_rounds(store, 1, number - 1)).qrels
    now = qrels.document if document is None else document[qrels.document]
    return pair_keys(qrels.topic[now >= 0], now[now >= 0])


def _is_dropped(store: Store, one: Round, document: Ints | None) -> Mask | None:
    """The documents that a round does not have any more."""
    if one.documents is None:
        return None
    dropped = np.ones(store.most("document"), bool)
    dropped[one.documents - 1] = False
    return dropped if document is None else dropped[np.maximum(document, 0)]


def judged_before(options: Selection) -> Path | None:
    """The judgments of files that were made before."""
    if options.round is not None or options.judged is not None:
        raise InputError(
            "--round and --judged need a store; on files, --remove-judged QRELS says what was judged before"
        )
    return None if options.remove_judged is None else Path(options.remove_judged)


def last_round(store: Store) -> Round:
    """The last round that was opened."""
    return rounds(store)[-1]
