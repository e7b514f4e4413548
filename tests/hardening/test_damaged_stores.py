"""A store that came to harm gives an answer or one line that names it, the table and the row; never a traceback."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cranfield.store.damage import find_store_damage
from cranfield.store.store import Store
from tests.conftest import usually
from tests.hardening import damage
from tests.hardening.commands import run

pytestmark = pytest.mark.full

SEEDS, COMMANDS = range(usually(8, 30)), 2  # how many stores are harmed, and how many commands run on each


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with something of everything."""
    return damage.sound_store(tmp_path_factory.mktemp("sound"))


@pytest.fixture
def store(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "track.db"))


def by_hand(path: Path, statements: str) -> None:
    """Change a store as somebody does who takes its triggers away and puts them back."""
    with closing(sqlite3.connect(path)) as shell, damage.triggers_away(shell):
        shell.executescript(statements)


FIRST = "WHERE run = 1 AND topic = 1"
NO_OBJECT = "is not a JSON object: '{'"
HARM = {
    "documents cut off": (
        f"UPDATE ranking SET documents = substr(documents, 1, 7) {FIRST}",
        "evaluate STORE --policy primary",
        "table ranking, row (1, 1): documents is not an array of 32-bit numbers: 7 bytes",
    ),
    "a document that is not there": (
        f"UPDATE ranking SET documents = CAST(x'00000070' || substr(documents, 5) AS BLOB) {FIRST}",
        "evaluate STORE --policy primary",
        "table ranking, row (1, 1): column 'documents' contains 1879048192; expected numbers from 1 to 24",
    ),
    "document 0": (
        f"UPDATE ranking SET documents = CAST(x'00000000' || substr(documents, 5) AS BLOB) {FIRST}",
        "pool build STORE",
        "table ranking, row (1, 1): column 'documents' contains 0; expected numbers from 1 to 24",
    ),
    "documents of a run that goes": (
        "UPDATE ranking SET documents = x'00000070' WHERE run = 4 AND topic = 2",
        "store remove STORE run fused",
        "table ranking, row (4, 2): column 'documents' contains 1879048192; expected numbers from 1 to 24",
    ),
    "scores cut off": (
        f"UPDATE ranking SET scores = substr(scores, 9) {FIRST}",
        "export runs STORE NEW",
        "table ranking, row (1, 1): scores has 11 numbers for 12 documents",
    ),
    "a score that is no number": (
        f"UPDATE ranking SET scores = CAST(x'000000000000F87F' || substr(scores, 9) AS BLOB) {FIRST}",
        "why STORE q1 d00",
        "table ranking, row (1, 1): scores contains a value that is not a number",
    ),
    "a topic that is not there": (
        f"UPDATE ranking SET topic = 9 {FIRST}",
        "evaluate STORE --policy primary",
        "table ranking, row (1, 9): no such topic; expected 1 to 3",
    ),
    "a topic that went": (
        "DELETE FROM topic WHERE id = 2",
        "evaluate STORE --policy primary",
        "table topic, row 3: rows are missing: the 2 rows start at number 1",
    ),
    "a run's metadata": (
        "UPDATE run SET metadata = '{'",
        "export runs STORE NEW",
        f"table run, row a: metadata {NO_OBJECT}",
    ),
    "a topic's": (
        "UPDATE topic SET metadata = '{'",
        "export topics STORE NEW",
        f"table topic, row q1: metadata {NO_OBJECT}",
    ),
    "a document's": (
        "UPDATE document SET metadata = '{'",
        "export corpus STORE NEW",
        f"table document, row d00: metadata {NO_OBJECT}",
    ),
    "a scale": ("UPDATE collection SET grades = '{'", "info STORE", f"table collection, row 1: grades {NO_OBJECT}"),
    "a scale of words": (
        """UPDATE collection SET grades = '{"no": "0"}'""",
        "evaluate STORE",
        """table collection, row 1: grades is not a scale: '{"no": "0"}'""",
    ),
    "a pool's parameters": (
        "UPDATE pool SET parameters = '{' WHERE id = 5",
        "pool show STORE",
        f"table pool, row 5: parameters {NO_OBJECT}",
    ),
    "a list of parameters": (
        "UPDATE pool SET parameters = '[1]' WHERE id = 5",
        "pool diff STORE 1 5 --policy primary",
        "table pool, row 5: parameters is not a JSON object: '[1]'",
    ),
    "a pool's method": (
        "UPDATE pool SET method = char(0) WHERE id = 3",
        "pool estimate STORE --pool 3 --policy primary",
        "pool 3 was built by '\\x00'; expected a method of this program",
    ),
    "a depth": (
        """UPDATE pool SET parameters = '{"depth": "x"}' WHERE id = 1""",
        "pool show STORE --pool 1",
        "table pool, row 1: the parameter depth is invalid: 'x'",
    ),
    "a pool's runs": (
        "UPDATE pool_document SET runs = '[7]' WHERE pool = 1 AND document = 1",
        "pool show STORE --pool 1",
        "table pool_document, row (1, 'q1', 'd00'): runs is not a list of names: '[7]'",
    ),
    "a pool's runs, in SQL": (
        "UPDATE pool_document SET runs = '{' WHERE pool = 1 AND topic = 1 AND document = 1",
        "store remove STORE run fused",
        "table pool_document, row (1, 1, 1): runs is not valid JSON of the right kind",
    ),
    "parameters, in SQL": (
        "UPDATE pool SET parameters = '{' WHERE id = 2",
        "store remove STORE run fused",
        f"table pool, row 2: parameters {NO_OBJECT}",
    ),
    "an import's files": (
        "UPDATE import SET files = '{'",
        "store history STORE",
        "table import, row 1: files is not a JSON list: '{'",
    ),
    "a removal": (
        "UPDATE removal SET what = '['",
        "store history STORE",
        "table removal, row 1: what is not a JSON object: '['",
    ),
    "subtopics": (
        "UPDATE judgment_event SET evidence = '{' WHERE id = 1",
        "evaluate STORE -m alpha_nDCG@5 --policy primary",
        "table judgment_event, row 1: evidence is not valid JSON of the right kind",
    ),
    "a text that is none": (
        "UPDATE document SET text = CAST(x'61FF' AS TEXT) WHERE id = 3",
        "export corpus STORE NEW",
        "table document, row 3: text is not UTF-8: b'a\\xff'",
    ),
}


