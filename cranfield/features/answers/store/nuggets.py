"""The nuggets of topics: what a good answer says, each vital or okay; and which of them, and of their labels, count.

A nugget is never changed. Another wording is another nugget that replaces it, so a label is always about the words that
were read; its importance may change while its labels stay. An edit says that a topic has a nugget, as vital or okay, or
has it no more; taking an edit back is an edit too.

A nugget is a model's as long as no person has had a hand in it: one that a person words anew, or makes vital or okay,
counts as people's. People's nuggets and labels count where there are any, else models', and never both.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield.errors import InputError, StoreError
from cranfield.features.answers.store.answers import answers_that_count
from cranfield.features.answers.store.labels import (
    ADJUDICATED,
    NOT_BY_HAND,
    SUPPORT,
    Item,
    LabelLog,
)
from cranfield.selection import EVERYBODY, LabelledBy, Labellers
from cranfield.store.decoding import decode_json_column, decode_names
from cranfield.store.links import append_items
from cranfield.store.log import assessors
from cranfield.store.store import Store, now
from cranfield.store.withdrawals import topics_that_count, withdrawal_and_round_filter
from cranfield.text import counted, name_hint

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
    def author_kind(self) -> str:
        """Whether it counts as people's or as models'."""
        return "models" if self.by_model else "people"

    @property
    def author_words(self) -> str:
        """The author, and whether that is a model.

        >>> Nugget(1, "q1", "lift grows", "vital", "qwen", (), 1, by_model=True).author_words
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
        rows = [_row(store, edit) for edit in edits]
        append_items(store, "nugget_edit", rows)
        return [row["nugget"] for row in rows]


def current_nuggets(store: Store, qid: str | None = None) -> list[Nugget]:
    """The nuggets of a topic, or of all topics, as they are now, in the order in which they came."""
    rows = store.rows(
        "SELECT c.id, c.qid, text, importance, author, contributors, edit, a.kind IN ('model', 'panel')"
        " FROM current_nugget c JOIN topic t ON t.qid = c.qid"
        " JOIN nugget_edit e ON e.id = edit JOIN assessor a ON a.id = e.assessor"
        " WHERE ?1 IS NULL OR c.qid = ?1 ORDER BY t.id, place, c.id",
        [qid],
    )
    return [
        Nugget(number, qid, text, importance, author, decode_names(tags, "nugget", number, "contributors"), *origin)
        for number, qid, text, importance, author, tags, *origin in rows
    ]


def nugget_texts(store: Store, numbers: Iterable[int]) -> list[str]:
    """The texts of nuggets by number, of those as well that were replaced or dropped since."""
    ids = json.dumps([*numbers])
    rows = store.rows("SELECT text FROM json_each(?) JOIN nugget n ON n.id = value ORDER BY key", [ids])
    return [text for (text,) in rows]


def nugget_edits(store: Store, qid: str, after: int = 0) -> list[NuggetEdit]:
    """Everything that was done to the nuggets of a topic, in the order it happened, with an id above `after`."""
    rows = store.rows(
        "SELECT e.kind, qid, a.name, n.text, e.nugget, replaces, contributors, seconds, input, supersedes, event_id,"
        " e.at, e.id FROM nugget_edit e JOIN nugget n ON n.id = e.nugget JOIN topic t ON t.id = n.topic"
        " JOIN assessor a ON a.id = e.assessor WHERE qid = ? AND e.id > ? ORDER BY e.id",
        [qid, after],
    )
    return [_edit(row) for row in rows]


def _row(store: Store, edit: NuggetEdit) -> dict[str, Any]:
    """An edit as the log has it; its nugget is written down if it is new."""
    at = edit.at or now()
    number = edit.nugget if edit.nugget is not None else _word(store, edit, at)
    return {"event_id": edit.event_id, "at": at, "kind": edit.kind, "nugget": number, "assessor": edit.assessor,
            "replaces": json.dumps(edit.replaces), "seconds": edit.seconds, "input": edit.input,
            "supersedes": edit.supersedes}  # fmt: skip


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


def _edit(row: tuple[Any, ...]) -> NuggetEdit:
    kind, qid, assessor, text, nugget, replaces, contributors, *more = row
    names = decode_names(contributors, "nugget", nugget, "contributors")
    return NuggetEdit(
        kind,
        qid,
        assessor,
        text,
        nugget,
        tuple(decode_json_column(list, replaces, "nugget_edit", nugget, "replaces")),
        tuple(names),
        *more,
    )


