"""Topics of a store that are not judged, or judged in part of the newest pool."""

from typing import Any

from cranfield.arrays.selection import join_first_names
from cranfield.store.pools import newest_built_pool, newest_pool_of_round
from cranfield.store.store import Store
from cranfield.store.withdrawals import withdrawal_and_round_filter
from cranfield.text import counted

LISTED = 10  # topics that a line names


def unjudged_topics(store: Store) -> list[str]:
    """The topics of a store that are not judged, and those whose pool is judged in part, a line each."""
    rows = _rows_that_count(store)
    lists = {
        "not judged": [row["topic"] for row in rows if not row["judged"]],
        "judged in part": [
            f"{row['topic']} ({row['pooled'] - row['unjudged']:,} of {row['pooled']:,})"
            for row in rows
            if row["judged"] and row["unjudged"]
        ],
    }
    return [
        f"{counted(len(qids), 'topic')} {what}: {', '.join(qids[:LISTED])}{', ...' * (len(qids) > LISTED)}"
        for what, qids in lists.items()
        if qids
    ]


def _rows_that_count(store: Store) -> list[dict[str, Any]]:
    """The rows of the topics that count: in a round, of its judgments and its newest pool."""
    from cranfield.analysis.collections import topic_rows

    counts, rows = withdrawal_and_round_filter(store).selection.topics, topic_rows(store, newest_pool_of_round(store))
    if counts is None:
        return rows
    numbers = store.numbers("topic", "qid", [str(row["topic"]) for row in rows])
    return [row for row, number in zip(rows, numbers, strict=True) if counts[number - 1]]


UNSETTLED = (
    "SELECT topic, document FROM pool_document p WHERE pool = :pool AND NOT EXISTS (SELECT 1 FROM"
    " settled s WHERE s.topic = p.topic AND s.document = p.document) EXCEPT SELECT topic, document FROM"
    " left_out_of_pools WHERE pool = :pool EXCEPT SELECT topic, document FROM settled_by_other_name"
)


def unjudged_topics_line(store: Store) -> str:
    """How many of the topics that count are judged in part of the newest pool, or not at all, in one line.

    >>> with Store.memory("two topics") as store:
    ...     store.require_qids(["1", "2"])
    ...     unjudged_topics_line(store)
    '2 topics are not judged: 1, 2; `cranfield topics hardness` lists them'
    """
    counting = withdrawal_and_round_filter(store)
    if counting.others or counting.labels:
        round_rows = _rows_that_count(store)
        none = [str(row["topic"]) for row in round_rows if not row["judged"]]
        part = [str(row["topic"]) for row in round_rows if row["judged"] and row["unjudged"]]
    else:
        counts = counting.selection.topics
        topics = store.rows(
            "SELECT id, qid, EXISTS (SELECT 1 FROM settled WHERE topic = topic.id)"
            " FROM topic WHERE removed = 0 ORDER BY id"
        )
        rows = [row for row in topics if counts is None or counts[row[0] - 1]]
        built = {"pool": newest_built_pool(store)}
        open_topics = {topic for (topic,) in store.rows(f"SELECT DISTINCT topic FROM ({UNSETTLED})", built)}
        none = [qid for _, qid, judged in rows if not judged]
        part = [qid for number, qid, judged in rows if judged and number in open_topics]
    several = [("are", "is", "judged in part", part), ("are", "is", "not judged", none)]
    parts = [f"{counted(len(qids), 'topic')} {one if len(qids) == 1 else more} {what}: {join_first_names(qids)}"
            for more, one, what, qids in several if qids]  # fmt: skip
    return f"{'; '.join(parts)}; `cranfield topics hardness` lists them" if parts else ""
