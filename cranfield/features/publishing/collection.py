"""collection.json: what a store needs to be restored from the folder besides the tables, written and read.

What it and log.json say is checked as far as a store needs it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, get_args

import cranfield
from cranfield import __version__
from cranfield.errors import InputError
from cranfield.features.documents.store.documents import CorpusSource, sources, without_folder
from cranfield.features.publishing.description import TARGET_NAMES, as_json
from cranfield.features.publishing.manifest import PublishedFolder, check_file, digest_of, files_below
from cranfield.features.publishing.parts import (
    COLLECTION,
    LOG_PART,
    STATE,
    Part,
    PublishedTable,
    Publishing,
    write_head,
)
from cranfield.features.publishing.publication import LogAs, PublishOptions, splits_of
from cranfield.features.publishing.store.publication import MODEL, model_settings
from cranfield.features.publishing.store.published import LogState, first_assessors, pools
from cranfield.features.publishing.store.standing import check_standing, standing
from cranfield.features.publishing.trec import file_names
from cranfield.formats.files import read_text
from cranfield.formats.jsonl import decode_json
from cranfield.formats.whole_files import write_text
from cranfield.store.log import guidelines
from cranfield.store.runs import run_info, run_lengths
from cranfield.store.store import Collection

LAYOUT = 1
SOURCES = ("corpus", "queries", "qrels", "log", "pools", "runs")  # the folders that a store is restored from


def write_collection(publishing: Publishing) -> Sequence[PublishedTable]:
    sums = source_sums(files_below(publishing.root), publishing.root)
    write_text(publishing.published_path(COLLECTION), collection_text(publishing, sums))
    if LOG_PART.applies(publishing.options):
        write_head(publishing, digest_of(publishing.published_path(COLLECTION)))
    return []


def source_sums(paths: Iterable[str], root: Path) -> dict[str, str]:
    """The SHA-256 of each file that a store is restored from, but for collection.json and log.json, which names it."""
    return {path: digest_of(root / path) for path in sorted(paths) if is_source(path)}


def is_source(path: str) -> bool:
    """Whether collection.json has the SHA-256 of this file."""
    return path.partition("/")[0] in SOURCES and path != STATE


SHAPING = frozenset({".py", ".css", ".js", ".jinja", ".toml"})  # files of the program that shape what it writes


@cache
def program_build() -> str:
    """Return the SHA-256 of the program's files, in 16 digits: equal builds write equal cards and reports."""
    root, digest = Path(cranfield.__file__).parent, sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in SHAPING and path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def collection_text(publishing: Publishing, sums: Mapping[str, str], build: str | None = None) -> str:
    """collection.json, with the sums of these files; `build` instead of this program's."""
    store = publishing.store
    about, lines = run_info(store), run_lengths(store)
    document = {
        "layout": LAYOUT,
        "program": f"cranfield {__version__}",
        "build": program_build() if build is None else build,
        "collection": store.collection._asdict(),
        "guidelines": guidelines(store),
        "description": as_json(publishing.description),
        "options": publishing.options.to_json(),
        "topics": [topic.qid for topic in store.topics()],
        "pools": pools(store),
        "first_assessors": first_assessors(store),
        "runs": [
            {"tag": tag, "file": file, "team": info.team, "kind": info.kind, "description": info.description,
             "pooled": info.pooled, "depth": info.depth, "lines": lines[tag]}
            for (tag, info), file in zip(about.items(), file_names(about).values(), strict=True)
        ],
        **({"sources": parts} if (parts := [without_folder(one)._asdict() for one in sources(store)]) else {}),
        "files": dict(sums),
        **({"standing": sets} if (sets := standing(store)) else {}),
        **({"models": models} if (models := model_settings(store)) and publishing.options.log != "no" else {}),
    }  # fmt: skip
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


COLLECTION_PART = Part("collection", write_collection)


