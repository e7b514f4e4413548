"""Published folders of which one file was changed, and then the checksums: `publish check` says so, in a line."""

import gzip
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from cranfield.features.publishing.checks import CheckedFolder
from cranfield.features.publishing.folder import CONTENTS, findings
from cranfield.features.publishing.manifest import MANIFEST, files_below, folder_of, root_of
from cranfield.features.publishing.rebuilding import text_difference
from tests.features.publishing.conftest import TARGETS, build_draft
from tests.features.publishing.stores import judged_store
from tests.features.publishing.tampering import COLUMNS, Row, change_lines, change_rows, recompute

WORDS = ("", "another", "q1", "d1", "\x00", "\u202e", "../../etc/passwd", "a" * 300, "-1", "1.0", "NaN")
NUMBERS = (0, 1, -1, 2, 7, 2**31, 2**63 - 1)
KINDS = {"a bag": TARGETS, "a folder": TARGETS[1:], "a small folder": ("hf",)}


def trial(folder: Path) -> Callable[[int], str]:
    """What is wrong, of a seed; the sound folders are made in a new folder when they are needed."""
    here = Path(tempfile.mkdtemp(prefix="published-", dir=folder))

    def of_seed(seed: int) -> str:
        random = Random(f"publish {seed}")
        kind = random.choice([*KINDS])
        sound = here / kind
        if not sound.exists():
            store = here / "small.db"
            build_draft(store if store.exists() else judged_store(store), sound, *KINDS[kind])
        work = here / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(sound, work)
        return fault(work, random)

    return of_seed


def fault(folder: Path, random: Random) -> str:
    """Change a sound folder, recompute the checksums, and check it; what is wrong with what the check said."""
    root = root_of(folder)
    path = random.choice([path for path in files_below(root) if path != MANIFEST])
    before = (root / path).read_bytes()
    how = _change(root, path, random)
    recompute(folder)
    after = (root / path).read_bytes() if (root / path).exists() else None
    try:
        rows = [row for row in findings(CONTENTS, CheckedFolder(folder, folder_of(folder))) if row.state == "wrong"]
    except Exception as error:
        return f"{path}: {how}: {type(error).__name__}: {error}"
    if any("\n" in f"{row.what}{row.path}" or len(row.what) > 500 for row in rows):
        return f"{path}: {how}: {rows!r:.1000}"
    return "" if rows or _immaterial(path, before, after) else f"{path}: {how}: not found"


def _immaterial(path: str, before: bytes, after: bytes | None) -> bool:
    """Whether a file says what it said: to the byte, but for the last digits of long numbers."""
    if after is None:
        return False
    return before == after or (path == "report.html" and not text_difference(after, before))


def _change(root: Path, path: str, random: Random) -> str:
    """Change a file; how."""
    ways: list[Callable[[Path, str, Random], str]] = [_bytes]
    if path in COLUMNS:
        ways = [_bytes, _cell, _cell, _cell, _rows]
    elif path == "collection.json":
        ways = [_leaf, _leaf, _leaf, _lines]
    elif path.endswith(".json"):
        ways = [_leaf, _lines]
    elif not path.endswith(".parquet"):
        ways = [_lines, _lines, _bytes, _remove]
    return random.choice(ways)(root, path, random)


def _bytes(root: Path, path: str, random: Random) -> str:
    """A few bytes, or the end of the file."""
    content = bytearray((root / path).read_bytes())
    if not content or random.random() < 0.2:
        (root / path).write_bytes(content[: random.randrange(len(content) + 1)])
        return "its end"
    places = [random.randrange(len(content)) for _ in range(random.choice((1, 1, 8)))]
    for place in places:
        content[place] = random.randrange(256)
    (root / path).write_bytes(content)
    return f"the bytes {places}"


def _remove(root: Path, path: str, random: Random) -> str:
    (root / path).unlink()
    return "gone"


def _lines(root: Path, path: str, random: Random) -> str:
    """A line more, less, or another one."""
    notes = list[str]()

    def change(lines: list[str]) -> None:
        at = random.randrange(len(lines))
        how = random.choice(("twice", "gone", "other", "digit", "digit", "digit"))
        notes.append(f"line {at + 1}: {how}")
        digits = [place for place, letter in enumerate(lines[at]) if letter.isdigit()]
        if how == "digit" and digits:
            place = random.choice(digits)
            lines[at] = f"{lines[at][:place]}{random.randrange(10)}{lines[at][place + 1 :]}"
        elif how == "twice":
            lines.insert(at, lines[at])
        elif how == "gone":
            del lines[at]
        else:
            lines[at] = f"{lines[at][: random.randrange(len(lines[at]) + 1)]}{random.choice(WORDS)}"

    try:
        change_lines(root / path, change)
    except (UnicodeError, gzip.BadGzipFile):
        return _bytes(root, path, random)
    return notes[0]


def _cell(root: Path, path: str, random: Random) -> str:
    notes = list[str]()

    def change(rows: list[Row]) -> None:
        row = random.choice(rows)
        name = random.choice([*row])
        kind = COLUMNS[path][name]
        row[name] = {"string": random.choice(WORDS), "float64": float(random.choice(NUMBERS)),
                     "bool": random.random() < 0.5}.get(kind, random.choice(NUMBERS))  # fmt: skip
        notes.append(f"{name} {row[name]!r:.40}")

    change_rows(root, path, change)
    return notes[0]


def _rows(root: Path, path: str, random: Random) -> str:
    """The rows in another order, one twice, or one less."""
    how = random.choice(("shuffled", "twice", "gone", "last"))

    def change(rows: list[Row]) -> None:
        at = random.randrange(len(rows))
        if how == "shuffled":
            random.shuffle(rows)
        elif how == "twice":
            rows.append(rows[at])
        elif how == "gone":
            del rows[at]
        else:
            rows.append(rows.pop(at))

    change_rows(root, path, change)
    return f"rows {how}"


def _leaf(root: Path, path: str, random: Random) -> str:
    """A value somewhere in a JSON document."""
    document = json.loads((root / path).read_text("utf-8"))
    places = [*_leaves(document)]
    parent, key = random.choice(places)
    old = parent[key]
    parent[key] = _other(old, random)
    (root / path).write_text(
        json.dumps(document, indent=1 if path == "collection.json" else 2, ensure_ascii=False) + "\n"
    )
    return f"{key!r:.40}: {old!r:.40} -> {parent[key]!r:.40}"


def _leaves(document: Any) -> Iterator[tuple[Any, Any]]:
    """Where values are: the list or object, and the place or name in it."""
    for key in document if isinstance(document, dict) else range(len(document)):
        yield document, key
        if isinstance(document[key], dict | list):
            yield from _leaves(document[key])


def _other(old: Any, random: Random) -> Any:
    """Another value, mostly of the same type."""
    if random.random() < 0.1:
        return random.choice((None, 1, "a", [], {}, True, [1], 1.5))
    if isinstance(old, bool):
        return not old
    if isinstance(old, int | float):
        return random.choice(NUMBERS)
    if isinstance(old, str):
        return random.choice((*WORDS, old[:-1], f"{old}x"))
    return random.choice((type(old)(), None)) if isinstance(old, list | dict) else "a"
