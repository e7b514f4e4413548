"""How the names of documents and topics in a file become those of a store, and what is said of names that do not.

Some are unknown, some differ from the store's own in writing only.
"""

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from os import PathLike, fspath
from os.path import isfile
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

import numpy as np

from cranfield.arrays.judged import respelled_line, respellings
from cranfield.arrays.rankings import Ints, Qrels, Runs, Vocabulary, occurring_codes, sort_runs
from cranfield.errors import InputError, StoreError
from cranfield.formats.files import fail_on_notes, open_file
from cranfield.store.named_rows import NAMES, NamedRows
from cranfield.store.rounds import round_names
from cranfield.store.store import Store

if TYPE_CHECKING:
    from cranfield.formats.votes import Votes

PLACE = {"document": "in the corpus", "topic": "among the topics"}
PADDING = re.compile(r"(?<!\d)0+(?=\d)")


class Lack(NamedTuple):
    """How many documents or topics that something names are unknown, of how many, and the first of them."""

    table: str
    missing: int
    of: int
    first: str

    def sentence(self, what: str) -> str:
        """The same in words.

        >>> Lack("document", 46, 3250, "0003").sentence("documents that runs or judgments name")
        "46 of 3250 documents that runs or judgments name are not in the corpus, the first is '0003'"
        >>> Lack("topic", 1, 3, "01").sentence("topics in q.txt")
        "1 of 3 topics in q.txt is not among the topics, the first is '01'"
        """
        verb = "is" if self.missing == 1 else "are"
        return f"{self.missing} of {self.of} {what} {verb} not {PLACE[self.table]}, the first is {self.first!r}"


def find_missing_names(store: Store) -> list[Lack]:
    """What runs and judgments name and the store does not have; nothing where no corpus or no topics were added."""
    lacking = []
    for table, name in NAMES.items():
        if not store.has(table):
            continue
        unknown = store.rows(f"SELECT count(*), min(id) FROM unknown_{table}")[0]
        of = store.count(table)
        if 0 < unknown[0] < of:
            first = store.rows(f"SELECT {name} FROM {table} WHERE id = ?", [unknown[1]])[0][0]
            lacking.append(Lack(table, unknown[0], of, first))
    return lacking


def unknown_name_notes(store: Store, rows: Runs | Qrels, what: str) -> list[str]:
    """What is said of judgments or runs of a store that name documents or topics which it does not have."""
    columns = (("document", rows.docnos, rows.document), ("topic", rows.topics, rows.topic))
    return [
        line
        for table, names, codes in columns
        for line in unknown_among_notes(store, table, names.names[occurring_codes(codes)].tolist(), f"{table}s {what}")
    ]


def unknown_among_notes(store: Store, table: str, names: Sequence[str], what: str) -> list[str]:
    """The same of single names; nothing where no corpus, or no topics, were added."""
    unknown = unknown_names(store, table, names) if store.has(table) else []
    return [Lack(table, len(unknown), len(names), unknown[0]).sentence(what)] if unknown else []


def unknown_names(store: Store, table: str, names: Sequence[str]) -> list[str]:
    """Those of the names that stand for no document with a text, or for no topic that was added, in byte order."""
    rows = store.rows(
        f"SELECT value FROM json_each(?) AS wanted LEFT JOIN {table} ON {NAMES[table]} = value"
        f" WHERE NOT ({store.was_added(table)}) ORDER BY value",
        [json.dumps(list(names))],
    )
    return [name for (name,) in rows]


def fold_name(name: str) -> str:
    r"""A name without what is a matter of writing: zeros before a number, case, blanks, Unicode normalisation.

    >>> cafes = fold_name("cafe\u0301"), fold_name("caf\u00e9")
    >>> [fold_name(name) for name in ("0003", "FT 911-001", "q10", "0")], cafes[0] == cafes[1]
    (['3', 'ft911-1', 'q10', '0'], True)
    """
    return PADDING.sub("", normalize("NFC", "".join(name.split()).casefold()))


def similar_names_in_store(store: Store, table: str, names: Sequence[str]) -> dict[str, str]:
    """For names that the store does not have: the only one of its own that differs from each in writing alone."""
    forms = {fold_name(name) for name in names}
    own: dict[str, list[str]] = {}
    for (name,) in store.conn.execute(f"SELECT {NAMES[table]} FROM {table} WHERE {store.was_added(table)}"):
        if fold_name(name) in forms:
            own.setdefault(fold_name(name), []).append(name)
    return {name: own[fold_name(name)][0] for name in names if len(own.get(fold_name(name), ())) == 1}


