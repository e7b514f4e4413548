"""The module of ir_datasets. It is run only if it is, byte for byte, the one that this program writes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.targets.ir_datasets import module, module_path
from cranfield.publishing.targets.target import rows_of_table

SECONDS = 600
COUNT = """
import json, runpy, sys
runpy.run_path(sys.argv[1])
import ir_datasets
found = ir_datasets.load(sys.argv[2])
subsets = [name for name in list(ir_datasets.registry) if name.startswith(sys.argv[2] + "/")]
records = [found.docs_iter, found.queries_iter, found.qrels_iter]
records += [ir_datasets.load(name).qrels_iter for name in subsets]
print(json.dumps([subsets, [sum(1 for _ in each()) for each in records]]))
"""


def check_module(folder: Checked) -> Iterator[Finding]:
    about = folder.description
    path = module_path(about)
    if not folder.has(path):
        yield Finding("wrong", f"no module {path}", "ir_datasets")
        return
    place, grades = folder.found.root / path, folder.stated.collection.grades
    if place.read_bytes() != module(about, grades, folder.files, folder.found.root).encode():
        yield Finding("skipped", "not run: it is not the module that this program writes", path)
        return
    right = [rows_of_table(folder.files, table) for table in ("corpus", "queries", "qrels")]
    yield from _counted(place, about.name, right)


def _counted(place: Path, name: str, right: list[int]) -> Iterator[Finding]:
    with TemporaryDirectory() as home:
        words = [sys.executable, "-B", "-c", COUNT, str(place), name]
        there = {**os.environ, "IR_DATASETS_HOME": home, "IR_DATASETS_TMP": home}
        done = subprocess.run(words, env=there, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        yield Finding("wrong", f"ir_datasets cannot load it: {last}", place.name)
        return
    subsets, counts = json.loads(done.stdout.strip().splitlines()[-1])
    found, more = counts[:3], [f"{name} {count}" for name, count in zip(subsets, counts[3:], strict=True)]
    if found != right:
        yield Finding("wrong", f"ir_datasets finds {found} documents, queries and qrels; expected {right}", place.name)
    else:
        also = f"; qrels of subsets: {', '.join(more)}" if more else ""
        yield Finding("ok", f"ir_datasets loads {found[0]} documents, {found[1]} queries and {found[2]} qrels{also}")


IR_DATASETS_CHECK = Check("ir_datasets", check_module, needs="ir_datasets>=0.6", of="ir_datasets/docs.yaml")
