"""What the tests of judging share: a small pooled collection, a clock that is told what time it is, counted ids."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import count
from pathlib import Path

from cranfield.formats import Document, Topic
from cranfield.judging.planning.overview import work_to_judge_or_none
from cranfield.judging.session.recording import Recording
from cranfield.judging.session.session import Session
from cranfield.judging.session.view import SessionView
from cranfield.store.chain import Event
from cranfield.store.log import read_events
from cranfield.store.pools import Pool, PooledDocument, newest_pool_to_judge, stored_pool
from cranfield.store.store import Store
from tests.stores import new_store, write_store

SCALE = {-1: "spam", 0: "not relevant", 1: "relevant", 2: "highly relevant"}
POOLED = {"q1": ["d1", "d2", "d3"], "q2": ["d2", "d4"], "q3": ["d5"]}
SECRET_RUN, SECRET_DEPTH = "acme.secret.run", 473104
TOKEN = re.compile(r"[\w-]{32,}")


def given_away(pages: Iterable[str], secrets: Iterable[str]) -> set[str]:
    """Which of some secrets are in the pages, outside random tokens: those hold any short word by chance.

    >>> given_away(['<b>ada</b>', 'value="f3zoe9c81b2f47d0a4c6eb5d07a1f9e2"'], ["ada", "bob", "zoe"])
    {'ada'}
    """
    text = "\n".join(TOKEN.sub("", page) for page in pages)
    return {secret for secret in secrets if secret in text}


class Clock:
    """Monotonic seconds that pass only when they are told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def store_of(
    pooled: Mapping[str, Sequence[str]] = POOLED, path: Path | None = None, texts: Mapping[str, str] | None = None
) -> Store:
    """A store with topics, documents whose text is "text of DOCNO", and a pool of them; made once in a process."""
    content = _content(tuple((qid, *docnos) for qid, docnos in pooled.items()), tuple((texts or {}).items()))
    if path is not None:
        return Store.open(write_store(content, path))
    store = Store(":memory:")
    store.conn.deserialize(content)
    store.set_pragmas()
    return store


@cache
def _content(pooled: tuple[tuple[str, ...], ...], texts: tuple[tuple[str, str], ...]) -> bytes:
    words = dict(texts)
    with new_store(
        grades=SCALE,
        documents=[
            Document(d, "", words.get(d, f"text of {d}"), "https://secret.example", {"m": SECRET_RUN})
            for d in sorted({docno for _, *docnos in pooled for docno in docnos})
        ],
        topics=[Topic(qid, f"title of {qid}", f"about {qid}", f"narrative of {qid}") for qid, *_ in pooled],
        pool=pool_of({qid: docnos for qid, *docnos in pooled}),
    ) as store:
        return store.conn.serialize()


def pool_of(pooled: Mapping[str, Sequence[str]]) -> Pool:
    """A pool of these documents, with secrets that no assessor may see."""
    documents = [PooledDocument(q, d, SECRET_DEPTH, (SECRET_RUN,)) for q, docnos in pooled.items() for d in docnos]
    return Pool("depth", {"depth": SECRET_DEPTH}, documents)


def pool_with(ranks: Mapping[str, Mapping[str, int]]) -> Pool:
    """A pool whose documents were found at these ranks."""
    return Pool(
        "depth", {}, [PooledDocument(q, d, rank, ("r",)) for q, docs in ranks.items() for d, rank in docs.items()]
    )


def session_of(store: Store, assessor: str = "ada", **options: object) -> Session:
    """A session on the newest pool, in the order of docnos, its clock standing still."""
    options = {"order": "docid", "clock": Clock()} | options
    return Session(store, assessor, stored_pool(store, newest_pool_to_judge(store)), **options)  # type: ignore[arg-type]


def as_the_command(store: Store, assessor: str = "ada", **options: object) -> Session:
    """A session as `cranfield judge` begins it: on what is hers, claiming the next topic when it is done."""
    work = work_to_judge_or_none(store, assessor)
    assert work, f"nothing is there for {assessor}"
    options = {"clock": Clock(), "more": lambda: work_to_judge_or_none(store, assessor)} | options
    return Session(store, assessor, work, **options)  # type: ignore[arg-type]


class At:
    """The commands of a session, about what is on its screen."""

    def __init__(self, session: Recording) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Callable[..., SessionView]:
        return partial(getattr(self._session, name), self._session.command_target())


def at(session: Recording) -> At:
    """What is on its screen now."""
    return At(session)


def counted() -> Callable[[], str]:
    """Event ids that can be compared: 1, 2, 3, ..."""
    numbers = count(1)
    return lambda: str(next(numbers))


def on_screen(session: Recording) -> tuple[str, str] | None:
    """The topic and the document shown."""
    view = session.view
    return (view.topic.qid, view.document.docno) if view.topic and view.document else None


def comparable(store: Store, assessor: str = "ada") -> Iterator[Event]:
    """The log of an assessor without the times of day, and so without the hashes of them."""
    return (event._replace(at="", origin="", previous="", hash="") for event in read_events(store, assessor))
