"""New topics from the queries of a log."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from cranfield.errors import StoreError
from cranfield.formats import Topic
from cranfield.store.online.read import check_log, unmatched_queries
from cranfield.store.store import Store
from cranfield.text import counted


class NewTopics(NamedTuple):
    """Topics of frequent queries, and how many queries too few users asked."""

    topics: Sequence[Topic]
    rare: int


def new_topics(store: Store, top: int, min_users: int) -> NewTopics:
    """The queries of the most users that are no topic yet, as topics log1, log2, ...; an error where there are none."""
    check_log(store)
    found = unmatched_queries(store)
    frequent = [query for query in found if query.users >= min_users]
    if not frequent:
        raise StoreError(f"no new query has {counted(min_users, 'user')} or more ({len(found):,} have fewer)")
    known = {topic.qid for topic in store.topics()}
    qids = (qid for number in count(1) if (qid := f"log{number}") not in known)
    topics = [
        Topic(next(qids), query.text, metadata={"lists": query.lists, "users": query.users}) for query in frequent[:top]
    ]
    return NewTopics(topics, len(found) - len(frequent))