POOL = {"number": int, "method": str, "parameters": dict, "version": str, "created": str}
RUN = {"tag": str, "file": str, "team": str, "kind": str, "description": str, "pooled": bool}
OPTIONS = {"targets": list, "policy": str, "text": bool, "runs": bool, "log": str}


class Declaration(NamedTuple):
    """What the folder says of itself."""

    collection: Collection
    guidelines: str
    description: Mapping[str, Any]
    options: Mapping[str, Any]
    topics: Sequence[str]
    pools: Sequence[Mapping[str, Any]]
    first_assessors: Sequence[tuple[str, str]]
    runs: Sequence[Mapping[str, Any]]
    files: Mapping[str, str] | None = None  # the SHA-256 of those that a store is made of; older folders have none
    program: str = ""
    build: str = ""  # of the program; older folders have none
    standing: Mapping[str, Sequence[Mapping[str, Any]]] = {}
    models: Sequence[Mapping[str, Any]] = ()  # and panels: what each is for each task
    sources: Sequence[CorpusSource] = ()  # of the corpus, of which only a part is in the folder

    @property
    def publish_options(self) -> PublishOptions:
        """The options with which the folder was built."""
        draft = bool(self.options.get("draft"))
        headers = bool(self.options.get("run_headers", True))  # as folders of earlier versions have them
        options = {name: self.options[name] for name in OPTIONS}
        split = None if self.test is None else tuple(self.test)
        more = {"targets": tuple(options["targets"]), "split": split, "draft": draft, "run_headers": headers}
        more |= {"part": self.options.get("part", ""), "earlier_train": tuple(self.options.get("reused", ()))}
        return PublishOptions(**{**options, **more})

    @property
    def test(self) -> Sequence[str] | None:
        """The topics of the split test, if the folder has splits."""
        qids: Sequence[str] | None = self.options.get("split")
        return qids

    @property
    def splits(self) -> dict[str, frozenset[str]]:
        """The topics of each split."""
        return splits_of(self.topics, self.test)

    @property
    def text(self) -> bool:
        """Whether the texts are in the folder."""
        return bool(self.options["text"])


def read_declaration(there: PublishedFolder) -> Declaration:
    """What collection.json says; a layout that this program does not know is refused."""
    path = check_file(there, COLLECTION)
    document = _json(path)
    if document.get("layout") != LAYOUT:
        raise InputError(f"layout is {document.get('layout')!r}; expected {LAYOUT} (update cranfield to read it)", path)
    fields = {"collection": dict, "guidelines": str, "description": dict, "options": dict, "topics": list,
              "pools": list, "first_assessors": list, "runs": list}  # fmt: skip
    values = _check(document, fields, path)
    if unknown := sorted(
        document.keys() - fields.keys() - {"layout", "program", "build", "files", "standing", "sources", "models"}
    ):
        raise InputError(f"unknown entry {unknown[0]!r}; update cranfield to read it", path)
    for pool in values["pools"]:
        _check(pool, POOL, path)
        _check_rows(pool.get("steps", []), (int, str, int), "steps", path)
        _check_rows(pool.get("heard", []), (int, str, str, int), "heard", path)
    for run in values["runs"]:
        _check(run, RUN, path)
    if not all(isinstance(qid, str) for qid in values["topics"]):
        raise InputError("topics contains a value that is not text", path)
    _check_options(values["options"], path)
    _check_rows(values["first_assessors"], (str, str), "first_assessors", path)
    firsts = [(qid, name) for qid, name in values["first_assessors"]]
    for one in (sources := document.get("sources", [])) if isinstance(document.get("sources", []), list) else [None]:
        if not isinstance(one, dict) or one.keys() != {*CorpusSource._fields}:
            raise InputError(f"sources has {one!r:.60}; expected {', '.join(CorpusSource._fields)}", path)
    models = _check({"models": document.get("models", [])}, {"models": list}, path)["models"]
    files = document.get("files")
    texts = {name: text if isinstance(text := document.get(name, ""), str) else "" for name in ("program", "build")}
    if files is not None and not (isinstance(files, dict) and all(isinstance(one, str) for one in files.values())):
        raise InputError(f"files is {files!r:.60}; expected the SHA-256 of each file", path)
    about = {name: values[name] for name in fields} | {"files": files, **texts}
    about["models"] = [_check(one, MODEL, path) for one in models]
    about["standing"] = check_standing(document.get("standing", {}), values["topics"], path)
    about["sources"] = [CorpusSource(**one) for one in sources]
    return Declaration(**{**about, "collection": _collection(values["collection"], path), "first_assessors": firsts})


