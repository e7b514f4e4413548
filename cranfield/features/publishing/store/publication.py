"""What a store keeps for the publication of its collection, its description and split, and what it knows in numbers."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cranfield.errors import DamageError, InputError
from cranfield.hooks import features
from cranfield.store.decoding import decode_json_column, decode_names, short_value
from cranfield.store.store import Store, sha256
from cranfield.text import counted, join_words

SPLIT = "split"


def stored_description(store: Store) -> dict[str, Any]:
    """What was set, by field.

    >>> with Store.memory("tiny") as store:
    ...     keep_description(store, {"title": "Tiny", "language": ["en"], "doi": ""})
    ...     keep_description(store, {"title": ""})
    ...     stored_description(store)
    {'language': ['en']}
    """
    rows = store.rows("SELECT field, value FROM publication WHERE field <> ? ORDER BY field", [SPLIT])
    return {field: _value(field, value) for field, value in rows}


def stored_split(store: Store) -> tuple[str, ...] | None:
    """The topics of the split test, of a collection that was published in splits; those that are still there.

    >>> from cranfield.formats import Topic
    >>> with Store.memory("tiny") as store:
    ...     added = store.add_topics([Topic("q1", "one"), Topic("q2", "two")])
    ...     keep_split(store, ["q2", "q9"])
    ...     stored_split(store), stored_description(store)
    (('q2',), {})
    """
    values = [_value(field, value) for field, value in store.rows("SELECT * FROM publication WHERE field = ?", [SPLIT])]
    qids = {topic.qid for topic in store.topics()} if values else set()
    return tuple(qid for qid in values[0] if qid in qids) if values else None


def keep_split(store: Store, qids: Sequence[str]) -> None:
    """Keep the topics of the split test; the others are train."""
    with store.writing():
        values = [SPLIT, json.dumps([*qids], ensure_ascii=False)]
        store.conn.execute("INSERT OR REPLACE INTO publication VALUES (?, ?)", values)


def _value(field: object, text: object) -> Any:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, str | list):
        raise DamageError("publication", field, f"value is neither JSON text nor a JSON list: {short_value(text)}")
    return value


def keep_description(store: Store, values: Mapping[str, Any]) -> None:
    """Set fields in one transaction; an empty value removes what was set."""
    with store.writing():
        for field, value in values.items():
            store.conn.execute("DELETE FROM publication WHERE field = ?", [field])
            if value:
                store.conn.execute(
                    "INSERT INTO publication VALUES (?, ?)", [field, json.dumps(value, ensure_ascii=False)]
                )


EXAMPLES = 10  # of what is odd
EMPTY = sha256("")
COUNTED = "(SELECT topic, document, grade, assessor, id FROM qrels_event WHERE grade IS NOT NULL)"


class DocumentCounts(NamedTuple):
    """How many documents have a text, how many are known by their docno only, how many repeat an earlier text.

    A text that is withheld counts: its hash is known.
    """

    with_text: int
    without_text: int
    duplicates: int


class LabelNumbers(NamedTuple):
    """The labels that count, by kind of assessor, and how many of them were adjudicated."""

    by_kind: dict[str, int]
    adjudications: int


class PoolOfStore(NamedTuple):
    """How many topics and documents a pool has, how many are judged, and how much was judged outside it."""

    topics: int
    documents: int
    judged: int
    judged_outside: int


class OddJudgments(NamedTuple):
    """Judged pairs without a text, and pairs of documents with one text and two grades: how many, and the first."""

    without_text: int
    first_without_text: tuple[tuple[str, str], ...]
    disagreeing: int
    first_disagreeing: tuple[tuple[str, str, str], ...]


def document_counts(store: Store) -> DocumentCounts:
    """The documents by whether they have a text.

    >>> from cranfield.formats import Document
    >>> with Store.memory("tiny") as store:
    ...     _ = store.add_documents([Document("d1", text="a"), Document("d2", text="a"), Document("d3", text="b")])
    ...     document_counts(store)
    DocumentCounts(with_text=3, without_text=0, duplicates=1)
    """
    rows = store.rows(
        "SELECT count(sha256), count(*) - count(sha256), count(sha256) - count(DISTINCT sha256)"
        f" FROM document WHERE removed = 0 AND {store.complete_import_condition()}"
    )
    return DocumentCounts(*rows[0])


def counted_labels(store: Store) -> LabelNumbers:
    """The labels that count."""
    kinds = store.rows(
        f"SELECT a.kind, count(*) FROM {COUNTED} q JOIN assessor a ON a.id = q.assessor GROUP BY a.kind ORDER BY a.kind"
    )
    adjudications = store.rows(
        f"SELECT count(*) FROM {COUNTED} q JOIN judgment_event e ON e.id = q.id WHERE e.kind = 'adjudicate'"
    )
    return LabelNumbers(dict(kinds), int(adjudications[0][0]))


def pool_counts(store: Store, number: int) -> PoolOfStore:
    """The documents of a pool, and which of them are judged."""
    pooled = _pairs_as_numbers(store, "SELECT topic, document FROM pool_document WHERE pool = ?", [number])
    judged = _pairs_as_numbers(store, f"SELECT topic, document FROM {COUNTED}", [])
    inside = int(np.isin(judged, pooled).sum())
    return PoolOfStore(len(np.unique(pooled >> 32)), len(pooled), inside, len(judged) - inside)


def _pairs_as_numbers(store: Store, sql: str, values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    rows = np.fromiter(store.conn.execute(sql, values), [("topic", "i8"), ("document", "i8")])
    return np.asarray((rows["topic"] << 32) | rows["document"], np.int64)


def changed_since_judged(store: Store) -> int:
    """How many current labels are of a text that has changed since."""
    rows = store.rows(
        "SELECT count(*) FROM current_event c JOIN judgment_event e ON e.id = c.id JOIN document d ON d.id = e.document"
        " WHERE e.grade IS NOT NULL AND e.document_sha256 IS NOT NULL AND e.document_sha256 IS NOT d.sha256"
    )
    return int(rows[0][0])


def odd_judgments(store: Store) -> OddJudgments:
    """What is odd about the texts of what was judged."""
    text_hash = f"iif({store.complete_import_condition('d')}, coalesce(d.sha256, '{EMPTY}'), '{EMPTY}')"
    bare = f"FROM {COUNTED} q JOIN document d ON d.id = q.document WHERE {text_hash} = '{EMPTY}'"
    same = (
        "SELECT q.topic, d.sha256, min(q.grade) AS low, max(q.grade) AS high, min(q.document) AS one,"
        f" max(q.document) AS other FROM {COUNTED} q JOIN document d ON d.id = q.document"
        f" WHERE {text_hash} <> '{EMPTY}'"
        " GROUP BY q.topic, d.sha256 HAVING low < high"
    )
    first = store.rows(
        f"SELECT qid, docno FROM (SELECT q.topic, d.docno {bare} ORDER BY q.topic, d.id LIMIT {EXAMPLES}) f"
        " JOIN topic t ON t.id = f.topic ORDER BY t.id, docno"
    )
    twice = store.rows(
        f"SELECT qid, a.docno, b.docno FROM ({same} ORDER BY q.topic, one LIMIT {EXAMPLES}) f"
        " JOIN topic t ON t.id = f.topic JOIN document a ON a.id = one JOIN document b ON b.id = other"
        " ORDER BY t.id, one"
    )
    numbers = [store.rows(f"SELECT count(*) {bare}")[0][0], store.rows(f"SELECT count(*) FROM ({same})")[0][0]]
    return OddJudgments(numbers[0], tuple((q, d) for q, d in first), numbers[1], tuple((q, a, b) for q, a, b in twice))


def prompts_of_models(store: Store) -> dict[str, str]:
    """Of each model: what was asked, and with which prompt; of each panel: whose labels it combines, and how."""
    prompts = {}
    for one in model_settings(store):
        prompt = f"{one['model']}, prompt {one['prompt']}"
        if one["prompt_task"] == "panel":
            content = decode_json_column(dict, one["content"], "prompt", one["prompt"], "content")
            judges = decode_names(json.dumps(content.get("judges")), "prompt", one["prompt"], "content")
            prompt = f"labels of {join_words(judges)} combined by {content.get('method')}"
        prompts[one["assessor"]] = prompt
    return prompts


MODEL = {"assessor": str, "task": str, "model": str, "parameters": str, "made": str, "prompt": str, "prompt_task": str,
         "version": int, "content": str, "source": str}  # fmt: skip
SETTINGS = (
    "SELECT a.name, s.task, s.model, s.parameters, s.made, p.name, p.task, p.version, p.content, p.source"
    " FROM model_setting s JOIN assessor a ON a.id = s.assessor JOIN prompt p ON p.id = s.prompt"
    " ORDER BY a.name, s.task"
)


def model_settings(store: Store) -> list[dict[str, Any]]:
    """What each model and panel is for each task, as it is stored: what was asked, and with which prompt."""
    if not store.has_rows("model_setting"):  # a table of another feature
        return []
    return [dict(zip(MODEL, row, strict=True)) for row in store.rows(SETTINGS)]


def add_model_settings(store: Store, settings: Sequence[Mapping[str, Any]]) -> None:
    """Add what models and panels are, with their prompts; refuse them where the feature that has their table is not."""
    if settings and "models" not in features():
        models = counted(len({one["assessor"] for one in settings}), "model")
        raise InputError(f"the folder contains settings of {models}, which need the feature models; install it first")
    for one in settings:
        prompt = [sha256(one["content"]), *(one[name] for name in [*MODEL][5:])]
        store.conn.execute(
            "INSERT OR IGNORE INTO prompt (sha256, name, task, version, content, source) VALUES (?, ?, ?, ?, ?, ?)",
            prompt,
        )
        store.conn.execute(
            "INSERT INTO model_setting (assessor, task, model, prompt, parameters, made) VALUES"
            " ((SELECT id FROM assessor WHERE name = ?), ?, ?, (SELECT id FROM prompt WHERE sha256 = ?), ?, ?)",
            [one["assessor"], one["task"], one["model"], prompt[0], one["parameters"], one["made"]],
        )
