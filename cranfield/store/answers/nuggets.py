"""The nuggets of topics: what a good answer says, each vital or okay.

A nugget is never changed. Another wording is another nugget that replaces it, so a label is always about the words that
were read; its importance may change while its labels stay. An edit says that a topic has a nugget, as vital or okay, or
has it no more; taking an edit back is an edit too.

A nugget is a model's as long as no person has had a hand in it: one that a person words anew, or makes vital or okay,
counts as people's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import uuid4

from cranfield.errors import InputError
from cranfield.store.decoding import json_of, names_of
from cranfield.store.links.linking import link_events
from cranfield.store.store import Store, now

IMPORTANCES = ("vital", "okay")


class Nugget(NamedTuple):
    """A nugget as it is now; `edit` is the edit that made it so, and `by_model` whether a model did that."""

    number: int
    qid: str
    text: str
    importance: str
    author: str
    contributors: tuple[str, ...]
    edit: int
    by_model: bool = False

    @property
    def by(self) -> str:
        """Whether it counts as people's or as models'."""
        return "models" if self.by_model else "people"

    @property
    def whose(self) -> str:
        """The author, and whether that is a model.

        >>> Nugget(1, "q1", "lift grows", "vital", "qwen", (), 1, by_model=True).whose
        'qwen, a model'
        """
        return f"{self.author}, a model" if self.by_model else self.author


class NuggetEdit(NamedTuple):
    """One thing that was done to the nuggets of a topic. An edit with a text and no `nugget` makes a new one."""

    kind: str  # vital, okay, drop or retract
    qid: str
    assessor: str
    text: str = ""
    nugget: int | None = None
    replaces: tuple[int, ...] = ()
    contributors: tuple[str, ...] = ()
    seconds: float | None = None
    input: str = ""
    supersedes: int | None = None
    event_id: str = ""
    at: str = ""
    id: int | None = None


def edit_nuggets(store: Store, edits: Iterable[NuggetEdit]) -> list[int]:
    """Append edits in one transaction, on disk before this returns; the nugget of each.

    >>> from cranfield.formats import Topic
    >>> from cranfield.store.log import add_assessor
    >>> store = Store.memory("nuggets")
    >>> store.add_topics([Topic("q1", "lift")])
    1
    >>> add_assessor(store, "ada")
    >>> edit_nuggets(store, [NuggetEdit("vital", "q1", "ada", "lift grows"), NuggetEdit("okay", "q1", "ada", "b")])
    [1, 2]
    >>> edit_nuggets(store, [NuggetEdit("okay", "q1", "ada", "lift grows as speed squared", replaces=(1,))])
    [3]
    >>> [(one.number, one.importance, one.text) for one in current_nuggets(store)]
    [(3, 'okay', 'lift grows as speed squared'), (2, 'okay', 'b')]
    >>> edit_nuggets(store, [NuggetEdit("retract", "q1", "ada", nugget=3, supersedes=3)])
    [3]
    >>> [one.number for one in current_nuggets(store, "q1")]
    [1, 2]
    >>> store.close()
    """
    with store.writing():
        rows = [_insert(store, edit) for edit in edits]
        link_events(store, "nugget_edit", [row for row, _ in rows])
        return [nugget for _, nugget in rows]


def current_nuggets(store: Store, qid: str | None = None) -> list[Nugget]:
    """The nuggets of a topic, or of all topics, as they are now, in the order in which they came."""
    rows = store.rows(
        "SELECT c.id, c.qid, text, importance, author, contributors, edit, a.kind = 'model' FROM current_nugget c"
        " JOIN topic t ON t.qid = c.qid JOIN nugget_edit e ON e.id = edit JOIN assessor a ON a.id = e.assessor"
        " WHERE ?1 IS NULL OR c.qid = ?1 ORDER BY t.id, place, c.id",
        [qid],
    )
    return [
        Nugget(number, qid, text, importance, author, names_of(tags, "nugget", number, "contributors"), *made)
        for number, qid, text, importance, author, tags, *made in rows
    ]


def nugget_texts(store: Store, numbers: Iterable[int]) -> list[str]:
    """The texts of nuggets by number, of those as well that were replaced or dropped since."""
    listed = json.dumps([*numbers])
    rows = store.rows("SELECT text FROM json_each(?) JOIN nugget n ON n.id = value ORDER BY key", [listed])
    return [text for (text,) in rows]


def nugget_edits(store: Store, qid: str, after: int = 0) -> list[NuggetEdit]:
    """Everything that was done to the nuggets of a topic, in the order it happened, with an id above `after`."""
    rows = store.rows(
        "SELECT e.kind, qid, a.name, n.text, e.nugget, replaces, contributors, seconds, input, supersedes, event_id,"
        " e.at, e.id FROM nugget_edit e JOIN nugget n ON n.id = e.nugget JOIN topic t ON t.id = n.topic"
        " JOIN assessor a ON a.id = e.assessor WHERE qid = ? AND e.id > ? ORDER BY e.id",
        [qid, after],
    )
    return [_edit(*row) for row in rows]


def is_edited(store: Store, event_id: str) -> bool:
    """Whether there is an edit of this id."""
    return bool(store.rows("SELECT 1 FROM nugget_edit WHERE event_id = ?", [event_id]))


def _insert(store: Store, edit: NuggetEdit) -> tuple[int, int]:
    """Append an edit; its number and that of the nugget."""
    at = edit.at or now()
    number = edit.nugget if edit.nugget is not None else _word(store, edit, at)
    row = store.conn.execute(
        "INSERT INTO nugget_edit (event_id, at, kind, nugget, assessor, replaces, seconds, input, supersedes)"
        " VALUES (?, ?, ?, ?, (SELECT id FROM assessor WHERE name = ?), ?, ?, ?, ?)",
        [edit.event_id or uuid4().hex, at, edit.kind, number, edit.assessor, json.dumps(edit.replaces), edit.seconds,
         edit.input, edit.supersedes],
    ).lastrowid  # fmt: skip
    return int(row or 0), number


def _word(store: Store, edit: NuggetEdit, at: str) -> int:
    """Write a nugget down; its number."""
    if not (text := " ".join(edit.text.split())):
        raise InputError("a nugget needs a text")
    return int(
        store.conn.execute(
            "INSERT INTO nugget (at, topic, text, author, contributors, place)"
            " VALUES (?, (SELECT id FROM topic WHERE qid = ?), ?, (SELECT id FROM assessor WHERE name = ?), ?,"
            " (SELECT min(coalesce(place, id)) FROM nugget WHERE id IN (SELECT value FROM json_each(?))))",
            [at, edit.qid, text, edit.assessor, json.dumps(sorted(edit.contributors)), json.dumps(edit.replaces)],
        ).lastrowid
        or 0
    )


def _edit(
    kind: str, qid: str, assessor: str, text: str, nugget: int, replaces: str, contributors: str, *more: Any
) -> NuggetEdit:
    names = names_of(contributors, "nugget", nugget, "contributors")
    return NuggetEdit(
        kind,
        qid,
        assessor,
        text,
        nugget,
        tuple(json_of(list, replaces, "nugget_edit", nugget, "replaces")),
        tuple(names),
        *more,
    )


def last_edited(store: Store, assessor: str) -> str | None:
    """The topic whose nuggets an assessor edited last."""
    found = store.rows(
        "SELECT qid FROM nugget_edit e JOIN nugget n ON n.id = e.nugget JOIN topic t ON t.id = n.topic"
        " JOIN assessor a ON a.id = e.assessor WHERE a.name = ? ORDER BY e.id DESC LIMIT 1",
        [assessor],
    )
    return str(found[0][0]) if found else None
