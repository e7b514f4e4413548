"""Exported qrels derived anew, from the events of their time, by the rules that their manifest names.

So it is seen if the file, its hash and its manifest were changed together, or if somebody else had a topic by hand for
as long as the export took.
"""

import hashlib
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Ints
from cranfield.errors import InputError, StoreError
from cranfield.formats import write_qrels
from cranfield.formats.files import read_text
from cranfield.judging.labels.export import MODELS, STRATIFIED, add_format_columns, negative_grades, pairs_of
from cranfield.judging.labels.pairs import Pair, Standing, events_that_count, last_decisions, rename_events
from cranfield.judging.labels.policies import State, apply_policy, find_policy
from cranfield.selection import ROUND_FIELDS, LabelledBy, Selection
from cranfield.store.changes import changed_since, first_assessors_as_of, has_recorded_changes, withdrawn_as_of
from cranfield.store.log import assessors, read_events
from cranfield.store.pools import stored_pool
from cranfield.store.store import Store
from cranfield.store.verification import Manifest
from cranfield.store.withdrawals import document_numbers_as_of, withdrawal_and_round_filter, withdrawals
from cranfield.text import counted, visible_line


class Rules(NamedTuple):
    """How a manifest says that qrels were derived."""

    policy: str
    version: int
    names: list[str]  # whose labels, where they were named
    whose: LabelledBy
    count_unsure: bool
    missing: Mapping[State, int]
    pool: int | None
    format: str

    @property
    def needs_pool(self) -> bool:
        """Whether the pool decides what is written."""
        return bool(self.missing) or self.format in STRATIFIED


def rules_of(manifest: Manifest) -> Rules | None:
    """The rules in a manifest; None if it is not of qrels, but of the log of a published folder."""
    content = manifest.content
    if "policy" not in content:
        return None
    try:
        return _rules(content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        wrong = "the manifest does not describe how the qrels were derived; expected a manifest of exported qrels"
        raise InputError(wrong, manifest.file) from error


def _rules(content: Mapping[str, Any]) -> Rules:
    as_named, missing = content["models"] == "as named", dict(content["missing"])
    return Rules(
        policy=str(content["policy"]["name"]),
        version=int(content["policy"]["version"]),
        names=[str(name) for name in content["assessors"]] if as_named else [],
        whose=LabelledBy.all if as_named else {text: whose for whose, text in MODELS.items()}[content["models"]],
        count_unsure={"counted": True, "left out": False}[content["unsure"]],
        missing={state: int(grade) for state, grade in missing.items() if grade != "left out"},
        pool=None if content["pool"] is None else int(content["pool"]["number"]),
        format=str(content["format"]),
    )


def verify_derived_qrels(store: Store, manifest: Manifest) -> str:
    """Derive the qrels of a manifest again, and compare them with the file next to it. Return a line with the result.

    The caller has verified the logs, and that their heads match the manifest. An error names the first line that
    differs.
    """
    rules = rules_of(manifest)
    if rules is None:
        return ""
    name = visible_line(manifest.file.name)
    if why := _reason_not_derivable(store, manifest, rules):
        return f"{name} was not re-derived: {why}"
    with TemporaryDirectory() as folder:
        again = Path(folder) / manifest.file.name
        judgments = _write_qrels(store, manifest, rules, again)
        _compare(manifest, again, f"the log at that time, with policy {rules.policy}, gives")
    there = "" if manifest.file.is_file() else ", which is known only by its hash"
    return (
        f"{counted(judgments, 'judgment was', 'judgments were')} re-derived with policy {rules.policy} and"
        f" match {name}{there}"
    )


def _reason_not_derivable(store: Store, manifest: Manifest, rules: Rules) -> str:
    now, names = find_policy(rules.policy).version, assessors(store)
    if rules.version != now:
        return f"it was derived by version {rules.version} of policy {rules.policy}; this program has version {now}"
    if manifest.others is None or not has_recorded_changes(store, manifest.others.events):
        return "the store has no record of the topics' assessors at that time; a new `export qrels` records them"
    if options := manifest.content.get("asked"):
        part = visible_line(", ".join(f"--{name} {value}" for name, value in options.items()))
        if not options.keys() <= {*ROUND_FIELDS}:
            return f"it was exported with {part}, and such qrels cannot be derived from the log"
        if withdrawn_as_of(store, manifest.others.events) != {(one.what, one.name) for one in withdrawals(store)}:
            return f"it was exported with {part}, and the withdrawals have changed since"
    if missing := [name for name in rules.names if name not in names]:
        return f"it was derived from the labels of {visible_line(missing[0])}; this store no longer has this assessor"
    has_grown = rules.needs_pool and changed_since(store, "pool_document", f"{rules.pool}/%", manifest.others.events)
    return f"its pool {rules.pool} has changed since" if has_grown else ""


def _write_qrels(store: Store, manifest: Manifest, rules: Rules, out: Path) -> int:
    """Write the qrels as of the manifest's time. Return the number of judgments."""
    assert manifest.others is not None
    log = [event for event in read_events(store) if (event.id or 0) <= manifest.judgments.events]
    names = None
    if options := manifest.content.get("asked"):
        asked = store.select(Selection(**{name: options[name] for name in ROUND_FIELDS if name in options}))
        standing, names = events_that_count(asked, log), withdrawal_and_round_filter(asked).selection.document
    else:
        withdrawn = withdrawn_as_of(store, manifest.others.events)
        standing = last_decisions(
            event for event in log if not {("topic", event.qid), ("document", event.docno)} & withdrawn
        )
        if (names := document_numbers_as_of(store, manifest.others.events)) is not None:
            standing = rename_events(store, standing, names)
    then = Standing(standing, first_assessors_as_of(store, manifest.others.events))
    outcome = apply_policy(
        store,
        rule=rules.policy,
        names=rules.names or None,
        count_unsure=rules.count_unsure,
        whose=rules.whose,
        then=then,
    )
    pooled = _pooled(store, rules.pool, names) if rules.needs_pool and rules.pool else set()
    qrels = add_format_columns(
        store, outcome, negative_grades(store, outcome, pooled, rules.missing), rules.format, rules.pool
    )
    write_qrels(out, qrels.qrels, rules.format)
    return len(qrels.qrels)


def _pooled(store: Store, number: int, names: Ints | None) -> set[Pair]:
    """The pairs of a pool, by the names that documents had."""
    pairs = sorted(pairs_of(stored_pool(store, number)))
    if names is None:
        return set(pairs)
    now = names[np.array(store.numbers("document", "docno", [docno for _, docno in pairs]), np.int64) - 1]
    docnos = store.docnos.names_at(np.maximum(now, 0)).tolist()
    return {(qid, name) for (qid, _), name, counts in zip(pairs, docnos, now >= 0, strict=True) if counts}


def _compare(manifest: Manifest, again: Path, by: str) -> None:
    """An error that names the first line that differs, or the file where it is not here."""
    if not manifest.file.is_file():
        if manifest.sha256 and hashlib.sha256(again.read_bytes()).hexdigest() != manifest.sha256:
            raise StoreError(f"{manifest.file}: {by} other contents: the SHA-256 differs")
        return
    lines = zip_longest(*(read_text(file).splitlines() for file in (manifest.file, again)))
    for number, (line, right) in enumerate(lines, 1):
        if line != right:
            was, gives = (visible_line(repr(text)) if text is not None else "nothing" for text in (line, right))
            raise StoreError(f"{manifest.file}, line {number}: {was:.100}; {by} {gives:.100}")
