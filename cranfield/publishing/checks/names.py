"""What collection.json names: that it is there, inside the folder, and what it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from cranfield.publishing.checks.check import Check, Checked, Finding
from cranfield.publishing.manifest import SHOWN
from cranfield.publishing.parts.collection import is_source
from cranfield.publishing.parts.log import COLLECTION, STATE
from cranfield.text import counted


def check_runs(folder: Checked) -> Iterator[Finding]:
    """Every run has its file in runs/, and every file there its run."""
    if not folder.stated.asked.runs:
        return
    wrong = [*_twice(folder, "tag"), *_twice(folder, "file"), *_files_of_runs(folder)]
    yield from wrong
    if not wrong:
        yield Finding("ok", f"{counted(len(folder.stated.runs), 'run')}, each with its file")


def check_head(folder: Checked) -> Iterator[Finding]:
    """collection.json is the one that log.json names."""
    said, digest = folder.said_of_collection, folder.found.files[COLLECTION]
    if said and said != digest:
        yield Finding("wrong", f"its SHA-256 begins with {digest[:SHOWN]!r}; {STATE} says {said[:SHOWN]!r}", COLLECTION)


def _twice(folder: Checked, name: str) -> Iterator[Finding]:
    for value, number in Counter(run[name] for run in folder.stated.runs).most_common(1):
        if number > 1:
            yield Finding("wrong", f"{number} runs have the {name} {value!r:.60}; expected one", COLLECTION)


def _files_of_runs(folder: Checked) -> Iterator[Finding]:
    named = {f"runs/{run['file']}": run for run in folder.stated.runs}
    there = {path for path in folder.found.files if path.startswith("runs/")}
    for path in sorted(named.keys() - there):
        what = f"the run {named[path]['tag']!r:.60} has the file {named[path]['file']!r:.60}"
        yield Finding("wrong", f"{what}; expected the name of a file in runs/", COLLECTION)
    yield from (
        Finding("wrong", f"no run in {COLLECTION} has this file", path) for path in sorted(there - named.keys())
    )


def check_sums(folder: Checked) -> Iterator[Finding]:
    """The files that a store is made of are those that collection.json names, with the same SHA-256."""
    stated = folder.stated.files
    if stated is None:
        yield Finding("skipped", "an older folder: it does not state the sums of its files", COLLECTION)
        return
    there = {path: digest for path, digest in folder.found.files.items() if is_source(path)}
    wrong = [*_missing(stated, there), *_changed(stated, there)]
    if folder.has(STATE) and not folder.said_of_collection:
        wrong.append(Finding("wrong", f"has no SHA-256 of {COLLECTION}", STATE))
    yield from wrong
    if not wrong:
        yield Finding("ok", f"{counted(len(stated), 'file')} as {COLLECTION} names them")


def _missing(stated: Mapping[str, str], there: Mapping[str, str]) -> Iterator[Finding]:
    for path in sorted(stated.keys() - there.keys()):
        yield Finding("wrong", f"names {path!r:.60}; expected the path of a file in the folder", COLLECTION)
    yield from (
        Finding("wrong", f"{COLLECTION} does not name this file", path) for path in sorted(there.keys() - stated.keys())
    )


def _changed(stated: Mapping[str, str], there: Mapping[str, str]) -> Iterator[Finding]:
    for path in sorted(there.keys() & stated.keys()):
        if there[path] != stated[path]:
            digests = there[path][:SHOWN], stated[path][:SHOWN]
            yield Finding("wrong", f"its SHA-256 begins with {digests[0]!r}; {COLLECTION} says {digests[1]!r}", path)


HEAD_CHECK, NAMES_CHECK, SUMS_CHECK = Check("head", check_head), Check("names", check_runs), Check("sums", check_sums)
