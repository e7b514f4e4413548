"""Files as many tests write them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path


def json_lines(records: Iterable[object]) -> str:
    """A record on each line; one that is text is as it stands."""
    return "".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in records)


def json_file(path: Path, *records: object) -> Path:
    """A file of them."""
    path.write_text(json_lines(records))
    return path


Ranking = Mapping[str, float] | Sequence[str]  # documents with scores, or the best first


def qrels_lines(judged: Mapping[str, Mapping[str, int]]) -> str:
    """Judgments in TREC's format: by topic, documents with grades."""
    return "".join(f"{qid} 0 {docno} {grade}\n" for qid, of in judged.items() for docno, grade in of.items())


def run_lines(tag: object, rankings: Mapping[str, Ranking]) -> str:
    """A run in TREC's format, by topic, the highest score first.

    >>> print(run_lines("r", {"1": ["d2", "d1"]}), end="")
    1 Q0 d2 1 2 r
    1 Q0 d1 1 1 r
    """
    scores = {
        qid: of if isinstance(of, Mapping) else {docno: len(of) - at for at, docno in enumerate(of)}
        for qid, of in rankings.items()
    }
    return "".join(
        f"{qid} Q0 {docno} 1 {score} {tag}\n"
        for qid, of in scores.items()
        for docno, score in sorted(of.items(), key=lambda scored: -scored[1])
    )


def track_files(
    folder: Path,
    judged: Mapping[str, Mapping[str, int]] | None = None,
    runs: Mapping[str, Mapping[str, Ranking]] | None = None,
    *,
    topics: Mapping[str, str] | None = None,
    documents: Mapping[str, str] | None = None,
    end: str = "",
) -> list[Path]:
    """Files of what is given; the paths of the first two kinds, which can be evaluated.

    They are `qrels`, one of each run, named by its tag with `end`, `topics.tsv` and `corpus.jsonl`.
    """
    contents = {} if judged is None else {"qrels": qrels_lines(judged)}
    contents |= {f"{tag}{end}": run_lines(tag, rankings) for tag, rankings in (runs or {}).items()}
    paths = [folder / name for name in contents]
    if topics is not None:
        contents["topics.tsv"] = "".join(f"{qid}\t{title}\n" for qid, title in topics.items())
    if documents is not None:
        contents["corpus.jsonl"] = json_lines({"_id": docno, "text": text} for docno, text in documents.items())
    for name, content in contents.items():
        (folder / name).write_text(content)
    return paths


def without_guesses(notes: Sequence[str]) -> list[str]:
    """Notes except those on what a file was taken for."""
    return [line for line in notes if ": read as " not in line]