Path = str | PathLike[str]


class Demand(NamedTuple):
    """What is asked of names: refuse those that the store does not have; take those that differ in writing alone."""

    strict: bool = False
    normalize: bool = False


def line_in_trec_file(path: Path, column: int, name: str) -> int | None:
    """The first line of qrels or a run in TREC's columns that has a name in this one; none of any other file."""
    if not isfile(path):
        return None
    with suppress(InputError), open_file(path) as source:
        columns = ((line, text.split()) for line, text in source.lines())
        return next((line for line, texts in columns if 4 <= len(texts) <= 6 and texts[column] == name), None)
    return None


class NamePlace(NamedTuple):
    """Where names stand: in words, and the file of each, perhaps with its line."""

    label: str
    of: Callable[[str], Path]
    line: Callable[[str], int | None] = lambda name: None

    def wrong(self, name: str, what: str) -> InputError:
        """An error about a name."""
        return InputError(what, self.of(name), self.line(name))


class NameMatcher:
    """Judgments and runs with a store's own names; `notes` is what is to be said of those that it does not have.

    >>> from cranfield.formats import Document
    >>> from cranfield.metrics.inputs import as_qrels
    >>> store, qrels = Store.memory("a"), as_qrels({"q": {"007": 1, "x": 0}})
    >>> store.add_documents([Document("7", text="a text")])
    1
    >>> known = NameMatcher(store, Demand(normalize=True))
    >>> known.qrels(qrels, "q.txt").docnos.names
    array(['7', 'x'], dtype=object)
    >>> for note in known.notes:
    ...     print(note)
    1 of 2 documents in q.txt is spelled differently: '007' is '7' in this store
    1 of 2 documents in q.txt is not in the corpus, the first is 'x'
    this store has no topics and contains only qids
    >>> store.close()
    """

    def __init__(self, store: Store, demand: Demand = Demand()) -> None:  # noqa: B008 - it never changes
        self.store, self.demand = store, demand
        self.notes: list[str] = []

    def qrels(self, qrels: Qrels, path: Path) -> Qrels:
        """The judgments of a file."""
        document, topic = (
            NamePlace(fspath(path), lambda name: path, partial(line_in_trec_file, path, column)) for column in (2, 0)
        )
        docnos = self._rename_to_present_names("document", qrels.docnos, qrels.document, document)
        return replace(
            qrels, docnos=docnos, topics=self._rename_to_present_names("topic", qrels.topics, qrels.topic, topic)
        )

    def runs(self, runs: Runs, paths: Sequence[Path]) -> Runs:
        """The runs of files, ties in the order of the names that they have now."""
        label = fspath(paths[0]) if len(paths) == 1 else "these runs"

        def place(names: Vocabulary, codes: Ints, column: int) -> NamePlace:
            def path_of(name: str) -> Path:
                return paths[int(runs.run[np.flatnonzero(codes == names.codes([name])[0])[0]])]

            return NamePlace(label, path_of, lambda name: line_in_trec_file(path_of(name), column, name))

        document = place(runs.docnos, runs.document, 2)
        topic = place(runs.topics, runs.topic, 0)
        docnos = self._rename_to_present_names("document", runs.docnos, runs.document, document)
        topics = self._rename_to_present_names("topic", runs.topics, runs.topic, topic)
        if docnos is runs.docnos and topics is runs.topics:
            return runs
        return sort_runs(
            runs.tags, topics, docnos, run=runs.run, topic=runs.topic, document=runs.document, score=runs.score
        )

    def votes(self, votes: "Votes") -> "Votes":
        """The votes of a file."""
        place = NamePlace(fspath(votes.path), lambda name: votes.path)
        docnos = self.names_of("document", sorted({vote.docno for vote in votes.votes}), place)
        qids = self.names_of("topic", sorted({vote.qid for vote in votes.votes if vote.qid}), place)
        own = [vote._replace(qid=qids.get(vote.qid, vote.qid), docno=docnos.get(vote.docno, vote.docno))
                   for vote in votes.votes]  # fmt: skip
        return replace(votes, votes=own)

    def _rename_to_present_names(self, table: str, names: Vocabulary, codes: Ints, place: NamePlace) -> Vocabulary:
        if not self.store.has(table):
            self._note_missing_names(table, names.names_at(codes[:1]).tolist(), place)
            if self.store.count(table) and not "".join(names.names.tolist()).isascii():
                self._note_other_forms(table, names.names[occurring_codes(codes)].tolist(), place)
            return names
        own = self.names_of(table, names.names[occurring_codes(codes)].tolist(), place)
        return Vocabulary([own.get(name, name) for name in names.names.tolist()]) if own else names

    def names_of(self, table: str, names: Sequence[str], place: NamePlace) -> Mapping[str, str]:
        """The store's names of those that are written otherwise, where that is asked for."""
        if not self.store.has(table):
            self._note_missing_names(table, names, place)
            if not "".join(names).isascii():
                self._note_other_forms(table, names, place)
            return {}
        unknown = unknown_names(self.store, table, names)
        spellings = similar_names_in_store(self.store, table, unknown) if unknown else {}
        own = spellings if self.demand.normalize else {}
        self._tell_respelled(table, own, names, place)
        lacking = [name for name in unknown if name not in own]
        if lacking:
            remedy = (
                ""
                if own or not spellings
                else f"; --normalize-ids finds {_describe_found_names(spellings, len(lacking))}"
            )
            present = [own.get(name, name) for name in names]
            self._tell_lacking(Lack(table, len(lacking), len(names), lacking[0]), present, place, remedy)
        return own

    def _note_missing_names(self, table: str, names: Sequence[str], place: NamePlace) -> None:
        """Say, when its first names come, that there is nothing to compare them with."""
        what = {"document": "this store has no corpus and contains only docnos",
                "topic": "this store has no topics and contains only qids"}[table]  # fmt: skip
        if self.demand.strict and names:
            raise place.wrong(names[0], f"{what}, so ids cannot be checked")
        if names and not self.store.count(table) and what not in self.notes:
            self.notes.append(what)

    def _note_other_forms(self, table: str, names: Sequence[str], place: NamePlace) -> None:
        """Note names that differ from names in the store only in Unicode normalisation."""
        notes = other_form_notes(self.store, table, names, place.label)
        fail_on_notes(notes)
        self.notes += notes

    def _tell_respelled(self, table: str, other: Mapping[str, str], names: Sequence[str], place: NamePlace) -> None:
        """Say which names were written otherwise; two that become one are refused."""
        first: dict[str, str] = {}
        for name in names:
            own = other.get(name, name)
            if first.setdefault(own, name) != name:
                raise place.wrong(name, f"both {first[own]!r} and {name!r} would become {table} {own!r}")
        if other:
            what = f"{len(other)} of {len(names)} {table}s in {place.label}"
            self.notes.append(
                f"{what} {'is' if len(other) == 1 else 'are'} spelled differently: {_spelling_example(other)}"
            )

    def _tell_lacking(self, lack: Lack, names: Sequence[str], place: NamePlace, remedy: str) -> None:
        """Say what stays unknown; a topic is refused, and under --strict a document, too."""
        if self.demand.strict:
            where = f"is not {PLACE[lack.table]} ({lack.missing} of {lack.of} are not){remedy}"
            raise place.wrong(lack.first, f"{lack.table} {lack.first!r} {where}")
        if lack.table == "topic":
            try:
                self.store.require_qids(names)
            except InputError as error:
                remedy = remedy or "; `cranfield import topics` adds topics"
                raise place.wrong(lack.first, f"{error.message}{remedy}") from error
        self.notes.append(lack.sentence(f"{lack.table}s in {place.label}") + remedy)


