"""What the steps of the set-up do, with the functions of the command line; each is computed beside the server."""

import re
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cranfield import hooks
from cranfield.analysis.pools import plan_stored_pool, store_planned
from cranfield.commands.corpus_import import import_corpus
from cranfield.commands.imports import import_topics as add_topics
from cranfield.commands.run_import import import_runs as add_runs
from cranfield.commands.runs import search_corpus
from cranfield.commands.transfers import import_bundle
from cranfield.errors import CranfieldError, InputError
from cranfield.features.organising.archives import unzip
from cranfield.features.organising.jobs import JobOutcome, browser_text
from cranfield.features.organising.uploaded import folder_prefix
from cranfield.judging.labels.pairs import assessors_that_count, labels_by_pair
from cranfield.judging.planning.forecast import forecast_labels
from cranfield.judging.session.pace import TimeLeft, time_left_text
from cranfield.parallel import REPORT
from cranfield.pooling.methods import method_named
from cranfield.pooling.stored.request import PoolRequest
from cranfield.selection import LabelledBy
from cranfield.store.brief_imports import import_documents_briefly, importing_briefly
from cranfield.store.corpus import missing_pool_texts_note
from cranfield.store.names import unknown_names_notes
from cranfield.store.reading import OpenStores, Reading, SelectedPlace
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.web.language import translatable

ZIP_START = b"PK\x03\x04"
TABLE_ENDS = (".jsonl", ".json", ".csv", ".tsv", ".xml", ".trec", ".sgml", ".parquet", ".gz", ".zst", ".bz2", ".xz")
PASTED = "pasted.txt"  # the file of topics that were pasted
USUAL_SECONDS = 30.0  # of a label, before enough labels were timed


def _noting(store: Store, notes: list[str]) -> SelectedPlace:
    """The store, for one call whose notes are those of the command line."""
    return Reading(stores=OpenStores(notes.append)).select_place(store)


def _report(line: str) -> None:
    if report := REPORT.get():
        report(line)


def import_documents(store: Store, paths: Sequence[str], limit: int, root: str = "") -> JobOutcome:
    """Import documents of files, zips or folders: all of them, or none if one has an error."""
    notes = list[str]()
    with TemporaryDirectory(prefix=folder_prefix()) as folder:
        sources = [
            source for number, path in enumerate(paths) for source in _sources(Path(path), folder, number, limit)
        ]
        with Store.create(Path(folder, "checked.db"), "checked") as checked:
            import_corpus(_noting(checked, notes), sources)
            names = [str(Path(path).relative_to(root)) if root else Path(path).name for path in paths]
            new, unchanged = import_documents_briefly(store, checked, names, _report)
            for pictures in filter(None, hooks.ask(lambda extension: extension.pictures())):
                with store.writing():
                    pictures.copy(checked, store)
    lines = [*_strip_folder(_named(notes, paths), folder), *unchanged, *unknown_names_notes(store, "document")]
    return JobOutcome(f"{counted(new, 'document')} imported.", lines)


def _sources(path: Path, folder: str, number: int, limit: int) -> list[Path]:
    """The files or the folder that a path stands for; those of a zip are written to a folder first."""
    if path.is_dir() or not is_zip(path):
        return [path]
    inside = Path(folder, str(number), path.stem)
    files = unzip(path, inside, limit)
    tables = [file for file in files if file.name.lower().endswith(TABLE_ENDS)]
    return tables if len(tables) == len(files) else [inside]


def is_zip(path: Path) -> bool:
    """Whether a file is a zip, and not a Word document, which is one inside."""
    with path.open("rb") as file:
        return file.read(4) == ZIP_START and path.suffix.lower() == ".zip"


def _strip_folder(notes: Sequence[str], folder: str) -> list[str]:
    return [re.sub(rf"{re.escape(folder)}/(\d+/)?", "", note) for note in notes]


def import_topics(store: Store, paths: Sequence[str], is_pasted: bool = False) -> JobOutcome:
    """Import topics of files; pasted lines without ids are numbered."""
    notes = list[str]()
    if is_pasted:
        pasted = Path(paths[0])
        known = {topic.title: topic.qid for topic in store.topics()}
        pasted.write_text(topics_as_lines(pasted.read_text("utf-8"), known), "utf-8")
    result = add_topics(_noting(store, notes), [Path(path) for path in paths])
    told = [note for note in _named(notes, paths) if not note.startswith(f"{PASTED}: read as")]
    return JobOutcome(f"{result.lines[0]} imported.", told)


def topics_as_lines(text: str, known: Mapping[str, str]) -> str:
    r"""Pasted topics as a file: lines without an id are numbered; other formats stay as they are.

    `known` are the ids of the store's topics by title. A line with a known title keeps that id, and the others get the
    numbers after the highest one.

    >>> topics_as_lines("wing flutter\r\nshock waves", {}), topics_as_lines("1\twing", {})
    ('1\twing flutter\n2\tshock waves\n', '1\twing\n')
    >>> topics_as_lines("wing flutter\nshock waves", {"wing flutter": "1", "heat": "7"})
    '1\twing flutter\n8\tshock waves\n'
    >>> topics_as_lines('{"qid": "1"}', {})
    '{"qid": "1"}\n'
    """
    lines = [line.strip(" ") for line in text.replace("\r\n", "\n").split("\n") if line.strip()]
    if lines[0][0] in "<{[." or any("\t" in line for line in lines) or ("," in lines[0] and lines[0].startswith("qid")):
        return "\n".join(lines) + "\n"
    numbers = [int(qid) for qid in known.values() if qid.isascii() and qid.isdecimal() and len(qid) < 10]
    free = count(max(numbers, default=0) + 1)
    return "".join(f"{known.get(line) or next(free)}\t{line}\n" for line in lines)


