"""A store with hostile names in all its parts, and the page of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.cli.commands.reusability import report
from cranfield.formats import Document, RunInfo, Topic
from cranfield.metrics.inputs import as_runs
from cranfield.options.trusting import WriteReportOptions
from cranfield.pooling.build import depth_pool
from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, append
from cranfield.store.pools import Pool as StoredPool
from cranfield.store.pools import add_pool
from cranfield.store.runs import add_runs
from cranfield.store.store import Store

EVIL = "<script>alert('a&b')</script>"
DARK = "\u202eevil\x1b"
SYSTEMS, TOPICS, DOCUMENTS, DEPTH = 4, 12, 30, 8


def rankings(generator: np.random.Generator) -> Iterator[dict[str, dict[str, float]]]:
    """Rankings of some systems."""
    for _ in range(SYSTEMS):
        yield {
            f"q{topic}": {f"d{document}": float(generator.random()) for document in range(DOCUMENTS)}
            for topic in range(TOPICS)
        }


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with hostile names in all its parts, judged by two assessors, and the page of it."""
    folder = tmp_path_factory.mktemp("report")
    generator = np.random.default_rng(1)
    names = [EVIL, DARK, "plain", "other"]
    runs = as_runs(dict(zip(names, rankings(generator), strict=True)))
    with Store.create(
        folder / "x.db",
        f"A {EVIL}",
        description=f"about {EVIL}",
        licence="CC0",
        grades={0: "no", 1: "so <so>", 2: "yes"},
    ) as store:
        store.add_documents(Document(f"d{number}", text=f"text {number}") for number in range(DOCUMENTS))
        store.add_topics(Topic(f"q{number}", f"title {number} {EVIL}") for number in range(TOPICS))
        add_runs(store, runs, {tag: RunInfo(f"team {n % 2} {EVIL}") for n, tag in enumerate(runs.tags)})
        pooled = depth_pool(runs, DEPTH)
        add_pool(store, StoredPool("depth", {"depth": DEPTH, "runs": list(runs.tags)}, pooled))
        for name in ("ada", f"bob {EVIL}"):
            add_assessor(store, name)
        grades = generator.choice([0, 0, 0, 1, 2], len(pooled)).tolist()
        judged = zip(pooled, grades, strict=True)
        append(store, *(Event("label", d.qid, d.docno, "ada", grade, seconds=36.0) for d, grade in judged))
        twice = zip(pooled[:40], grades[:40], strict=True)
        append(store, *(Event("label", d.qid, d.docno, f"bob {EVIL}", min(grade, 1)) for d, grade in twice))
    write([folder / "x.db"], folder / "x.html")
    return folder


def write(paths: list[Path], out: Path, **options: Any) -> str:
    """What the command writes."""
    report(paths, out, options=WriteReportOptions(**options))
    return out.read_text(encoding="utf-8")