def other_form_notes(store: Store, table: str, names: Sequence[str], label: str) -> list[str]:
    """Note names that differ from names in the store only in Unicode normalisation; `label` is their place."""
    unknown = store.rows(
        f"SELECT value FROM json_each(?) WHERE value NOT IN (SELECT {NAMES[table]} FROM {table})",
        [json.dumps([name for name in names if not name.isascii()])],
    )
    forms = respellings(name for (name,) in unknown)
    known = store.rows(
        f"SELECT {NAMES[table]} FROM {table} WHERE {NAMES[table]} IN (SELECT value FROM json_each(?))",
        [json.dumps([*forms])],
    )
    pairs = sorted((forms[name], name) for (name,) in known)
    return [respelled_line(table, pairs, label, "the store")] if pairs else []


def unknown_notes(store: Store, rows: Runs | Qrels, label: str) -> list[str]:
    """Notes on documents and topics of runs or judgments that the store lacks, or has in another Unicode form."""
    columns = (("document", rows.docnos, rows.document), ("topic", rows.topics, rows.topic))
    notes = unknown_name_notes(store, rows, f"in {label}")
    for table, names, codes in columns:
        if not "".join(names.names.tolist()).isascii():
            notes += other_form_notes(store, table, names.names[occurring_codes(codes)].tolist(), label)
    return notes


