"""What follows from the tables, the log, the runs and collection.json is made again, and compared with the folder.

A store is filled with them and thrown away; from it comes everything else as `publish build` makes it. So each number
stands against all others: grades in Parquet and in every other form against the log under its policy, topics, pools
and documents in every form, the counts and scores in cards, report and metadata. Words are compared only with a folder
of this version of the program, as another may have other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory

from cranfield import __version__
from cranfield.features.publishing.building import COPY, REPORT_PART, texts_of
from cranfield.features.publishing.checks import Check, Checked, Finding
from cranfield.features.publishing.collection import SOURCES, collection_text, is_source
from cranfield.features.publishing.copying import count_by
from cranfield.features.publishing.filling import fill
from cranfield.features.publishing.formats import table_difference
from cranfield.features.publishing.manifest import digest_of, files_below
from cranfield.features.publishing.parts import (
    COLLECTION,
    JUDGED,
    POOLS_PART,
    QRELS_PART,
    QUERIES_PART,
    Published,
    Publishing,
    write_assessors,
    write_head,
)
from cranfield.features.publishing.store import published
from cranfield.features.publishing.targets import BEIR, bag_texts
from cranfield.features.publishing.trec import TREC_PART, collection_block, header_of
from cranfield.formats import read_metadata
from cranfield.formats.runs.files import beside
from cranfield.formats.whole_files import write_text
from cranfield.store.runs import run_info, run_lengths
from cranfield.store.store import Store
from cranfield.text import counted

LONG_NUMBER = re.compile(r"-?\d+\.\d{9,}(?:e[-+]?\d+)?")  # its last digits may differ from machine to machine
AROUND, SHOWN = 20, 60  # characters before a difference, and in all


def text_difference(found: bytes, right: bytes) -> str:
    r"""The first difference between two texts; "" if there is none but in the last digits of long numbers.

    >>> text_difference(b"a\nb 0 c\n", b"a\nb 1 c\n")
    "line 2 is 'b 0 c'; expected 'b 1 c'"
    >>> text_difference(b"a\nb", b"a")
    "line 2 is 'b'; expected no such line"
    >>> text_difference(b"0.4199069085511", b"0.4199069085512")
    ''
    """
    if found == right:
        return ""
    lines, expected = (content.decode(errors="surrogateescape").split("\n") for content in (found, right))
    for number, (line, other) in enumerate(zip_longest(lines, expected), 1):
        if line != other and not (line and other and _close(line, other)):
            at = _first(line or "", other or "")
            return f"line {number} is {_shown(line, at)}; expected {_shown(other, at)}"
    return ""


def _close(line: str, other: str) -> bool:
    numbers = (map(float, LONG_NUMBER.findall(text)) for text in (line, other))
    return LONG_NUMBER.sub("#", line) == LONG_NUMBER.sub("#", other) and all(
        isclose(one, two, rel_tol=1e-9) for one, two in zip(*numbers, strict=True)
    )


def _first(line: str, other: str) -> int:
    return next((at for at, pair in enumerate(zip(line, other, strict=False)) if pair[0] != pair[1]), 0)


def _shown(line: str | None, at: int) -> str:
    if not line:
        return "no such line" if line is None else "empty"
    start = max(at - AROUND, 0) if len(line) > SHOWN else 0
    return f"{'...' if start else ''}{line[start : start + SHOWN]!r}{'...' if len(line) > start + SHOWN else ''}"


TABLES = (QUERIES_PART, QRELS_PART, POOLS_PART, TREC_PART)
OF_PARTS = {*SOURCES, "trec", "report.html", COLLECTION}  # what the cards list
NOT_IN_QRELS = ("labels",)  # what nobody can tell without the log
MANIFEST_OF_QRELS = ".manifest.json"


def check_rebuilt(folder: Checked) -> Iterator[Finding]:
    with TemporaryDirectory(prefix="cranfield-") as work, _refilled(folder, Path(work)) as asked:
        _make_tables(asked, folder.said_of_collection)
        made = [path for path in files_below(asked.root) if not path.endswith(MANIFEST_OF_QRELS)]
        found = [*_runs(folder, asked), *_compared(folder, asked.root, made)]
        wrong = any(finding.state == "wrong" for finding in found)
        if why := "what they are made of is wrong" if wrong else _why_no_words(folder):
            found.append(Finding("skipped", f"cards, report and {COLLECTION} are not compared: {why}"))
        else:
            _make_words(folder, asked)
            words = [path for path in files_below(asked.root) if path not in made]
            found += [*_compared(folder, asked.root, words), *_bag(folder), *_others(folder, asked.root)]
            made += words
        yield from found
        if all(finding.state != "wrong" for finding in found):
            yield Finding("ok", f"{counted(len(made), 'file')} as the tables, the log and the runs give them")


@contextmanager
def _refilled(folder: Checked, work: Path) -> Iterator[Publishing]:
    """A store with what the folder has, from which it can be published again in a folder of `work`."""
    with Store.begin(work / COPY, folder.stated.collection) as store:
        published.hurry(store)
        fill(store, folder.found, folder.stated, published.unlinked)
        count_by(store, folder.stated.asked.policy)
        root = work / "made"
        root.mkdir()
        yield Publishing(store, root, folder.description, folder.stated.asked)


def _make_tables(asked: Publishing, collection: str) -> None:
    for part in TABLES:
        part.write(asked)
    if asked.options.log != "no":
        write_assessors(asked)
        write_head(asked, collection)
    if BEIR.name in asked.options.targets:
        BEIR.write(Published(asked, (), asked.root))


def _why_no_words(folder: Checked) -> str:
    """Why cards, report and collection.json cannot be made again; empty if they can."""
    stated, ours = folder.stated, f"cranfield {__version__}"
    if stated.program != ours:
        return f"they are of {stated.program or 'another program'}, this is {ours}"
    if stated.files is None:
        return "the folder is of an earlier version of the program"
    lacks = [name for name, there in (("runs", stated.asked.runs), ("log", stated.asked.log != "no")) if not there]
    return f"they rest on what is not in the folder ({' and '.join(lacks)})" if lacks else ""


def _make_words(folder: Checked, asked: Publishing) -> None:
    """Cards, report and what targets need, of the files of the folder."""
    root = folder.found.root
    sums = {path: digest for path, digest in sorted(folder.found.files.items()) if is_source(path)}
    REPORT_PART.write(asked)
    write_text(asked.within(COLLECTION), collection_text(asked, sums))
    files = [file for file in folder.files if file.path.partition("/")[0] in OF_PARTS]
    for path, text in texts_of(Published(asked, files, root)).items():
        write_text(asked.within(path), text)


def _runs(folder: Checked, asked: Publishing) -> Iterator[Finding]:
    """The number of lines of each run, and its ir_metadata."""
    if not asked.options.runs:
        return
    about, lengths, block = run_info(asked.store), run_lengths(asked.store), collection_block(asked)
    for one in folder.stated.runs:
        tag, path = one["tag"], f"runs/{one['file']}"
        if (lines := one.get("lines", lengths[tag])) != lengths[tag]:
            yield Finding("wrong", f"{counted(lengths[tag], 'line')}; {COLLECTION} says {lines!r:.20}", path)
        if not _older(folder) and read_metadata(folder.found.root / path) != header_of(tag, about[tag], block):
            place, what = (path, "its header is") if asked.options.run_headers else (beside(path), "they are")
            yield Finding("wrong", f"{what} not what the collection and the run say of themselves", place)


def _compared(folder: Checked, root: Path, made: Sequence[str]) -> Iterator[Finding]:
    for path in made:
        if not folder.has(path):
            older = Finding("skipped", "an older folder: it has no such file", path)
            yield older if _older(folder) else Finding("wrong", "this file is missing", path)
        elif what := _difference(folder, root, path):
            yield Finding("wrong", f"{what}, from what else is in the folder", path)


def _bag(folder: Checked) -> Iterator[Finding]:
    if folder.folder == folder.found.root:
        return
    for name, text in bag_texts(folder.folder, folder.description).items():
        if what := text_difference((folder.folder / name).read_bytes(), text.encode()):
            yield Finding("wrong", what, name)


def _older(folder: Checked) -> bool:
    return folder.stated.files is None or folder.stated.program != f"cranfield {__version__}"


def _difference(folder: Checked, root: Path, path: str) -> str:
    found, right = folder.found.root / path, root / path
    if digest_of(right) == folder.found.files[path]:
        return ""
    if not path.endswith(".parquet"):
        return text_difference(found.read_bytes(), right.read_bytes())
    _, columns = folder.table_of(path) or ("", {})
    left_out = NOT_IN_QRELS if folder.stated.asked.log == "no" else ()
    return table_difference(found, right, columns, [name for name in columns if name not in left_out])


def _others(folder: Checked, root: Path) -> Iterator[Finding]:
    """Files that are listed, but are none of the parts or of what was made."""
    known = {*files_below(root), JUDGED}
    left = [path for path in folder.found.files if path not in known and not path.startswith(("corpus/", "runs/"))]
    if left:
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        yield Finding("skipped", f"not a file that this program makes: {left[0]}{more}")


REBUILT_CHECK = Check("contents", check_rebuilt)
