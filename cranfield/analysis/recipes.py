"""Recipes: small data files that say how to build a classic collection from its parts.

A recipe is a TOML file: what the collection is (name, description, licence, citation, min_relevant, [grades]), its
parts ([[corpus]], [[topics]], [[qrels]], [[runs]], each with path, format and sha256), how large it is ([counts]) and
its quirks. `sha256` is of the plain, decompressed file, which may have other `names`. A corpus or topics part may say
ids = "ordinal": they are then numbered 1, 2, ... by their place in the file, without the numbers that are `missing`. A
part may say what its fields are called, or where its blocks start and end. A qrels part may map or multiply grades or
set aside those off the scale, and names its assessor. docs/build/recipes.md shows how to write one.
Anything else in a recipe is an error.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from itertools import count
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from cranfield import hooks
from cranfield.arrays.rankings import Qrels, Vocabulary
from cranfield.errors import InputError, file_named_in_errors
from cranfield.formats import (
    RunInfo,
    Topic,
    classic,
    open_decompressed,
    read_corpus,
    read_metadata,
    read_qrels,
    read_runs,
    read_topics,
)
from cranfield.formats.files import Note, read_text
from cranfield.formats.given_files import COMPRESSIONS
from cranfield.formats.mappings import parse_toml
from cranfield.formats.records import FIELDS, Kind
from cranfield.formats.runs.files import add_header
from cranfield.formats.runs_and_qrels import qrels_of_table
from cranfield.formats.table import AUTO, formats_of
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.parallel import ignore_note
from cranfield.store.connection import atomic_path
from cranfield.store.history import importing
from cranfield.store.qrels import import_qrels
from cranfield.store.runs import add_runs
from cranfield.store.store import Store, new_collection
from cranfield.text import name_hint

MOST = 10**18  # whole numbers are below it
KINDS: Mapping[str, Kind] = {"corpus": "corpus", "topics": "topics", "qrels": "qrels", "runs": "run"}


class Right(NamedTuple):
    """What a value has to be, in words and as a test."""

    words: str
    holds: Callable[[Any], bool]


def _integer_check(least: float) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and least <= value < MOST


def _choice_rule(*words: str) -> Right:
    return Right(" or ".join(f'"{word}"' for word in words), lambda value: isinstance(value, str) and value in words)


def _is_grade(text: str) -> bool:
    return bool(re.fullmatch(r"-?\d{1,18}", text))


def _table(key: Callable[[str], bool], value: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda table: isinstance(table, dict) and all(key(k) and value(v) for k, v in table.items())


def _are_all(value: object, holds: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(holds, value))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def is_inside(path: str) -> bool:
    r"""Return whether a path stays inside the folder that it is relative to.

    >>> is_inside("a/b.txt"), is_inside("/etc/passwd"), is_inside("a/../../b"), is_inside("C:\\b")
    (True, False, False, False)
    """
    return not any(
        one.is_absolute() or one.anchor or ".." in one.parts for one in (PurePosixPath(path), PureWindowsPath(path))
    )


TEXT = Right("text", _is_text)
NAME = Right("non-empty text", lambda value: isinstance(value, str) and bool(value.strip()) and "\0" not in value)
PATH = Right(
    "a path inside the folder, with names of up to 255 bytes",
    lambda value: (
        NAME.holds(value)
        and is_inside(value)
        and all(len(name.encode(errors="replace")) <= 255 for name in Path(value).parts)
    ),
)
YES_NO = Right("true or false", lambda value: isinstance(value, bool))
WHOLE = Right("a whole number", _integer_check(1 - MOST))
SOME_TABLES = Right("one or more tables, written as [[{}]]", lambda v: isinstance(v, list) and all(map(_is_table, v)))


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


QRELS_CHECKS: Mapping[str, Right] = {
    "grades": Right(
        "a table that maps grades in the file to grades on the scale, such as { 1 = 4 }", _table(_is_grade, WHOLE.holds)
    ),
    "assessor": NAME,
    "kind": _choice_rule("human", "model", "panel", "import"),
    "times": Right("a whole number of at least 1", _integer_check(1)),
    "off_scale": _choice_rule("cannot-judge"),
    "ids": _choice_rule("unpadded"),
    "lists": _choice_rule("counted", "lines"),
}
IDS: Mapping[str, Right] = {
    "ids": _choice_rule("ordinal"),
    "missing": Right("a list of whole numbers, each at least 1", lambda value: _are_all(value, _integer_check(1))),
}
BLOCK_CHECKS: Mapping[str, Right] = {
    "start": Right(
        "a regular expression with one group, which matches the id", lambda value: _count_regex_groups(value) == 1
    ),
    "end": Right("a regular expression without groups", lambda value: _count_regex_groups(value) == 0),
    "repeated": Right("a list of ids", lambda value: isinstance(value, list) and all(map(NAME.holds, value))),
    "skip": Right("a list of ids", lambda value: isinstance(value, list) and all(map(NAME.holds, value))),
    "outside": Right("a whole number of at least 0", _integer_check(0)),
    "paragraph_title": YES_NO,
    "stop": Right("a regular expression without groups", lambda value: _count_regex_groups(value) == 0),
    "double_spaced": YES_NO,
}
BLOCKS: Mapping[str, Right] = {"blocks": Right("a table with the key start", lambda v: _is_table(v) and "start" in v)}
COUNTED = ("documents", "topics", "judgments")
NUMBERS = Right(f"numbers of {', '.join(COUNTED)}", _table(COUNTED.__contains__, _integer_check(0)))


TOP: Mapping[str, Right] = {
    "name": NAME,
    "description": TEXT,
    "licence": TEXT,
    "citation": TEXT,
    "min_relevant": WHOLE,
    "grades": Right('grades with their meanings, such as 1 = "relevant"', _table(_is_grade, _is_text)),
    "counts": NUMBERS,
    "policy": NAME,
    "quirks": Right("a list of texts", lambda value: isinstance(value, list) and all(map(_is_text, value))),
    **{kind: SOME_TABLES._replace(words=SOME_TABLES.words.format(kind)) for kind in KINDS},
}


def _count_regex_groups(pattern: object) -> int | None:
    """How many groups a regular expression has, None if it is none."""
    try:
        return re.compile(str(pattern)).groups if isinstance(pattern, str) else None
    except re.error:
        return None


def keys_of(kind: str) -> dict[str, Right]:
    """The keys of a part, with what is right for each.

    >>> keys_of("runs")["format"].words.split(" or ")[:3]
    ['"auto"', '"ranx"', '"rank-llm"']
    """
    of = KINDS[kind]
    common = {
        "path": PATH,
        "names": Right("a list of file names", lambda value: _are_all(value, PATH.holds)),
        "format": _choice_rule(AUTO, *(row.name for row in formats_of(of))),
        "sha256": Right("64 hexadecimal digits", lambda value: bool(re.fullmatch("[0-9a-f]{64}", str(value)))),
    }
    fields = {} if kind == "runs" else FIELDS[of]
    names = Right(
        f"a table that maps our field names to field names in the file: {', '.join(fields)}",
        _table(fields.__contains__, _is_text),
    )
    own = {"topics": IDS, "corpus": IDS, "qrels": QRELS_CHECKS}.get(kind, {})
    return {**common, **({"field": names} if fields else {}), **own, **({} if kind == "runs" else BLOCKS)}


def check(data: Mapping[str, Any], path: Path) -> None:
    """Refuse a key that means nothing, a value that is not right, and a recipe without what it needs.

    >>> check({"name": "Tiny", "min_relevant": "1"}, Path("tiny.toml"))
    Traceback (most recent call last):
    cranfield.errors.InputError: tiny.toml: min_relevant is '1'; expected a whole number
    """
    _check_table(data, TOP, "a recipe", "", path)
    for kind in KINDS:
        for number, part in enumerate(data.get(kind, []), 1):
            place = f"[[{kind}]]" + (f" {number}" if len(data[kind]) > 1 else "")
            _check_table(part, keys_of(kind), place, f"{place}: ", path)
            _check_table(part.get("blocks", {}), BLOCK_CHECKS, f"blocks of {place}", f"{place}: ", path)
            if "path" not in part:
                raise InputError(f"{place} has no path", path)
            if "blocks" in part and {"format", "field", "lists"} & set(part):
                raise InputError(f"{place} defines blocks, so format, field and lists are not allowed in it", path)
    lacking = [name for name in ("name", "grades", "corpus", "topics") if not data.get(name)]
    if lacking:
        raise InputError(f"{lacking[0]} is missing; a recipe needs a name, [grades], [[corpus]] and [[topics]]", path)


def _check_table(table: Mapping[str, Any], keys: Mapping[str, Right], what: str, place: str, path: Path) -> None:
    for key, value in table.items():
        if key not in keys:
            raise InputError(f"unknown key {key!r} in {what}; expected one of {', '.join(keys)}", path)
        if not keys[key].holds(value):
            raise InputError(f"{place}{key} is {value!r:.60}; expected {keys[key].words}", path)


PARTS = ("corpus", "topics", "qrels", "runs")
COUNTED_TABLES = {"documents": "document", "topics": "topic", "judgments": "judgment_event"}


class Recipe(NamedTuple):
    """A recipe as read; `folder` is where its own files are, for a bundled collection."""

    name: str
    data: Mapping[str, Any]
    folder: Path

    def parts(self, kind: str) -> list[dict[str, Any]]:
        """The parts of one kind."""
        return list(self.data.get(kind, []))

    @property
    def is_bundled(self) -> bool:
        """Whether all parts are beside the recipe, so that no other folder is needed."""
        return all((self.folder / part["path"]).exists() for kind in PARTS for part in self.parts(kind))


def bundled_recipes() -> dict[str, Path]:
    """The recipes that come with the project, by name."""
    folder = Path(str(files("cranfield") / "collections"))
    return {path.parent.name: path for path in sorted(folder.glob("*/recipe.toml"))}


def read_recipe(name: str) -> Recipe:
    """A recipe by the name of a bundled one, or by the path of a user's own."""
    recipes = bundled_recipes()
    path = recipes.get(name, Path(name))
    if not path.is_file():
        raise InputError(f"unknown recipe {name!r}{name_hint(name, recipes)}; or give the path of your own recipe")
    data = parse_toml(read_text(path), path)
    check(data, path)
    return Recipe(name if name in recipes else path.stem, data, path.parent)


