"""A corpus of three subjects, and a store of it with a run."""

from pathlib import Path

import numpy as np

from cranfield.formats import Document
from cranfield.store.store import Store
from tests.judging.cases import at, session_of
from tests.stores import new_store

SUBJECTS = {"wing": "wing lift flutter drag", "heat": "heat shield flame cooling", "flow": "flow shock nozzle jet"}
TOPICS = {"1": "wing", "2": "heat"}


def documents(several: int = 20) -> list[Document]:
    """So many documents of each subject, in words of their own and some of others."""
    random, every = np.random.default_rng(0), " ".join(SUBJECTS.values()).split()
    return [
        Document(f"{name}{number:02}", "", " ".join([*random.choice(own.split(), 4), *random.choice(every, 3)]))
        for name, own in SUBJECTS.items()
        for number in range(several)
    ]


def store_of(path: Path | None = None, *, texts: bool = True, run: bool = True) -> Store:
    """The corpus, two topics and, with `run`, a poor run: of each subject some."""
    docs = documents()
    scores = {qid: {d.docno: float(-int(d.docno[-2:])) for d in docs} for qid in TOPICS}
    runs = {"poor": scores} if run else {}
    return new_store(path, documents=docs if texts else [], topics=TOPICS, runs=runs, teams={"poor": "shop"})


def relevant(qid: str, docno: str) -> bool:
    """Documents of the topic's subject are."""
    return docno.startswith(TOPICS[qid])


def judge(store: Store, most: int = 1000) -> int:
    """Judge so many documents of the newest pool, or all; how many."""
    session, number = session_of(store, order=None), 0
    while (document := session.view.document) is not None and number < most:
        at(session).grade(int(relevant((session.pair or ("",))[0], document.docno)))
        number += 1
    return number