def _check_options(options: Mapping[str, Any], path: Path) -> None:
    own = _check(options, OPTIONS, path)
    split, targets = options.get("split"), own["targets"]
    if not isinstance(options.get("part", ""), str) or not isinstance(options.get("reused", []), list):
        raise InputError("part is not text, or reused is not a list", path)
    if split is not None and not (isinstance(split, list) and all(isinstance(qid, str) for qid in split)):
        raise InputError("split is not a list of text values", path)
    for name, values, right in (("targets", targets, (*TARGET_NAMES,)), ("log", [own["log"]], get_args(LogAs))):
        if strange := [value for value in values if value not in right]:
            raise InputError(f"{name} has {strange[0]!r:.60}; expected {', '.join(right)}", path)


def _check_rows(rows: object, kinds: Sequence[type], name: str, path: Path) -> None:
    """Refuse what is no list of rows of these types; the last cell may be null where it is a number."""
    for row in rows if isinstance(rows, list) else [rows]:
        if not isinstance(row, list) or not _fits(row, kinds):
            raise InputError(f"{name} has {row!r:.60}; expected {', '.join(kind.__name__ for kind in kinds)}", path)


def _fits(row: Sequence[object], kinds: Sequence[type]) -> bool:
    last_number = len(kinds) - 1 if kinds[-1] is int else -1
    return len(row) == len(kinds) and all(
        type(cell) is kind or (cell is None and place == last_number)
        for place, (cell, kind) in enumerate(zip(row, kinds, strict=True))
    )


def state_of(path: Path) -> list[LogState]:
    """The states of the logs, the earliest first."""
    document = _check({"earlier": []} | _json(path), {"earlier": list}, path)
    states = [*document["earlier"], *filter(None, [document.get("log")])]
    rows = [_check(state, {"events": int, "head": str, "chains": list}, path) for state in states]
    return [LogState(state["events"], state["head"], tuple(map(str, state["chains"]))) for state in rows]


def collection_sum(path: Path) -> str:
    """The SHA-256 of collection.json that log.json has, if it has one."""
    digest = _json(path).get(COLLECTION, "")
    return digest if isinstance(digest, str) else f"{digest!r:.60}"


def _collection(about: Mapping[str, Any], path: Path) -> Collection:
    fields = {"name": str, "description": str, "licence": str, "created": str, "grades": dict, "min_relevant": int}
    values = _check(about, fields, path)
    if strange := sorted(values.keys() - fields.keys()):
        raise InputError(f"unknown entry {strange[0]!r} in collection", path)
    try:
        grades = {int(grade): str(meaning) for grade, meaning in values["grades"].items()}
    except ValueError:
        raise InputError("grades contains a value that is not a whole number", path) from None
    return Collection(**{**values, "grades": dict(sorted(grades.items()))})


def _json(path: Path) -> dict[str, Any]:
    document = decode_json(read_text(path), path)
    if not isinstance(document, dict):
        raise InputError("not a JSON object", path)
    return document


def _check(value: Any, fields: Mapping[str, type], path: Path) -> dict[str, Any]:
    """The fields of an object; one that is missing or of another type is refused."""
    if not isinstance(value, dict):
        raise InputError(f"{value!r:.60}; expected an object", path)
    for name, kind in fields.items():
        if type(value.get(name)) is not kind:
            raise InputError(f"{name} is {value.get(name)!r:.60}; expected {kind.__name__}", path)
    return dict(value)