def build(recipe: Recipe, folder: Path, out: Path, note: Note | None = None) -> Store:
    """Build a collection from the files of a folder into a new store; whatever interrupts it, there is no store then.

    `note` receives a line on documents and topics without a text.
    """
    with atomic_path(out) as part, new_store(recipe, part) as store:
        load_parts(store, recipe, folder, PARTS, note)
        _check_counts(store, recipe)
        finish_built_store(recipe, store)
    return Store.open(out, tell=note or ignore_note)


def finish_built_store(recipe: Recipe, store: Store) -> None:
    """Record the policy of a recipe in a store that it made, and add what features find in the recipe's folder."""
    if policy := recipe.data.get("policy"):
        record_label_choice(store, policy=policy, reason="the recipe of the collection")
    for reader in filter(None, hooks.ask(lambda extension: extension.folder_reader())):
        reader.finish_recipe(recipe.folder, store)


def new_store(recipe: Recipe, out: Path) -> Store:
    """An empty store for a collection, where it stands."""
    data = recipe.data
    description = " ".join(part for part in (data.get("description", ""), data.get("citation", "")) if part)
    grades = {int(grade): meaning for grade, meaning in data["grades"].items()}
    about = data["name"], description, data.get("licence", ""), grades, data.get("min_relevant", 1)
    return Store.begin(out, new_collection(*about))


