"""A store with hostile names in all its parts, and the page of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield.judging.labels.recorded import record_label_choice
from cranfield.metrics.inputs import as_runs
from cranfield.store.chain import Event
from cranfield.store.log import append
from cranfield.store.pools import stored_pool
from tests.stores import new_store
from tests.views import view_of

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
    with new_store(
        folder / "x.db",
        f"A {EVIL}",
        description=f"about {EVIL}",
        licence="CC0",
        grades={0: "no", 1: "so <so>", 2: "yes"},
        documents={f"d{number}": f"text {number}" for number in range(DOCUMENTS)},
        topics={f"q{number}": f"title {number} {EVIL}" for number in range(TOPICS)},
        people=["ada", f"bob {EVIL}"],
        runs=runs,
        teams={tag: f"team {n % 2} {EVIL}" for n, tag in enumerate(runs.tags)},
        pool=DEPTH,
    ) as store:
        pooled = stored_pool(store).documents
        grades = generator.choice([0, 0, 0, 1, 2], len(pooled)).tolist()
        judged = zip(pooled, grades, strict=True)
        append(store, *(Event("label", d.qid, d.docno, "ada", grade, seconds=36.0) for d, grade in judged))
        twice = zip(pooled[:40], grades[:40], strict=True)
        append(store, *(Event("label", d.qid, d.docno, f"bob {EVIL}", min(grade, 1)) for d, grade in twice))
        record_label_choice(store, policy="primary")
    write([folder / "x.db"], folder / "x.html")
    return folder


def write(paths: list[Path], out: Path, **options: Any) -> str:
    """What the command writes."""
    from cranfield.report.page import ReportRequest, report_on

    report_on(view_of(paths), out, ReportRequest(**{"by": "run"} | options))
    return out.read_text(encoding="utf-8")
