"""The bundled collection as objects in memory: its judgments, its runs and the labels of two assessors."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import cranfield

LABELS = Path(cranfield.__file__).parent / "collections" / "workshop"
RUN, BASELINE = "bm25plus", "bm25"
INCOMPLETE_RUN = "bm25-titles"  # without an answer to one topic, which some of the tools ignore


@dataclass(frozen=True)
class Data:
    """Grades by topic and document, scores by run, topic and document, and the grades of two assessors."""

    qrels: dict[str, dict[str, int]]
    runs: dict[str, dict[str, dict[str, float]]]
    first: dict[str, dict[str, int]]
    second: dict[str, dict[str, int]]


def make_store(folder: Path) -> Path:
    """Make the store of `cranfield demo` in a folder."""
    path = folder / "workshop.db"
    subprocess.run([sys.executable, "-m", "cranfield", "demo", str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


def load_data(store: Path) -> Data:
    """The data of the store of `cranfield demo`. Scores are negative ranks, so that no tool has to break ties."""
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for row in cranfield.read_runs(store).itertuples():
        if row.run != INCOMPLETE_RUN:
            runs.setdefault(str(row.run), {}).setdefault(str(row.query_id), {})[str(row.doc_id)] = -float(str(row.rank))
    return Data(read_grades(store), runs, *(read_grades(LABELS / f"{name}.qrels") for name in ("first", "second")))


def read_grades(path: Path) -> dict[str, dict[str, int]]:
    """The judgments of a store or a file, as dicts."""
    grades: dict[str, dict[str, int]] = {}
    for row in cranfield.read_qrels(path).itertuples():
        grades.setdefault(str(row.query_id), {})[str(row.doc_id)] = int(str(row.relevance))
    return grades
