"""A part of a large corpus: lines a second, memory, and whether it is a whole import cut down.

    python -m benchmarks.reference [LINES]

A million lines like those of MS MARCO v2's passages, compressed, are made from words of Debian's documentation; every
hundredth is wanted. Printed: lines a second, of CPU time and of the clock, and the largest memory.
"""

import gzip
import json
import os
import random
import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.folder import run, used, words

LINES = 1_000_000
EVERY = 100


def make(path: Path, lines: int) -> None:
    source, vocabulary = random.Random(37), words()
    with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as file:
        for at in range(lines):
            start = source.randrange(len(vocabulary) - 60)
            passage = {"pid": f"msmarco_passage_{at:09}", "passage": " ".join(vocabulary[start : start + 55]),
                       "spans": "(0,300)", "docid": f"msmarco_doc_{at // 10:08}"}  # fmt: skip
            file.write(json.dumps(passage) + "\n")


def main() -> None:
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else LINES
    with TemporaryDirectory() as place:
        corpus, docnos, store = Path(place, "passages.jsonl.gz"), Path(place, "docnos"), os.path.join(place, "track.db")
        make(corpus, lines)
        docnos.write_text("".join(f"msmarco_passage_{at:09}\n" for at in range(0, lines, EVERY)))
        run("init", store, "--name", "part")
        before, start = used(), time.perf_counter()
        _, output = run("import", "corpus", store, str(corpus), "--only", str(docnos))
        cpu, seconds = used() - before, time.perf_counter() - start
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{lines / cpu:,.0f} lines a second of CPU, {lines / seconds:,.0f} by the clock, {most:.0f} MB; {output}")


if __name__ == "__main__":
    main()
