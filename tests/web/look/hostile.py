"""A store whose every name and text tries to be more than text."""

import json
from pathlib import Path

from cranfield.formats import Document, RunInfo, Topic
from cranfield.hooks import built_in_extensions
from cranfield.pooling.build import depth_pool
from cranfield.store.chain import Event, add_person
from cranfield.store.history import importing
from cranfield.store.invitations import invite
from cranfield.store.log import append
from cranfield.store.pools import Pool, add_pool
from cranfield.store.runs import stored_runs
from cranfield.store.store import Store
from tests.stores import new_store


def evil(name: str) -> str:
    """A name that is markup, script, terminal control and an attribute's end at once."""
    return f"""<script>alert(1)</script><img src=x onerror=alert(1)>"'\x1b[2J\u202e&lt;b> javascript:alert(2) {name}"""


def hostile_store(path: Path | None = None) -> Store:
    """Four documents, two topics, two runs, a log, a pool of depth 2, three labels, and a document not to be judged."""
    docnos, qids, tags = ([evil(f"{what}{n}") for n in range(4)] for what in ("d", "q", "r"))
    scores = {docno: 4.0 - at for at, docno in enumerate(docnos)}
    runs = {
        tag: {qid: {d: s if at else 5 - s for d, s in scores.items()} for qid in qids[:2]}
        for at, tag in enumerate(tags[:2])
    }
    ada, bo = evil("ada"), evil("bo")
    store = new_store(
        path,
        evil("collection"),
        grades={0: evil("no"), 1: evil("yes")},
        documents=[Document(d, evil("title"), evil("text") * 9, "javascript:alert(3)", {d: d}) for d in docnos],
        topics=[Topic(qid, evil("title"), evil("description"), evil("narrative")) for qid in qids[:2]],
        runs=runs,
        teams={tag: RunInfo(evil("team"), description=evil("run"), pooled=True) for tag in runs},
    )
    with store.writing():
        for name in (ada, bo):  # another program may store names that `add_assessor` refuses
            add_person(store.conn, name, "human")
    if "online" in built_in_extensions():
        _import_log(store, docnos[:2])
    pooled = depth_pool(stored_runs(store), 1)
    add_pool(store, Pool("depth", {"depth": 1, "runs": tags[:2], evil("option"): evil("value")}, pooled))
    for name in (ada, bo):
        invite(store, name)
    mark = json.dumps([{"start": 0, "end": 8, "quote": evil("text")[:8]}])
    append(
        store,
        Event("label", qids[0], docnos[0], ada, 1, note=evil("note"), evidence=mark, seconds=3.0),
        Event("label", qids[0], docnos[3], ada, 0),
        Event("label", qids[0], docnos[0], bo, 0),
        Event("cannot-judge", qids[1], docnos[0], ada, reason=evil("reason")),
    )
    return store


def _import_log(store: Store, docnos: list[str]) -> None:
    from cranfield.features.online.formats.parts import ListRow, part_of_rows
    from cranfield.features.online.formats.reading import LogLines
    from cranfield.features.online.store.append import LogWriter
    from cranfield.features.online.store.users import hashed_lines

    rows = [ListRow(1, evil("i"), 0.0, evil("u"), "s", query=evil("q"), arm=evil("a"), documents=docnos)]
    with importing(store, "log", [evil("log")]):
        writer = LogWriter(store, evil("experiment"))
        writer.write(hashed_lines(LogLines("log", part_of_rows(rows), []), writer.salt))
