"""Runs, topics and documents that are withdrawn, and what of a store counts for an analysis.

Nothing is deleted: a withdrawal is a row, and so is its end. A withdrawn run is neither scored nor pooled, whatever it
has under its name, and labels that only it brought stay; of a withdrawn topic neither rankings nor labels count; a
withdrawn document is in no qrels, and leaves rankings before ranks count. Releases that were made before stay as they
are. A pair needs no judgment any more once it was judged under whatever name of its document.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from cranfield import hooks
from cranfield.arrays.rankings import Ints, Mask
from cranfield.arrays.selection import RowSelection, pair_keys
from cranfield.errors import InputError, StoreError
from cranfield.selection import ROUND_LABELS
from cranfield.store.changes import items_as_of, withdrawn_as_of
from cranfield.store.labels import current_labels
from cranfield.store.log import add_assessor
from cranfield.store.named_documents import unknown_documents
from cranfield.store.names import resolve_run_name
from cranfield.store.reading import EVALUATED
from cranfield.store.rounds import Round, round_condition, round_named, topics_of
from cranfield.store.store import Store, now
from cranfield.store.topic_sets import qids_of_set
from cranfield.text import name_hint

COLUMN = {"run": "tag", "topic": "qid", "document": "docno"}


class Withdrawal(NamedTuple):
    """One that stands: what it is of, the number of its row there, its name, and the reason."""

    what: str
    item: int
    name: str
    reason: str
    number: int


class UnrankedRuns(NamedTuple):
    """Runs of an extension that have no rankings: the table and the first row of each by tag, and how to score them."""

    first_rows: Mapping[str, tuple[str, int]]
    remedy: str  # the end of an error about a store without rankings


def withdrawals(store: Store) -> list[Withdrawal]:
    """Those that stand, the oldest first."""
    rows = store.rows("SELECT what, item, name, reason, id FROM withdrawn ORDER BY id")
    return [Withdrawal(*row) for row in rows]


def withdraw(store: Store, what: str, names: Sequence[str], reason: str, by: str | None = None) -> list[str]:
    """Withdraw runs (by tag), topics (by qid) or documents (by docno), all or none; what is said, a line each.

    `by` is the assessor who decided it, for the history; a new one is made known.

    >>> from cranfield.metrics.inputs import as_runs
    >>> from cranfield.store.runs import add_runs, run_info
    >>> with Store.memory("two runs") as store:
    ...     add_runs(store, as_runs({"a": {"q": {"d1": 1.0}}, "b": {"q": {"d1": 2.0}}}))
    ...     withdraw(store, "run", ["b"], "wrong index"), list(run_info(store))
    ...     restore(store, "run", ["b"], "it was right"), list(run_info(store))
    2
    (['run b: withdrawn'], ['a'])
    (['run b: counts again'], ['a', 'b'])
    """
    if not reason.strip():
        raise StoreError("a withdrawal needs a reason, which every table shows")
    with store.writing():
        return [_withdraw(store, what, name, reason, by) for name in names]


def restore(store: Store, what: str, names: Sequence[str], reason: str = "", by: str | None = None) -> list[str]:
    """Let what was withdrawn count again."""
    with store.writing():
        return [_restore(store, what, name, reason, by) for name in names]


def _withdraw(store: Store, what: str, name: str, reason: str, by: str | None) -> str:
    table, item, name = _find_item(store, what, name)
    if standing := _find_withdrawal(store, what, name):
        raise StoreError(f"{what} {name!r} is already withdrawn: {standing.reason}")
    _log_withdrawal(store, what, item, name, by, reason=reason)
    condition = f"json_extract(last, '$.{table}') >= ?"
    names = [name for (name,) in store.rows(f"SELECT name FROM release WHERE {condition} ORDER BY id", [item])]
    return f"{what} {name}: withdrawn{f'; release {names[-1]} keeps it' if names else ''}"


def _restore(store: Store, what: str, name: str, reason: str, by: str | None) -> str:
    _, item, name = _find_item(store, what, name)
    standing = _find_withdrawal(store, what, name)
    if standing is None:
        raise StoreError(f"{what} {name!r} is not withdrawn")
    _log_withdrawal(store, what, item, name, by, reason=reason, restores=standing.number)
    return f"{what} {name}: counts again"


def refuse_withdrawn(store: Store, tags: Mapping[str, str]) -> None:
    """An error where a run of these tags is withdrawn; `tags` says which file each comes from."""
    for one in withdrawals(store):
        if one.what == "run" and one.name in tags:
            what = f"run {one.name!r} is withdrawn: {one.reason}; restore it with `cranfield store restore`"
            raise InputError(what, tags[one.name] or None)


def _find_withdrawal(store: Store, what: str, name: str) -> Withdrawal | None:
    return next((one for one in withdrawals(store) if (one.what, one.name) == (what, name)), None)


def _find_item(store: Store, what: str, name: str) -> tuple[str, int, str]:
    """The table of a row, its number and its name; an error that names the nearest where there is none.

    A run without rankings is known by the first row that came with it.
    """
    others: dict[str, tuple[str, int]] = {}
    if what == "run":
        name = resolve_run_name(store, name)
        for unranked in filter(None, hooks.ask(lambda extension: extension.unranked_runs(store))):
            others |= unranked.first_rows
    [number] = store.numbers(what, COLUMN[what], [name])
    if what == "document" and unknown_documents(store, [name]):
        number = -1
    if number < 0 and name not in others:
        names = store.rows(f"SELECT {COLUMN[what]} FROM {what}") if what != "document" else ()
        raise StoreError(f"no {what} {name!r} in this store{name_hint(name, [*(one for (one,) in names), *others])}")
    return (what, number, name) if number > 0 else (*others[name], name)


def _log_withdrawal(
    store: Store, what: str, item: int, name: str, by: str | None, *, reason: str, restores: int | None = None
) -> None:
    row = "INSERT INTO withdrawal (at, what, item, name, reason, restores) VALUES (?, ?, ?, ?, ?, ?)"
    number = store.conn.execute(row, [now(), what, item, name, reason, restores]).lastrowid
    if by:
        add_assessor(store, by)
        decided = "INSERT INTO withdrawn_by VALUES (?, (SELECT id FROM assessor WHERE name = ?))"
        store.conn.execute(decided, [number, by])


def withdrawn_by(store: Store) -> dict[int, str]:
    """Who decided each withdrawal, and each end of one, by its number, where that was said."""
    return dict(store.rows("SELECT w.id, name FROM withdrawn_by w JOIN assessor a ON a.id = w.assessor"))


class WhatCounts(NamedTuple):
    """What of a store counts: the runs that do not, by tag, each with the reason; the rest; and which labels.

    `others` are runs that are not asked for, which is not said. `labels` is a condition on judgment events `e`, in SQL,
    and `dropped` are documents whose labels do not count any more.
    """

    omissions: Mapping[str, str] = {}
    others: frozenset[str] = frozenset()
    selection: RowSelection = RowSelection()
    labels: str = ""
    dropped: Mask | None = None

    def counts(self, tag: str) -> bool:
        """Whether a run does."""
        return tag not in self.omissions and tag not in self.others


ALL_COUNTS = WhatCounts()


def withdrawal_and_round_filter(store: Store, runs: str = "run") -> WhatCounts:
    """What counts by withdrawals, present names, the round and the topics that are asked for; noted as left out.

    The runs that are noted are those of a table with tags. A handle of a selected store works it out once.
    """
    return store.counting.find(store, runs, _find_what_counts)


def _find_what_counts(store: Store, runs: str) -> WhatCounts:
    name = store.selection.round
    one = None if name is None else round_named(store, name)
    counts = merge_names(
        store, _counts_after_withdrawals(store, withdrawals(store), runs), None if one is None else one.number
    )
    _check_judged(store, one)
    if one is not None:
        counts = _restrict_counts_to_round(store, counts, one)
    return _restrict_counts_to_topic_set(store, counts, store.selection.topics) if store.selection.topics else counts


def _check_judged(store: Store, one: Round | None) -> None:
    """Refuse judgments of a selection that go with no round, or not with this one."""
    options = store.selection
    if options.remove_judged is not None:
        raise InputError("--remove-judged applies only to files; for a store, use --round NAME")
    if options.judged is None:
        return
    if one is None:
        raise InputError(f"--judged {options.judged} needs --round NAME")
    if options.judged not in ROUND_LABELS:
        raise InputError(f"--judged is {options.judged!r}; expected residual, own or cumulative")
    if options.judged == "residual" and one.number == 1:
        raise InputError(
            f"round {one.name} is the first round, so it has no residual judgments; expected --judged own or cumulative"
        )


def _restrict_counts_to_round(store: Store, counts: WhatCounts, one: Round) -> WhatCounts:
    """The same of a round: its runs, its topics, and the judgments that the selection asks for."""
    judged = store.selection.judged or ("residual" if one.number > 1 else "own")
    topics = topics_of(store, one)
    if counts.selection.topics is not None:
        topics &= counts.selection.topics
    others = store.rows("SELECT tag FROM run WHERE coalesce(round, 1) <> ?", [one.number])
    selection = replace(counts.selection, topics=topics)
    if judged == "residual":
        # The pairs that were judged before the round, under the names that documents have in it.
        qrels = current_labels(store, round_condition(store, 1, one.number - 1)).qrels
        now = qrels.document if counts.selection.document is None else counts.selection.document[qrels.document]
        before = pair_keys(qrels.topic[now >= 0], now[now >= 0])
        selection = replace(selection, earlier=before, most=EVALUATED)
    first = 1 if judged == "cumulative" else one.number
    return counts._replace(
        others=frozenset(tag for (tag,) in others),
        selection=selection,
        labels=round_condition(store, first, one.number),
        dropped=_dropped_documents(store, one, counts.selection.document) if judged == "cumulative" else None,
    )


def _dropped_documents(store: Store, one: Round, document: Ints | None) -> Mask | None:
    """The documents that a round does not have any more."""
    if one.documents is None:
        return None
    dropped = np.ones(store.last_row_number("document"), bool)
    dropped[one.documents - 1] = False
    return dropped if document is None else dropped[np.maximum(document, 0)]


def merge_names(store: Store, counts: WhatCounts, number: int | None) -> WhatCounts:
    """The same with documents by their names in a round, or now; one that is withdrawn is so under any of its names."""
    now, numbers = present_document_numbers(store, number), counts.selection.document
    if now is None:
        return counts
    if numbers is not None:
        is_gone = numbers < 0
        is_gone[now[np.flatnonzero(is_gone)]] = True
        now = np.where(is_gone | is_gone[now], -1, now)
    return counts._replace(selection=replace(counts.selection, document=now))


def present_document_numbers(store: Store, number: int | None = None) -> Ints | None:
    """The document, counted from 0, that each is in a round, or in the last one; None where none was renamed."""
    rows = store.rows("SELECT round, old - 1, new - 1 FROM renamed ORDER BY round")
    now, renamed_by = np.arange(store.last_row_number("document")), False
    for of in sorted({row[0] for row in rows if number is None or row[0] <= number}):
        step = np.arange(len(now))
        old, new = np.array([row[1:] for row in rows if row[0] == of], np.int64).T
        step[old] = new
        now, renamed_by = step[now], True
    return now if renamed_by else None


def other_names_by_docno(store: Store) -> dict[str, list[str]]:
    """By each name of a document that was renamed, the others that it has or had."""
    joins = "JOIN document d ON d.id = o.document JOIN document x ON x.id = o.other"
    others: dict[str, list[str]] = {}
    for docno, other in store.rows(f"SELECT d.docno, x.docno FROM other_name o {joins} ORDER BY x.id"):
        others.setdefault(docno, []).append(other)
    return others


def document_numbers_as_of(store: Store, items: int) -> Ints | None:
    """The documents by the names that they had when the other logs had so many items; -1 for one withdrawn then."""
    number = max((int(name) for name, _ in items_as_of(store, "renamed", items)), default=0)
    docnos = sorted(name for what, name in withdrawn_as_of(store, items) if what == "document")
    document = np.arange(store.last_row_number("document"))
    document[np.array(store.numbers("document", "docno", docnos), np.int64) - 1] = -1
    if not docnos and not number:
        return None
    return merge_names(store, WhatCounts(selection=RowSelection(document=document)), number).selection.document


def topics_that_count(store: Store) -> frozenset[str] | None:
    """The topics that count, or None where all do."""
    counts = withdrawal_and_round_filter(store).selection.topics
    return None if counts is None else frozenset(store.qids.names[: len(counts)][counts].tolist())


def present_name_by_docno(store: Store) -> dict[str, str | None]:
    """The names of documents that have another one now; None for one that is withdrawn."""
    now = withdrawal_and_round_filter(store).selection.document
    if now is None:
        return {}
    names, moves = store.docnos.names, np.flatnonzero(now != np.arange(len(now)))
    return {names[old]: names[new] if new >= 0 else None for old, new in zip(moves, now[moves], strict=True)}


def _counts_after_withdrawals(store: Store, withdrawals: Sequence[Withdrawal], table: str) -> WhatCounts:
    if not withdrawals:
        return ALL_COUNTS
    items = {what: {one.item: one for one in withdrawals if one.what == what} for what in ("topic", "document")}
    out, runs = store.left_out, {one.name: one.reason for one in withdrawals if one.what == "run"}
    there = {tag for (tag,) in store.rows(f"SELECT tag FROM {table}")} if runs else ()
    out.runs.update({tag: reason for tag, reason in runs.items() if tag in there})
    for what, reasons in (("topic", out.topics), ("document", out.documents)):
        reasons.update({one.name: one.reason for one in items[what].values()})
    topics, document = None, None
    if items["topic"]:
        topics = np.ones(store.last_row_number("topic"), bool)
        topics[[item - 1 for item in items["topic"]]] = False
    if items["document"]:
        document = np.arange(store.last_row_number("document"))
        document[[item - 1 for item in items["document"]]] = -1
    return WhatCounts(runs, selection=RowSelection(topics, document))


def _restrict_counts_to_topic_set(store: Store, current: WhatCounts, name: str) -> WhatCounts:
    """The same on a set of topics."""
    qids = qids_of_set(store, name)
    numbers = np.array(store.numbers("topic", "qid", qids), np.int64) - 1
    is_selected = np.zeros(store.last_row_number("topic"), bool)
    is_selected[numbers[numbers >= 0]] = True
    counts = current.selection.topics
    both: Mask = is_selected if counts is None else is_selected & counts
    others = store.left_out.others
    if unknown := int((numbers < 0).sum()):
        others[f"topics of {name} that the store lacks"] = unknown
    if unknown == len(qids):
        raise StoreError(
            f"{store.path}: none of the topics of {name!r} is in this store; its first topic is {qids[0]!r}"
        )
    if not both.any():
        raise StoreError(f"{store.path}: none of the topics of {name!r} counts in this store")
    before = store.count("topic") - (0 if counts is None else int((~counts).sum()))
    if before > both.sum():
        others[f"topics not in {name}"] = before - int(both.sum())
    return current._replace(selection=replace(current.selection, topics=both))


def settled_pairs(store: Store) -> set[tuple[str, str]]:
    """The pairs that need no judgment: somebody has labelled them, or cannot, by any name of the document."""
    return _query_pairs(store, f"SELECT topic, document FROM settled UNION {RENAMED_SETTLED_QUERY}")


def settled_by_people(store: Store) -> set[tuple[str, str]]:
    """The same without what only models have labelled."""
    people = "SELECT topic, document FROM settled s JOIN assessor a ON a.id = s.assessor WHERE a.kind <> 'model'"
    return _query_pairs(store, f"{people} UNION {RENAMED_SETTLED_QUERY}")


def present_name_by_former_name(store: Store) -> dict[str, str]:
    """The present name of each document that was ever renamed."""
    query = "SELECT o.docno, n.docno FROM present_name p JOIN document o ON o.id = p.document"
    return dict(store.rows(f"{query} JOIN document n ON n.id = p.name"))


def drop_renamed(store: Store, assessor: str, work: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Some work without what the assessor has settled under another name; of several names of a document one stays."""
    names = present_name_by_former_name(store)
    if not names:
        return {qid: [*docnos] for qid, docnos in work.items()}
    pairs = pairs_settled_under_other_name(store, assessor)
    remaining: dict[str, list[str]] = {}
    for qid, docnos in work.items():
        by_name: dict[str, str] = {}
        for docno in docnos:
            name = names.get(docno, docno)
            if (qid, docno) not in pairs and (name not in by_name or docno == name):
                by_name[name] = docno
        remaining[qid] = [*by_name.values()]
    return remaining


def names_and_withdrawals(store: Store) -> tuple[int, int]:
    """How many documents were ever renamed, and what was withdrawn or restored: whether work is what it was before."""
    return store.count("renamed"), store.count("withdrawal")


def pairs_settled_under_other_name(store: Store, assessor: str) -> set[tuple[str, str]]:
    """The pairs that an assessor has settled under another name of the document, and not under this one."""
    if not store.count("renamed"):
        return set()
    own = "SELECT topic, document FROM settled WHERE assessor = :me"
    query = f"{RENAMED_SETTLED_QUERY} WHERE assessor = :me EXCEPT {own}"
    return _query_pairs(store, query, {"me": store.numbers("assessor", "name", [assessor])[0]})


RENAMED_SETTLED_QUERY = "SELECT topic, document FROM settled_by_other_name"


def _query_pairs(store: Store, query: str, values: Mapping[str, object] | None = None) -> set[tuple[str, str]]:
    joins = "JOIN topic t ON t.id = p.topic JOIN document d ON d.id = p.document"
    return set(store.rows(f"SELECT qid, docno FROM ({query}) p {joins}", values or {}))
