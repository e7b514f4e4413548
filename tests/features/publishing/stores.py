"""A small collection that people judged, with texts and names that are nobody's business or hostile."""

from pathlib import Path
from typing import Any

from cranfield.features.publishing.store.published import add_first_assessors
from cranfield.formats import Document, RunInfo, Topic
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import Pool, PooledDocument
from tests.stores import new_store

HOSTILE = (
    "---\n</script><script>alert(1)</script> \u202e]]> {{x}} \x1b[2J \x00 'quoted' \"twice\" # : | \\ %s \ufeff end"
)
WORDS = "the boundary layer of a slender wing separates where the pressure rises along the chord of number"
RUNS = {
    "=one": {"q1": {"d1": 3.0, "d2": 2.0, "a/b": 1.0}, "q2": {"d3": 2.5, "d1": 1.0}},
    "two/2": {"q1": {"d2": 0.3, "d3": 0.1}, "q2": {"d3": 2.0, "d2": 1.5}},
}
ASSESSORS = ("Ada Lovelace", "bob@example.org")


def judged_store(path: Path, hostile: str = HOSTILE.replace("\x00", "\x01")) -> Path:
    """The store; `hostile` is a text that documents, topics, runs and the collection have."""
    pooled = [PooledDocument(q, d, 1, ("=one",)) for q, d in (("q1", "d1"), ("q1", "d2"), ("q2", "d3"))]
    with new_store(
        path,
        f"Small {hostile}",
        description="A small one.",
        licence="CC-BY-4.0",
        grades={0: "no", 1: "yes"},
        documents=[
            Document(docno, f"title of {docno}", f"{WORDS} {docno}: {hostile}", metadata={"n": 1.5})
            for docno in ("d1", "d2", "d3", "a/b")
        ],
        topics=[Topic("q2", hostile, "a description", metadata={"k": ["v"]}), Topic("q1", "wings")],
        people=ASSESSORS,
        runs=RUNS,
        teams={tag: RunInfo(team="team", description=hostile) for tag in RUNS},
        pool=Pool("depth", {"depth": 2, "runs": list(RUNS)}, pooled),
    ) as store:
        append(store, *_events())
        add_first_assessors(store, [("q1", ASSESSORS[1])])
    return path


def _events() -> list[Event]:
    ada, bob = ASSESSORS
    about: dict[str, Any] = {
        "seconds": 3.4567,
        "pool": 1,
        "note": f"a private note on {WORDS}",
        "at": "2026-03-31T10:11:12.345+00:00",
    }
    return [
        Event("label", "q1", "d1", ada, 1, **about),
        Event("label", "q1", "d2", ada, 0, **about, evidence='{"quotes": ["boundary layer of a slender wing"]}'),
        Event("label", "q2", "d3", bob, 1, **about),
        Event("label", "q1", "d1", bob, 0, **about, unsure=True),
        Event("cannot-judge", "q2", "d1", bob, reason=f"I know {ada}", pool=1),
        Event("retract", "q1", "d2", ada, supersedes=2),
        Event("label", "q1", "d2", ada, 1, seconds=0.2, highlight_terms="slender wing"),
    ]
