"""TREC-like runs and qrels, seeded: many ties, docnos as in newswire, a depth-k pool judged."""

import subprocess
import sys
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Scored = tuple[NDArray[np.intp], list[str]]  # a run's documents in order, with their scores as written


@dataclass(frozen=True)
class Shape:
    """How much of everything."""

    runs: int = 100
    topics: int = 50
    depth: int = 1000  # documents a topic and run
    pool: int = 100
    seed: int = 1


def make_apart(folder: Path, shape: Shape) -> tuple[Path, list[Path]]:
    """The files of `make`, made by another process: what a process once took is counted as its children's peak, too."""
    numbers = map(str, astuple(shape))
    subprocess.run([sys.executable, "-m", "benchmarks.data", str(folder), *numbers], check=True)
    return folder / "qrels.txt", sorted(folder.glob("run*.txt"))


def make(folder: Path, shape: Shape) -> tuple[Path, list[Path]]:
    """Write qrels and run files; their paths. A run scores by relevance seen through noise, some of it shared."""
    random = np.random.default_rng(shape.seed)
    files = [folder / f"run{number:03}.txt" for number in range(shape.runs)]
    lines: list[list[str]] = [[] for _ in files]
    judged: list[str] = []
    for topic in range(shape.topics):
        qid = str(401 + topic)
        names, relevance, rankings = _topic(random, shape)
        pool: set[int] = set()
        for number, (order, score) in enumerate(rankings):
            pool.update(order[: shape.pool].tolist())
            tag = f"run{number:03}"
            ranks = zip(names[order], score, strict=True)
            lines[number] += [f"{qid} Q0 {docno} {rank} {s} {tag}\n" for rank, (docno, s) in enumerate(ranks, 1)]
        judged += [f"{qid} 0 {names[d]} {relevance[d]}\n" for d in sorted(pool)]
    for file, content in zip(files, lines, strict=True):
        file.write_text("".join(content))
    qrels = folder / "qrels.txt"
    qrels.write_text("".join(judged))
    return qrels, files


def _topic(random: np.random.Generator, shape: Shape) -> tuple[NDArray[np.str_], NDArray[np.intp], list[Scored]]:
    """Docnos, grades, and for every run its documents in order with their scores as written."""
    documents = 4 * shape.depth
    numbers = random.choice(500_000, documents, replace=False)
    sources = random.choice(["FBIS3", "FT911", "LA010189", "FR940104-0"], documents)
    names = np.array([f"{source}-{number}" for source, number in zip(sources, numbers, strict=True)])
    quality = random.normal(size=documents)
    grade = np.digitize(quality, [2.05, 2.9])
    groups = 0.5 * random.normal(size=documents) + 0.4 * random.normal(size=(max(shape.runs // 3, 1), documents))
    rankings: list[Scored] = []
    for run in range(shape.runs):
        noise = groups[run % len(groups)] + 0.3 * random.normal(size=documents)
        decimals = 1 + run % 6
        score = np.round(5 + quality + noise * (0.8 + 0.7 * run / shape.runs), decimals)
        order = np.argsort(-score, kind="stable")[: shape.depth]
        rankings.append((order, [f"{value:.{decimals}f}" for value in score[order]]))
    return names, grade, rankings


if __name__ == "__main__":
    make(Path(sys.argv[1]), Shape(*map(int, sys.argv[2:])))