def last_edited(store: Store, assessor: str) -> str | None:
    """The topic whose nuggets an assessor edited last."""
    rows = store.rows(
        "SELECT qid FROM nugget_edit e JOIN nugget n ON n.id = e.nugget JOIN topic t ON t.id = n.topic"
        " JOIN assessor a ON a.id = e.assessor WHERE a.name = ? ORDER BY e.id DESC LIMIT 1",
        [assessor],
    )
    return str(rows[0][0]) if rows else None


def last_edits(store: Store) -> dict[str, str]:
    """When each assessor last edited nuggets in this program, in UTC."""
    rows = store.rows(
        "SELECT a.name, max(e.at) FROM nugget_edit e JOIN assessor a ON a.id = e.assessor"
        " WHERE e.input NOT IN (SELECT value FROM json_each(?)) GROUP BY a.id",
        [json.dumps(NOT_BY_HAND)],
    )
    return dict(rows)


class CountedLabels(NamedTuple):
    """The labels that count: 1 support, .5 partly, 0 no; None could not be judged, or a model failed."""

    labels: Mapping[Item, float | None]
    names: tuple[str, ...]  # whose they are
    by_models: bool
    left_out: int  # labels of models, where people's count
    policy: str | None = None  # what decided where they differed
    undecided: tuple[str, ...] = ()  # the assessors whose labels differ, where nothing decided
    items: int = 0  # how many have such labels
    settled: Mapping[Item, str] = {}  # by whom an item was adjudicated
    differences: Mapping[Item, tuple[str, ...]] = {}  # the assessors whose labels of an item differ, undecided
    different: int = 0  # items with different labels, decided by the policy or not

    def select_items(self, items: Collection[Item]) -> "CountedLabels":
        """Restrict the undecided differences to these items."""
        differences = {item: names for item, names in self.differences.items() if item in items}
        differing = {name for names in differences.values() for name in names}
        return self._replace(
            differences=differences,
            undecided=tuple(name for name in self.names if name in differing),
            items=len(differences),
        )

    def note(self, what: str, was_chosen: bool = False) -> str:
        """Whose labels these are, in a line; empty where all are by one person, none failed, and nothing was chosen.

        >>> CountedLabels({(1, 1): 1.0}, ("ada",), False, 0).note("nugget")
        ''
        >>> CountedLabels({(1, 1): 1.0}, ("ada",), False, 3).note("nugget")
        '1 nugget label by ada; 3 by models are left out (use --labels models to count only these)'
        >>> CountedLabels({(1, 1): 1.0}, ("ada", "bob"), False, 0, "max", different=1).note("nugget")
        '1 nugget label by ada, bob; 1 item has different labels; policy: max'
        >>> CountedLabels({}, (), False, 0, "primary").note("nugget")
        'no nugget label counts; policy: primary'
        >>> CountedLabels({(1, 1): 1.0, (1, 2): None}, ("llm",), True, 0).note("support")
        '2 support labels by llm, a model; 1 of them failed or cannot be judged'
        """
        failures = sum(label is None for label in self.labels.values())
        if not (self.by_models or self.left_out or failures or self.policy or len(self.names) > 1 or was_chosen):
            return ""
        who = ", a model" * self.by_models if len(self.names) == 1 else ", models" * self.by_models
        is_are = "is" if self.left_out == 1 else "are"
        have = "1 item has" if self.different == 1 else f"{counted(self.different, 'item')} have"
        differ = f"; {have if self.different else 'no item has'} different labels" * (len(self.names) > 1)
        rule = f"; policy: {self.policy}" * bool(self.policy)
        others = f"; {self.left_out} by models {is_are} left out (use --labels models to count only these)"
        without = f"; {failures} of them failed or cannot be judged" * bool(failures)
        by = f"{counted(len(self.labels), f'{what} label')} by {', '.join(self.names)}{who}"
        head = by if self.names else f"no {what} label counts"
        return f"{head}{differ}{rule}{without}" + others * bool(self.left_out)


