"""From run files to measures, at every shape: which files, and the commands of cranfield and of its peers.

`python -m benchmarks.file_shapes NAME FOLDER` writes the files of a shape.
"""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.data import Shape, make
from benchmarks.peers import PEERS

SEVEN = ("AP", "nDCG@10", "P@10", "RR", "Rprec", "Bpref", "R@1000")


@dataclass(frozen=True)
class OneRun:
    """One run: `docno` is how a document's number is written; `judged`: how many retrieved documents a topic."""

    topics: int = 1000
    depth: int = 1000
    judged: int = 20
    documents: int = 8_841_823
    docno: str = "{}"
    tied: bool = False
    shuffled: bool = False


@dataclass(frozen=True)
class FileTask:
    """Files of a shape to these measures: a whole process from start to printed scores."""

    name: str
    shape: OneRun | Shape
    measures: tuple[str, ...] = SEVEN

    def make(self, folder: Path) -> tuple[Path, list[Path]]:
        """The qrels and the runs, written by another process."""
        subprocess.run([sys.executable, "-m", "benchmarks.file_shapes", self.name, str(folder)], check=True)
        return folder / "qrels.txt", sorted(folder.glob("run*.txt"))

    def commands(self, qrels: Path, runs: Sequence[Path]) -> dict[str, list[str]]:
        """Cranfield's command, then those of the peers that are installed, by name."""
        files = [str(qrels), *map(str, runs)]
        options = [word for measure in self.measures for word in ("-m", measure)]
        ours = [sys.executable, "-m", "cranfield", "evaluate", *files, *options]
        theirs = ",".join(self.measures)
        return {
            "cranfield": ours,
            **{name: [sys.executable, "-m", "benchmarks.peers", name, theirs, *files] for name in PEERS},
        }


FILE_TASKS = {
    task.name: task
    for task in (
        FileTask("MS MARCO dev", OneRun(6980, judged=1), ("RR@10", "R@1000")),
        FileTask("1,000 topics", OneRun()),
        FileTask(
            "docnos of 60 characters", OneRun(docno="clueweb22-en0012-{:010}-of-a-collection-with-very-long-name")
        ),
        FileTask("every score tied", OneRun(tied=True)),
        FileTask("lines in random order", OneRun(shuffled=True)),
        FileTask("one topic of 1 M lines", OneRun(1, 1_000_000, 1000)),
        FileTask("5 runs of 1,000 topics", Shape(5, 1000, 1000)),
        FileTask("20 runs of 50 topics", Shape(20, 50, 1000)),
        FileTask("100 runs of 50 topics", Shape(100, 50, 1000)),
    )
}


def write(folder: Path, shape: OneRun) -> None:
    """The qrels and the run of a shape, seeded."""
    random = np.random.default_rng(1)
    lines, judged = list[str](), list[str]()
    for qid in random.choice(1_100_000, shape.topics, replace=False).tolist():
        numbers = random.choice(shape.documents, shape.depth, replace=False)
        docnos = [shape.docno.format(number) for number in numbers.tolist()]
        scores = np.full(shape.depth, 20.0) if shape.tied else np.sort(random.normal(20, 5, shape.depth))[::-1]
        ranks = zip(docnos, scores.tolist(), strict=True)
        lines += [f"{qid} Q0 {docno} {rank} {score:.6f} bm25\n" for rank, (docno, score) in enumerate(ranks, 1)]
        for place in np.unique(random.exponential(shape.depth / 20, shape.judged).astype(int) % shape.depth):
            judged.append(f"{qid} 0 {docnos[place]} {1 if shape.judged == 1 else random.integers(3)}\n")
    if shape.shuffled:
        random.shuffle(lines)
    (folder / "qrels.txt").write_text("".join(judged))
    (folder / "run.txt").write_text("".join(lines))


def main(name: str, folder: str) -> None:
    """Write the files of a task."""
    shape = FILE_TASKS[name].shape
    if isinstance(shape, Shape):
        make(Path(folder), shape)
    else:
        write(Path(folder), shape)


if __name__ == "__main__":
    main(*sys.argv[1:])