def unknown_names_notes(store: Store, table: str) -> list[str]:
    """What is said when a corpus or topics came and runs or judgments name others, too."""
    lack = next((lack for lack in find_missing_names(store) if lack.table == table), None)
    if lack is None:
        return []
    unknown = [name for (name,) in store.rows(f"SELECT {NAMES[table]} FROM unknown_{table} ORDER BY id")]
    spellings = similar_names_in_store(store, table, unknown)
    again = "; remove the import with `cranfield store remove`, then import it again with --normalize-ids, which finds "
    line = lack.sentence(f"{table}s in this store")
    return [line + (f"{again}{_describe_found_names(spellings, lack.missing)}" if spellings else "")]


def _describe_found_names(spellings: Mapping[str, str], of: int) -> str:
    """How many of the unknown names were found, with an example."""
    how_many = "it" if of == 1 else f"{'all' if len(spellings) == of else len(spellings)} of them"
    return f"{how_many}: {_spelling_example(spellings)}"


def _spelling_example(spellings: Mapping[str, str]) -> str:
    r"""The first of the names that are written otherwise.

    >>> _spelling_example({"007": "7"})
    "'007' is '7' in this store"
    >>> _spelling_example({"e\u0301": "\u00e9"})[-42:]
    'this store, in another Unicode normal form'
    """
    name, own = next(iter(spellings.items()))
    form = ", in another Unicode normal form" if normalize("NFC", name) == normalize("NFC", own) else ""
    return f"{name!r} is {own!r} in this store{form}"


class RunKey(NamedTuple):
    """A run: what it is called in the store, its round, its team, the tag that its team gave it, the round's name."""

    name: str
    round: int
    team: str
    tag: str
    round_name: str = ""  # where it is not the number

    @property
    def forms(self) -> tuple[str, ...]:
        """What it may be called.

        >>> RunKey("2/run1", 2, "cuni", "run1").forms
        ('run1', '2/run1', '2/cuni/run1')
        """
        place = self.round_name or self.round
        return self.tag, f"{place}/{self.tag}", f"{place}/{self.team}/{self.tag}"


def read_run_keys(store: NamedRows) -> list[RunKey]:
    """The keys of all runs, in the order they came."""
    rows = store.rows("SELECT tag, coalesce(round, 1), team, coalesce(submitted, tag) FROM run ORDER BY id")
    names = round_names(store)
    return [RunKey(*row)._replace(round_name=names.get(row[1], "")) for row in rows]


def name_new_run(others: Collection[RunKey], new: RunKey) -> RunKey:
    """A run that is added to those known, called by the shortest of its forms that no other has; an error if none.

    >>> known = [RunKey("run1", 1, "GUIR_S2", "run1")]
    >>> new = [RunKey("", 2, "cuni", "run1"), RunKey("", 1, "cuni", "run1"), RunKey("", 2, "cuni", "run1", "final")]
    >>> [name_new_run(known, one).name for one in new]
    ['2/run1', '1/cuni/run1', 'final/run1']
    """
    if any(one[1:4] == new[1:4] for one in others):
        raise StoreError(f"run {new.tag!r} of {new.team} is already in round {new.round_name or new.round}")
    names = {form for one in others for form in (*one.forms, one.name)}
    return new._replace(name=next(form for form in new.forms if form not in names))


def resolve_run_name(store: NamedRows, name: str, among: Collection[str] | None = None) -> str:
    """What the run is called in the store that somebody names, of those that count; an error where it may be several.

    A name that no run has is left to whoever looks it up.
    """
    matches = [one for one in read_run_keys(store) if name in (one.name, *one.forms)]
    matches = [one for one in matches if among is None or one.name in among] or matches
    if len(matches) > 1:
        raise StoreError(f"{name}: {' or '.join(one.forms[-1] for one in matches)}")
    return matches[0].name if matches else name
