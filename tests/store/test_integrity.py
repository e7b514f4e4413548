"""SQLite's own check finds nothing in a sound store, new or old."""

from pathlib import Path

import pytest

from cranfield.store.store import Store
from tests.conftest import Cranfield

RUNS = {"a": ("d1", "d2", "d3"), "b": ("d3", "d4", "d1")}


@pytest.fixture
def full(tmp_path: Path, cranfield: Cranfield) -> Path:
    """A store with everything in it: a corpus, topics, runs, a stratified and a growing pool, a plan, labels."""
    store = tmp_path / "track.db"
    (tmp_path / "corpus.jsonl").write_text(
        "".join(f'{{"_id": "d{n}", "text": "wing {n}", "k": [1]}}\n' for n in range(9))
    )
    (tmp_path / "topics.tsv").write_text("1\twing\n2\tlift\n3\tdrag\n")
    (tmp_path / "qrels").write_text("1 1 d1 1\n1 2 d1 0\n2 1 d4 1\n")
    for tag, docnos in RUNS.items():
        lines = [f"{q} Q0 {d} 0 {9 - n} {tag}\n" for q in (1, 2) for n, d in enumerate(docnos)]
        (tmp_path / tag).write_text("".join(lines))
    for words in (
        ["init", store, "--name", "full"],
        ["import", "corpus", store, tmp_path / "corpus.jsonl"],
        ["import", "topics", store, tmp_path / "topics.tsv"],
        ["import", "runs", store, *(tmp_path / tag for tag in RUNS)],
        ["import", "qrels", store, tmp_path / "qrels", "--format", "subtopics"],
        ["search", store, "--system", "bm25"],
        ["pool", "build", store, "--method", "mtf", "--budget", "4"],
        ["pool", "build", store, "--method", "stratified", "--depth", "3", "--budget", "4"],
        ["pool", "build", store, "--depth", "3"],
        ["assign", store, "--assessor", "ada", "--assessor", "bob", "--overlap", "50%", "--repeat", "1"],
        ["store", "remove", store, "topic", "3"],
    ):
        result = cranfield(*words)
        assert result.code == 0, (words, result.err)
    return store


def test_a_store_with_everything_in_it_is_sound(full: Path) -> None:
    """No table of a store is one that SQLite's check misreads."""
    with Store.open(full) as store:
        tables = {name for (name,) in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        filled = {name for name in tables if store.rows(f"SELECT 1 FROM {name} LIMIT 1")}
        assert {"sampled", "holder", "pool_document", "frame_document", "pool_step", "ranking", "removal"} <= filled
        assert store.rows("PRAGMA integrity_check") == [("ok",)]
        assert store.rows("PRAGMA foreign_key_check") == []


def test_a_key_without_rowids_is_the_first_of_the_columns() -> None:
    """What the check of SQLite 3.40 takes for NULLs; others do not find it, so it is looked for here."""
    with Store.memory("any") as store:
        for name, sql in store.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'"):
            if "WITHOUT ROWID" in sql:
                keys = [key for *_, key in store.rows(f"PRAGMA table_info({name})")]
                size = max(keys)
                assert keys[:size] == [*range(1, size + 1)], name
