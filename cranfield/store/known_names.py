"""The names in a store that begin with a text, for shells that complete them: read at once, without numpy."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from cranfield.hooks import tables_of_stores

MOST = 200  # names that a shell can show
MAGIC = b"SQLite format 3\0"
LAST = chr(0x10FFFF)
NAMES: Mapping[str, str] = {
    "run": "SELECT tag AS name FROM run",
    "team": "SELECT DISTINCT team AS name FROM run",
    "topic": "SELECT qid AS name FROM topic",
    "document": "SELECT docno AS name FROM document",
    "topic set": "SELECT DISTINCT name FROM topic_set",
    "assessor": "SELECT name FROM assessor",
    "pool": "SELECT CAST(id AS TEXT) AS name FROM pool",
    "release": "SELECT name FROM release",
    "import": "SELECT CAST(id AS TEXT) AS name FROM import",
}


def is_database(path: Path) -> bool:
    """Whether a file may be a store."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def known_names(path: Path, kind: str, beginning: str = "") -> list[str]:
    """The first names of this kind that begin so; none where there is no store."""
    if not is_database(path):
        return []
    names = NAMES.get(kind) or next(part.names[kind] for part in tables_of_stores().values() if kind in part.names)
    query = f"SELECT name FROM ({names}) WHERE name >= ? AND name < ? ORDER BY name LIMIT ?"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return [name for (name,) in connection.execute(query, (beginning, beginning + LAST, MOST))]
    except sqlite3.Error:
        return []