class CountedNuggets(NamedTuple):
    """The nuggets that count, and how many are left out."""

    nuggets: Sequence[Nugget]
    left_out: int

    @property
    def numbers(self) -> set[int]:
        """Their numbers."""
        return {one.number for one in self.nuggets}

    def note(self) -> str:
        """Whose nuggets these are, in a line; nothing where all are people's.

        >>> mine, its = Nugget(1, "q", "a", "vital", "ada", (), 1), Nugget(2, "q", "b", "okay", "qwen", (), 2, True)
        >>> CountedNuggets([mine], 1).note()
        '1 nugget by people; 1 by models is left out (use --nuggets all to count it)'
        >>> CountedNuggets([its], 0).note(), CountedNuggets([mine, its], 0).note()
        ('1 nugget by models', '2 nuggets, of which 1 by models')
        """
        number, by_models = counted(len(self.nuggets), "nugget"), sum(one.by_model for one in self.nuggets)
        if not (by_models or self.left_out):
            return ""
        if 0 < by_models < len(self.nuggets):
            return f"{number}, of which {by_models} by models"
        others = "people" if by_models else "models"
        is_it = ("is", "it") if self.left_out == 1 else ("are", "them")
        not_counted = f"; {self.left_out} by {others} {is_it[0]} left out (use --nuggets all to count {is_it[1]})"
        return f"{number} by {'models' if by_models else 'people'}{not_counted * bool(self.left_out)}"


def counted_nuggets(store: Store, whose: LabelledBy | None = None) -> CountedNuggets:
    """The nuggets of topics that count: of people, models, or all; by default people's, else models'."""
    qids, left_out = topics_that_count(store), withdrawal_and_round_filter(store, "answer_run").omissions
    nuggets = [
        one._replace(contributors=tuple(tag for tag in one.contributors if tag not in left_out))
        for one in current_nuggets(store)
        if qids is None or one.qid in qids
    ]
    authors = whose or (LabelledBy.models if all(one.by_model for one in nuggets) else LabelledBy.people)
    counting = [one for one in nuggets if authors.counts("model" if one.by_model else "human")]
    if nuggets and not counting:
        raise InputError(
            f"no nugget was written by {authors}; the {counted(len(nuggets), 'nugget')} in this store"
            f" {'is' if len(nuggets) == 1 else 'are'} by other authors",
            store.path,
        )
    return CountedNuggets(counting, len(nuggets) - len(counting))


def counted_labels(
    store: Store,
    log: LabelLog,
    labellers: Labellers = EVERYBODY,
    nuggets: Collection[int] | None = None,
    decide: Callable[[Sequence[float], str], float] | None = None,
) -> CountedLabels:
    """The current labels of answers that count, of one assessor or of people or models; of `nuggets` alone, if given.

    Where the labels of several assessors differ, `decide` makes one of them by the policy of `labellers`. Without it
    the first counts, and `undecided` names the assessors.
    """
    assessor, whose, policy = labellers.assessor, labellers.kind, labellers.policy
    if assessor is not None and assessor not in assessors(store):
        raise StoreError(f"no assessor {assessor!r} in this store{name_hint(assessor, assessors(store))}")
    columns = ", ".join(log.columns)
    rows = store.rows(
        f"SELECT assessor_kind IN ('model', 'panel'), name, label, {columns}, input LIKE '{ADJUDICATED}%'"
        f" FROM current_{log.table} WHERE kind <> 'later' AND name = coalesce(?, name)"
        f" ORDER BY input NOT LIKE '{ADJUDICATED}%', label IS NULL, assessor",
        [assessor],
    )
    counting = answers_that_count(store)
    rows = [
        row
        for row in rows
        if counting.keys() >= {*row[3 : 3 + log.answers]}
        and whose.counts("model" if row[0] else "human")
        and (nuggets is None or row[-2] in nuggets)
    ]
    are_models = all(row[0] for row in rows)
    labels: dict[Item, float | None] = {}
    votes: dict[Item, dict[str, float]] = {}
    settled: dict[Item, str] = {}
    for by_model, name, label, *rest, adjudicated in rows:
        if by_model == are_models:
            item = (*rest[:-1], log.read(rest[-1]))
            labels.setdefault(item, None if label is None else SUPPORT[label])
            if adjudicated:
                settled.setdefault(item, name)
            elif label is not None and item not in settled:
                votes.setdefault(item, {})[name] = SUPPORT[label]
    differences = {item: tuple(by) for item, by in votes.items() if len({*by.values()}) > 1}
    different = len(differences)
    if policy is not None and decide is not None:
        labels |= {item: decide([*by.values()], policy) for item, by in votes.items()}
        differences = {}
    names = tuple(dict.fromkeys(row[1] for row in rows if row[0] == are_models))
    differing = {name for by in differences.values() for name in by}
    return CountedLabels(
        labels,
        names,
        by_models=bool(rows) and are_models,
        left_out=0 if are_models else sum(row[0] for row in rows),
        policy=policy if assessor is None else None,
        undecided=tuple(name for name in names if name in differing),
        items=len(differences),
        settled=settled,
        differences=differences,
        different=different,
    )
