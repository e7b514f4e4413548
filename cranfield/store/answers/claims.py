"""Claims: what the reference answer to a topic says, sentence by sentence, and what answers state.

Claims are never changed. An author who says anew what an answer states adds another version, and the last one counts;
people's count before models'. An author may find that an answer states nothing. Whether the documents of an answer say
a claim is a label of its own log.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cranfield.errors import InputError
from cranfield.formats.nuggets import PlainClaims
from cranfield.store.links.linking import link_events
from cranfield.store.log import admit
from cranfield.store.store import Store, now


class Claim(NamedTuple):
    """A claim that counts; `answer` None: of the reference answer."""

    number: int
    qid: str
    answer: int | None
    text: str
    author: str


class ClaimSet(NamedTuple):
    """All that an author says an answer claims, or the reference answer to a topic; no texts: it states nothing."""

    qid: str
    answer: int | None
    texts: Sequence[str]
    author: str
    evidence: str | None = None


def add_claims(store: Store, sets: Iterable[ClaimSet]) -> list[int]:
    """Append claims in one transaction; the numbers of their rows, of which a set without texts has one.

    >>> from cranfield.formats import Topic
    >>> from cranfield.store.log import add_assessor
    >>> store = Store.memory("claims")
    >>> store.add_topics([Topic("q", "lift")]), add_assessor(store, "ada")
    (1, None)
    >>> add_claims(store, [ClaimSet("q", None, ["Wings lift.", "Drag slows."], "ada")])
    [1, 2]
    >>> add_claims(store, [ClaimSet("q", None, ["Wings lift."], "ada")])
    [3]
    >>> [(claim.number, claim.text) for claim in current_claims(store)]
    [(3, 'Wings lift.')]
    >>> store.close()
    """
    with store.writing():
        numbers = [number for one in sets for number in _insert(store, one)]
        link_events(store, "claim", numbers)
        return numbers


def _insert(store: Store, one: ClaimSet) -> list[int]:
    author = "(SELECT id FROM assessor WHERE name = ?)"
    topic = store.rows("SELECT id FROM topic WHERE qid = ?", [one.qid])[0][0]
    version = store.rows(
        f"SELECT coalesce(max(version), 0) + 1 FROM claim WHERE topic = ? AND answer IS ? AND author = {author}",
        [topic, one.answer, one.author],
    )[0][0]
    row = (
        "INSERT INTO claim (at, topic, answer, position, text, author, version, evidence, import)"
        f" VALUES (?, ?, ?, ?, ?, {author}, ?, ?, ?)"
    )
    values = [(now(), topic, one.answer, place, " ".join(text.split()), one.author, version, one.evidence,
               store.importing) for place, text in list(enumerate(one.texts, 1)) or [(0, "")]]  # fmt: skip
    return [int(store.conn.execute(row, value).lastrowid or 0) for value in values]


def current_claims(store: Store) -> list[Claim]:
    """The claims that count, by topic and answer, in their order."""
    rows = store.rows("SELECT id, qid, answer, text, name FROM current_claim ORDER BY topic, answer, position")
    return [Claim(*row) for row in rows]


def answers_without_claims(store: Store) -> set[int]:
    """The answers of which it counts that they state nothing."""
    return {answer for (answer,) in store.rows("SELECT answer FROM latest_claim WHERE position = 0")}


def import_claims(store: Store, found: Sequence[PlainClaims], author: str, kind: str = "human") -> int:
    """Add the claims of files in one transaction, as an author's; how many. An answer that is not here is an error."""
    answers = {(run, qid): number for run, qid, number in store.rows(
        "SELECT r.tag, t.qid, a.id FROM answer a JOIN answer_run r ON r.id = a.run JOIN topic t ON t.id = a.topic"
    )}  # fmt: skip
    topics = {topic.qid for topic in store.topics()}
    with store.writing():
        admit(store, author, kind)
        for one in found:
            if one.qid not in topics:
                raise InputError(f"topic {one.qid!r} is not in the store", one.path, one.line)
            if one.run and (one.run, one.qid) not in answers:
                what = f"run {one.run!r} has no answer to topic {one.qid!r} in this store"
                raise InputError(what, one.path, one.line)
        sets = [ClaimSet(one.qid, answers[one.run, one.qid] if one.run else None, one.claims, author) for one in found]
        add_claims(store, sets)
        return sum(len(one.texts) for one in sets)