@pytest.mark.parametrize(("statements", "command", "line"), HARM.values(), ids=HARM)
def test_the_line_names_store_table_and_row(store: Path, statements: str, command: str, line: str) -> None:
    """And what is wrong there; exit 1."""
    by_hand(store, statements)
    new = store.with_name("new")
    words = [{"STORE": str(store), "NEW": str(new)}.get(word, word) for word in command.split()]
    code, err = run(words, damage.TYPED)
    notes, error = [one for one in err.splitlines() if one.startswith("note: ")], err.splitlines()[-1:]
    assert (code, error) == (1, [f"error: {store}: {line}"])
    assert len(notes) + 1 == len(err.splitlines())
    assert not new.exists()


def test_pages_that_are_overwritten(store: Path) -> None:
    """Each in turn: an answer or a line, from commands that read all of the store."""
    with Store.open(store) as base:
        size = base.rows("PRAGMA page_size")[0][0]
    whole, refusals = store.read_bytes(), 0
    for page in range(0, len(whole) // size, usually(29, 5)):
        store.write_bytes(whole[: page * size] + b"\7" * size + whole[(page + 1) * size :])
        for command in ("evaluate STORE", "export judgments STORE NEW"):
            new = store.with_name(f"new{page}")
            words = [{"STORE": str(store), "NEW": str(new)}.get(word, word) for word in command.split()]
            assert damage.wrong(words) == ""
            refusals += not new.exists()
        for file in store.parent.glob("track.db-*"):
            file.unlink()
    assert refusals > 3


def test_a_cell_of_another_type_is_found(store: Path) -> None:
    """As changed bytes make one; the schema would not let it in."""
    loose = "replace(replace(sql, 'NOT NULL', ''), ') STRICT', ')')"
    by_hand(store, f"UPDATE sqlite_master SET sql = {loose} WHERE name = 'run'; PRAGMA schema_version = 1000")
    by_hand(store, "UPDATE run SET team = NULL WHERE id = 2")
    with closing(sqlite3.connect(store)) as shell:
        assert find_store_damage(shell) == "table run, row 2: team is of type null"


def test_a_sound_store_is_found_sound(sound: Path) -> None:
    """So that an error of the program itself is never blamed on the store."""
    with Store.open(sound) as store:
        assert find_store_damage(store.conn) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_a_harmed_store_gives_an_answer_or_a_line(sound: Path, tmp_path: Path, seed: int) -> None:
    """Cells, rows and bytes of it, at random; benchmarks/hardening.py does it for hours."""
    assert damage.faults(sound, seed, COMMANDS, tmp_path) == []
