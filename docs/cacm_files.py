"""Write the files that the guides use for CACM: `python docs/cacm_files.py DOWNLOADS FOLDER`.

DOWNLOADS contains CACM's public files. `python docs/cacm_files.py judge FILE` then takes the assessors' place: it
labels the open documents of a store, or of a draw, from CACM's complete judgments in the same folder.
"""

import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

POOLED = ("fts5", "bm25", "bm25-words", "bm25l", "bm25plus", "ql-dirichlet", "ql-jelinek-mercer", "tfidf")
NEW, DEPTH = "lsa", 10


def write_cacm_files(downloads: Path, folder: Path) -> None:
    """Write the pooled runs, the qrels of their pool, a run outside the pool, and a store without runs."""
    if folder.exists():
        sys.exit(f"error: {folder}: already exists; expected the name of a new folder; delete the old one first")
    source = downloads.resolve()
    folder.mkdir(parents=True)

    def run(*words: str | Path) -> None:
        command = [sys.executable, "-m", "cranfield", *map(str, words)]
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)

    run("collection", "build", "cacm", source, "cacm.db")
    run("search", "cacm.db", "--system", ",".join([*POOLED, NEW]))
    run("export", "qrels", "cacm.db", "complete.txt")
    run("export", "corpus", "cacm.db", "corpus.jsonl")
    run("export", "topics", "cacm.db", "topics.jsonl")
    run("export", "runs", "cacm.db", "runs")
    shutil.move(folder / "runs" / f"{NEW}.run", folder)
    pooled = sorted((folder / "runs").iterdir())
    _write_qrels_of_pool(folder / "qrels.txt", pooled)
    _write_qrels_of_pool(folder / "with-new-run.txt", [*pooled, folder / f"{NEW}.run"])
    _keep_judged_topics(folder / "topics.jsonl")
    run("init", "own.db", "--name", "CACM")
    run("import", "corpus", "own.db", "corpus.jsonl")
    run("import", "topics", "own.db", "topics.jsonl")
    print(f"{folder}: {len([*folder.rglob('*')])} files and folders")


def _read_grades(folder: Path) -> defaultdict[tuple[str, str], int]:
    """Read the complete judgments; every other document is not relevant."""
    rows = map(str.split, (folder / "complete.txt").read_text("utf-8").splitlines())
    return defaultdict(int, {(qid, docno): int(grade) for qid, _, docno, grade in rows})


def _write_qrels_of_pool(path: Path, runs: Sequence[Path]) -> None:
    grades = _read_grades(path.parent)
    judged_topics, pool = {qid for qid, _ in grades}, set[tuple[str, str]]()
    for row in (line.split() for run in runs for line in run.read_text("utf-8").splitlines()):
        if row[0] in judged_topics and int(row[3]) <= DEPTH:
            pool.add((row[0], row[2]))
    path.write_text("".join(f"{qid} 0 {docno} {grades[qid, docno]}\n" for qid, docno in sorted(pool)), "utf-8")


def _keep_judged_topics(path: Path) -> None:
    judged_topics = {qid for qid, _ in _read_grades(path.parent)}
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if json.loads(line)["qid"] in judged_topics), "utf-8")


def judge(path: Path) -> None:
    """Label the open documents of a store, as assessor ada, or the open rows of a draw."""
    number = _judge_store(path) if path.suffix == ".db" else _fill_in_draw(path)
    print(f"{path}: {number} documents labelled")


def _judge_store(path: Path) -> int:
    from cranfield.judging.planning.overview import work_to_judge_or_none
    from cranfield.judging.session.session import Session
    from cranfield.store.store import Store

    grades, number = _read_grades(path.parent), 0
    with Store.open(path) as store:
        if (work := work_to_judge_or_none(store, "ada")) is None:
            sys.exit(f"error: {path}: no open documents; expected a pool that is not fully judged")
        session = Session(store, "ada", work, more=lambda: work_to_judge_or_none(store, "ada"))
        while session.view.topic and session.view.document:
            pair = session.view.topic.qid, session.view.document.docno
            session.grade(session.command_target(), grades[pair])
            number += 1
    return number


def _fill_in_draw(path: Path) -> int:
    grades, lines, number = _read_grades(path.parent), list[str](), 0
    for line in path.read_text("utf-8").splitlines():
        *columns, last = line.split("\t")
        is_open = last == "-"
        lines.append("\t".join([*columns, str(grades[columns[1], columns[2]])]) if is_open else line)
        number += is_open
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return number


if __name__ == "__main__":
    first, second = sys.argv[1:]
    if first == "judge":
        judge(Path(second))
    else:
        write_cacm_files(Path(first), Path(second))
