"""Change one cell of a store by hand, without triggers: `store verify` sees it, or docs/operate/sql.md says why not."""

import json
import random
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.errors import CranfieldError
from cranfield.store.store import Store
from cranfield.store.verification import verify
from tests.hardening.damage import JUNK, NUMBERS
from tests.store.full_store import full_store

OURS = ("sqlite_", "_sqlite", "document_fts")  # tables that SQLite keeps
DOC = Path(__file__).parents[2] / "docs" / "operate" / "sql.md"
SETTINGS = ("ignore_check_constraints = ON", "foreign_keys = OFF", "recursive_triggers = OFF")


class Column(NamedTuple):
    """A column of a table, and its type."""

    table: str
    name: str
    kind: str


def full_stores(folder: Path) -> Mapping[bool, bytes]:
    """The store without a release, and with one, which has a hash of every table."""
    stores = {}
    for release in (False, True):
        with closing(sqlite3.connect(full_store(Path(tempfile.mkdtemp(dir=folder)), release))) as shell:
            shell.execute("PRAGMA journal_mode = DELETE")  # memory has no other files
            stores[release] = shell.serialize()
    return stores


@contextmanager
def open_store(content: bytes) -> Iterator[Store]:
    with Store(":memory:") as store:
        store.conn.deserialize(content)
        store.set_pragmas()
        yield store


def outside() -> dict[str, set[str]]:
    """The columns that docs/operate/sql.md says are outside, by table; * stands for all."""
    part = DOC.read_text("utf-8").split("## What verify does not detect")[1].split("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \|", part, re.MULTILINE)
    return {table: set(re.findall(r"`([a-z_0-9]+)`", columns)) or {"*"} for table, columns in rows}  # or: all


def is_outside(tables: Mapping[str, set[str]], column: Column) -> bool:
    """Whether docs/operate/sql.md says that a column is outside."""
    return bool(tables.get(column.table, set()) & {column.name, "*"})


def columns(store: Store) -> list[Column]:
    """Every column of every table."""
    tables = [name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    return [
        Column(table, name, kind)
        for table in tables
        if not table.startswith(OURS)
        for _, name, kind, *_ in store.rows(f"PRAGMA table_info({table})")
    ]


def cells(store: Store, column: Column) -> list[tuple[Any, ...]]:
    """The values of a column, each with the key of its row."""
    keys = ", ".join(f'"{key}"' for key in _keys(store, column.table))
    return store.rows(f'SELECT "{column.name}", {keys} FROM "{column.table}" ORDER BY {keys}')


def _keys(store: Store, table: str) -> list[str]:
    return [name for _, name, *_, place in store.rows(f"PRAGMA table_info({table})") if place]


def change(store: Store, column: Column, key: Sequence[Any], value: Any) -> bool:
    """Change a cell, with no trigger and no constraint in the way; whether that was possible."""
    for setting in SETTINGS:
        store.conn.execute(f"PRAGMA {setting}")
    own = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
    triggers = store.rows(own, [column.table])
    for name, _ in triggers:
        store.conn.execute(f"DROP TRIGGER {name}")
    where = " AND ".join(f'"{name}" = ?' for name in _keys(store, column.table))
    try:
        store.conn.execute(f'UPDATE "{column.table}" SET "{column.name}" = ? WHERE {where}', [value, *key])
    except (sqlite3.IntegrityError, OverflowError):  # another type, or the value is another row's
        return False
    for _, sql in triggers:
        store.conn.execute(sql)
    store.conn.commit()
    store.conn.execute("PRAGMA ignore_check_constraints = OFF")
    return True


def is_seen(store: Store) -> bool:
    """Whether `verify` sees that a store was changed."""
    try:
        verify(store)
    except (CranfieldError, sqlite3.Error):
        return True
    return False


def unseen(content: bytes, chance: random.Random) -> str:
    """Change one cell; what it was if nobody sees it, nothing if all is well."""
    with open_store(content) as store:
        every = columns(store)
        column = next(one for one in chance.sample(every, len(every)) if cells(store, one))
        there = cells(store, column)
        value, *key = chance.choice(there)
        new = other(value, column.kind, [one for one, *_ in there], chance)
        if (type(new), new) == (type(value), value) or not change(store, column, key, new):
            return ""
        after = next((one for one, *names in cells(store, column) if names == key), new)
        if after == value or is_seen(store) or is_outside(outside(), column):
            return ""
    return f"{column.table}, row {key}: {column.name} was {value!r:.80}, and nobody sees that it is {new!r:.80}"


def other(value: Any, kind: str, there: Sequence[Any], chance: random.Random) -> Any:
    """Another value for a cell: what it is elsewhere, nothing, a little more, a little damaged, junk."""
    return chance.choice((_elsewhere, _nothing, _more, _damage, _junk))(value, kind, there, chance)


def _elsewhere(value: Any, kind: str, there: Sequence[Any], chance: random.Random) -> Any:
    return chance.choice(there)


def _nothing(value: Any, kind: str, there: Sequence[Any], chance: random.Random) -> Any:
    return chance.choice((None, {"TEXT": "", "BLOB": b"", "REAL": 0.0}.get(kind, 0)))


def _more(value: Any, kind: str, there: Sequence[Any], chance: random.Random) -> Any:
    if kind in ("INTEGER", "REAL"):
        return (value or 0) + chance.choice((-1, 1))
    if kind == "BLOB":
        return (value or b"") + b"\0"
    return (value or "") + chance.choice((" ", "\n", "x", "\0", "\u200b"))


def _damage(value: Any, kind: str, there: Sequence[Any], chance: random.Random) -> Any:
    if isinstance(value, bytes) and value:
        place = chance.randrange(len(value))
        return value[:place] + bytes([value[place] ^ 1 << chance.randrange(8)]) + value[place + 1 :]
    if isinstance(value, str) and value:
        return _other_text(value, chance)
    return 1 - value if value in (0, 1) else -value if isinstance(value, int | float) else value


def _other_text(text: str, chance: random.Random) -> str:
    place = chance.randrange(len(text))
    ways = [text[:place] + text[place + 1 :], text.swapcase(), text[:place] + "x" + text[place:], text.strip()]
    try:
        tree = json.loads(text)
        ways += [json.dumps(tree, indent=1), json.dumps({**tree, "x": 1} if isinstance(tree, dict) else [tree])]
    except ValueError:
        pass
    return chance.choice(ways)


def _junk(value: Any, kind: str, there: Sequence[Any], chance: random.Random) -> Any:
    junk = {"INTEGER": NUMBERS, "REAL": (-1.0, 1e300, 7.5), "BLOB": (b"", b"x")}
    return chance.choice(junk.get(kind, JUNK))


def trial(folder: Path) -> Callable[[int], str]:
    """What is wrong, of a seed; the stores are made when they are needed."""
    stores: dict[bool, bytes] = {}

    def of_seed(seed: int) -> str:
        stores.update(stores or full_stores(folder))
        chance = random.Random(f"cell {seed}")
        return unseen(stores[chance.random() < 0.3], chance)

    return of_seed
