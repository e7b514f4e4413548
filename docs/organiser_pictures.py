"""The pictures of the organiser's pages: two assessors in the middle of their work, at a time that stands still."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.judging.session.order import sort_by_hash
from cranfield.store.assignments import claim_topic, format_timestamp, work_of
from cranfield.store.chain import Event
from cranfield.store.invitations import invite
from cranfield.store.log import append
from cranfield.store.store import Store
from cranfield.web.application import Application
from cranfield.web.results import Results, StoreThread, Worker
from cranfield.web.server import listen, server_of

NOW = datetime(2025, 3, 7, 12, tzinfo=UTC)
WORK = {"bob": (170, 31.0, timedelta(hours=3)), "ada": (230, 17.0, timedelta(minutes=1))}  # labels, seconds, last sign
ASIDE = 5  # topics that go to the queue, and two that nobody gets


def photograph(path: Path, pictures: dict[str, Path], browser: Any, take: Any) -> None:
    """The pages of these addresses, as `take` takes pictures."""
    with Store.open(path) as store:
        _share_out(store)
    with _serve(path) as (base, token):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{base}/enter/{token}")
        page.wait_for_url(f"{base}/")
        for address, picture in pictures.items():
            page.goto(base + address)
            page.locator("main table").first.wait_for()
            take(page, picture)


def _share_out(store: Store) -> None:
    """Shared out, and partly judged: every grade is that of the models."""
    topics = [topic.qid for topic in store.topics()]
    assign_topics_to_assessors(store, list(WORK), topics[: -ASIDE - 2], overlap=0.1, repeats=2)
    assign_topics_to_assessors(store, topics=topics[-ASIDE - 2 : -2])
    claim_topic(store, "bob", NOW - timedelta(days=2), topics=[topics[-ASIDE - 2]])
    grades = {(qid, docno): grade for qid, docno, grade in store.rows("SELECT qid, docno, grade FROM qrels")}
    events = [event for name in WORK for event in _labels(store, name, grades)]
    append(store, *sorted(events, key=lambda event: event.at))
    for name, days in {"ada": 14, "bob": None}.items():
        invite(store, name, timedelta(days=days) if days else None)


def _labels(store: Store, name: str, grades: dict[tuple[str, str], int]) -> Iterator[Event]:
    number, seconds, ago = WORK[name]
    work = work_of(store, name)
    pairs = [(qid, docno, at) for qid in work for at, docno in enumerate(sort_by_hash(work[qid], qid, 0))][:number]
    for place, (qid, docno, at) in enumerate(pairs):
        moment = NOW - ago - timedelta(minutes=15) * (len(pairs) - 1 - place)
        took = 0.2 if name == "ada" and place % 30 == 9 else seconds + 5 * (place % 7)
        yield Event(
            "label", qid, docno, name, grades.get((qid, docno), 0), seconds=took, position=at, order_policy="hash",
            order_seed=0, at=format_timestamp(moment),
        )  # fmt: skip


@contextmanager
def _serve(store: Path) -> Iterator[tuple[str, str]]:
    worker = Worker.worker_of_store(store)
    app, at = Application(worker), listen("127.0.0.1", 0)
    app.results = Results(worker, StoreThread(worker), patience=60.0)
    server = server_of(app.asgi(at.hosts))
    thread = Thread(target=partial(server.run, sockets=[at.socket]))
    with patch("cranfield.web.organise.table.datetime") as clock:
        clock.now.return_value = NOW
        thread.start()
        try:
            yield at.base, app.access.start_token
        finally:
            server.should_exit = True
            thread.join()
            app.close()