def import_runs(store: Store, paths: Sequence[str], limit: int) -> JobOutcome:
    """Import runs of files or zips, in short transactions."""
    notes = list[str]()
    with TemporaryDirectory(prefix=folder_prefix()) as folder:
        files = [file for number, path in enumerate(paths) for file in _run_files(Path(path), folder, number, limit)]
        with importing_briefly(store):
            result = add_runs(_noting(store, notes), files)
    return JobOutcome(f"{result.lines[0]} imported.", _strip_folder(_named(notes, paths), folder))


def _run_files(path: Path, folder: str, number: int, limit: int) -> list[Path]:
    return unzip(path, Path(folder, str(number)), limit) if path.is_file() and is_zip(path) else [path]


def _named(notes: Sequence[str], paths: Sequence[str]) -> list[str]:
    """The notes with the names of files in place of their paths."""
    lines = list(notes)
    for path in paths:
        lines = [line.replace(path, Path(path).name) for line in lines]
    return lines


def search_baselines(store: Store) -> JobOutcome:
    """Run the baseline rankers on the topics."""
    notes = list[str]()
    with importing_briefly(store):
        result = search_corpus(_noting(store, notes))
    return JobOutcome(f"{result.lines[0]} added.", notes)  # type: ignore[attr-defined]


METHOD_WORDS = {
    "depth": translatable("Depth: the first documents of every run"),
    "take": translatable("Take: a number of documents per topic, by their best rank in any run"),
    "rrf": translatable("RRF: a number of documents per topic, by reciprocal ranks"),
    "maxmean": translatable("MaxMean: a number of documents per topic, each from the run that has found most so far"),
}
USUAL_DEPTH = 10


class PoolForecast(NamedTuple):
    """The size of a pool before it is built, and the time that labelling its documents once takes."""

    documents: int
    topics: int
    judged: int  # by people
    time_left: TimeLeft | None  # at the pace of the labels so far; None before there are enough
    is_limit: bool  # the documents are as many as it may get while it is judged

    @property
    def assumed_seconds(self) -> str:
        """The seconds of a label before enough labels were timed."""
        return f"{USUAL_SECONDS:.0f}"

    @property
    def time_text(self) -> str:
        """The time of one label for each document without one.

        >>> PoolForecast(100, 10, 0, None, False).time_text
        'about 50 min'
        >>> PoolForecast(5000, 10, 0, TimeLeft(36000, 72000, 108000), False).time_text
        '10 h to 30 h'
        """
        assumed = (self.documents - self.judged) * USUAL_SECONDS
        return time_left_text(self.time_left or TimeLeft(assumed, assumed, assumed))


def pool_request(fields: Mapping[str, str]) -> PoolRequest:
    """The pool that a form asks for: `size` documents per topic, from each run by depth and in all by other methods."""
    method = method_named(fields.get("method") or "depth")
    size = whole_number(fields, "size") if fields.get("size", "").strip() else USUAL_DEPTH
    if not size:
        raise InputError(f"size is 0; expected a whole number of at least 1, such as {USUAL_DEPTH}")
    return PoolRequest(method.name, size) if method.by_depth else PoolRequest(method.name, 100, size)


def whole_number(fields: Mapping[str, str], name: str) -> int:
    """A number that is typed in; 0 where none is."""
    text = fields.get(name, "").strip() or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 8):
        raise InputError(f"{name} is {text!r:.40}; expected a whole number such as 10")
    return int(text)


def forecast_pool(store: Store, method: str, size: str) -> PoolForecast | str:
    """Work a pool out without storing it; a text where that is not possible."""
    try:
        request = pool_request({"method": method, "size": size})
        documents = plan_stored_pool(store, request).pool.documents
    except CranfieldError as error:
        return browser_text(str(error))
    pairs = {(one.qid, one.docno) for one in documents}
    by_people = assessors_that_count(store, None, LabelledBy.people)
    judged = len(pairs & labels_by_pair(store, by_people).keys())
    topics = len({one.qid for one in documents})
    is_limit = method_named(request.method).adaptive
    number = topics * (request.budget or 0) if is_limit else len(documents)
    return PoolForecast(number, topics, judged, forecast_labels(store, number - judged), is_limit)


def build_pool(store: Store, fields: Mapping[str, str]) -> JobOutcome:
    """Build a pool; it is worked out before the transaction that stores it."""
    _report("working out the pool")
    planned = plan_stored_pool(store, pool_request(fields))
    result = store_planned(store, planned)
    line = result.line
    notes = [*result.notes, *filter(None, [missing_pool_texts_note(store)])]
    return JobOutcome(f"{line[:1].upper()}{line[1:]}.", notes)


def merge_bundles(store: Store, paths: Sequence[str]) -> JobOutcome:
    """Merge downloads of offline pages, and bundles: all of them, or none."""
    notes, lines = list[str](), list[str]()
    with store.writing():
        for path in paths:
            result = import_bundle(_noting(store, notes), Path(path))
            lines.append(f"{Path(path).name}: {result.lines[0]}")
    return JobOutcome("; ".join(lines) + ".", _named(notes, paths))