def load_parts(store: Store, recipe: Recipe, folder: Path, kinds: Sequence[str], note: Note | None = None) -> None:
    """Load the parts of these kinds in one transaction, after finding and checking them all."""
    places = [(kind, part, _locate(part, folder)) for kind in kinds for part in recipe.parts(kind)]
    with store.writing():
        for kind, part, path in places:
            with file_named_in_errors(path), importing(store, kind, [path]):
                LOADERS[kind](store, path, part, note)


def _check_counts(store: Store, recipe: Recipe) -> None:
    """Refuse a collection that is not as large as its recipe says; documents are those that the corpus has."""
    for what, right in recipe.data.get("counts", {}).items():
        size = (
            store.count_added(COUNTED_TABLES[what])
            if what in ("documents", "topics")
            else store.count(COUNTED_TABLES[what])
        )
        if size != right:
            raise InputError(f"{size} {what} where the recipe of {recipe.data['name']} says {right}")


def _locate(part: Mapping[str, Any], folder: Path) -> Path:
    """Where a part is: at its path, or by its name anywhere in the folder, compressed or not; its content checked."""
    listed = [Path(name) for name in (part["path"], *part.get("names", []))]
    plain, *others = [path.with_suffix("") if path.suffix in COMPRESSIONS else path for path in listed]
    paths = [name.with_name(name.name + suffix) for name in (plain, *others) for suffix in ("", *COMPRESSIONS)]
    candidates = [folder / p for p in paths] + [hit for p in paths for hit in sorted(folder.rglob(p.name))]
    path = next((candidate for candidate in candidates if candidate.is_file()), None)
    if path is None:
        more = "".join(f", or {name}" for name in others)
        raise InputError(f"{plain}{more} is missing; a compressed file is also accepted", folder)
    _check_content(path, part.get("sha256"))
    return path


