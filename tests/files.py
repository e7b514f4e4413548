"""Files as many tests write them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path


def json_lines(records: Iterable[object]) -> str:
    """A record on each line; one that is text is as it stands."""
    return "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in records)


def json_file(path: Path, *records: object) -> Path:
    """A file of them."""
    path.write_text(json_lines(records))
    return path


def qrels_lines(judged: Mapping[str, Mapping[str, int]]) -> str:
    """Judgments in TREC's format: by topic, documents with grades."""
    return "".join(f"{qid} 0 {docno} {grade}\n" for qid, of in judged.items() for docno, grade in of.items())


def run_lines(tag: object, rankings: Mapping[str, Mapping[str, float]]) -> str:
    """A run in TREC's format: by topic, documents with scores."""
    return "".join(f"{qid} Q0 {docno} 1 {score} {tag}\n" for qid, of in rankings.items() for docno, score in of.items())


def qrels_and_runs(
    folder: Path, judged: Mapping[str, Mapping[str, int]], runs: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> list[Path]:
    """The file `qrels` and one of each run, which has its tag for a name."""
    (folder / "qrels").write_text(qrels_lines(judged))
    for tag, scores in runs.items():
        (folder / tag).write_text(run_lines(tag, scores))
    return [folder / name for name in ("qrels", *runs)]