def _check_content(path: Path, sha256: str | None) -> None:
    if sha256 is None:
        return
    digest = hashlib.sha256()
    with open_decompressed(path) as file:
        while block := file.read(1 << 20):
            digest.update(block)
    if digest.hexdigest() != sha256:
        raise InputError(
            f"SHA-256 is {digest.hexdigest()}; expected {sha256}: this is a different version of the file", path
        )


def _load_topics(store: Store, path: Path, part: Mapping[str, Any], note: Note | None) -> None:
    if "blocks" in part:
        topics: Iterator[Topic] = iter(classic.block_topics(path, _block_rule(part)))
    else:
        topics = iter(read_topics(path, format=part.get("format", "auto"), names=part.get("field"), note=note))
    if part.get("ids") == "ordinal":
        topics = (topic._replace(qid=number) for number, topic in zip(_ordinals(part), topics, strict=False))
    store.add_topics(topics)


def _load_qrels(store: Store, path: Path, part: Mapping[str, Any], note: Note | None) -> None:
    grades = {int(old): new for old, new in part["grades"].items()} if "grades" in part else None
    aside = "off_scale" in part
    scale = None if aside else store.collection.grades
    qrels = _pairs(path, part) or read_qrels(
        path,
        format=part.get("format", "auto"),
        grades=grades,
        times=part.get("times", 1),
        scale=scale,
        names=part.get("field"),
    )
    if part.get("ids") == "unpadded":
        qrels = replace(qrels, topics=_strip_leading_zeros(qrels.topics), docnos=_strip_leading_zeros(qrels.docnos))
    import_qrels(store, qrels, part.get("assessor", "import"), part.get("kind", "import"), aside)


def _strip_leading_zeros(ids: Vocabulary) -> Vocabulary:
    return Vocabulary([name.lstrip("0") or name for name in ids.names])


def _pairs(path: Path, part: Mapping[str, Any]) -> Qrels | None:
    """Relevant pairs, where the recipe says how they are listed."""
    if "blocks" in part:
        return qrels_of_table(classic.relevant_pairs(path, _block_rule(part)))
    lists = {"counted": classic.counted_pairs, "lines": classic.listed_pairs}
    return qrels_of_table(lists[part["lists"]](path)) if "lists" in part else None


def _block_rule(part: Mapping[str, Any]) -> classic.BlockRule:
    return classic.BlockRule(**part["blocks"])


def _load_corpus(store: Store, path: Path, part: Mapping[str, Any], note: Note | None) -> None:
    if "blocks" in part:
        documents = classic.block_documents(path, _block_rule(part))
    else:
        documents = read_corpus(path, format=part.get("format", "auto"), names=part.get("field"), note=note)
    if part.get("ids") == "ordinal":
        documents = (one._replace(docno=number) for number, one in zip(_ordinals(part), documents, strict=False))
    store.add_documents(documents)


def _ordinals(part: Mapping[str, Any]) -> Iterator[str]:
    """The numbers 1, 2, ... without those that nothing in the file has.

    >>> from itertools import islice
    >>> list(islice(_ordinals({"missing": [2, 3]}), 3))
    ['1', '4', '5']
    """
    missing = {*part.get("missing", [])}
    return (str(number) for number in count(1) if number not in missing)


def _load_runs(store: Store, path: Path, part: Mapping[str, Any], note: Note | None) -> None:
    runs, header = read_runs([path], part.get("format", "auto")), read_metadata(path)
    add_runs(store, runs, {tag: add_header(RunInfo(tag), header) for tag in runs.tags})


LOADERS = {"corpus": _load_corpus, "topics": _load_topics, "qrels": _load_qrels, "runs": _load_runs}


def recipe_rows() -> list[dict[str, Any]]:
    """One row per bundled recipe."""
    recipes = [read_recipe(name) for name in bundled_recipes()]
    return [{"name": r.name, "bundled": r.is_bundled, "what": r.data.get("description", "")} for r in recipes]
