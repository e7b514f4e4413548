"""Stores that came to harm, and the commands that read them: an answer or one line, never more."""

import random
import shutil
import sqlite3
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from cranfield.store.chain import Event
from cranfield.store.log import add_assessor, add_criterion, append
from cranfield.store.store import Store
from tests.files import json_lines
from tests.hardening.commands import run

QIDS, DOCNOS = ("q1", "q2", "q3"), tuple(f"d{number:02}" for number in range(24))
MARKS = '[{"start": 0, "end": 4, "quote": "lift"}]'
WAYS = {"mtf": "--budget 6 --batch 3", "stratified": "--budget 6", "uniform": "--budget 5", "rrf": "--budget 4"}
READING = """
info STORE
store history STORE
store verify STORE
store backup STORE NEW
progress STORE
agreement STORE
adjudicate STORE --list
adjudicate STORE --assessor eve
why STORE q1 d00
diff STORE primary ada
rehearse STORE --repeats 1
evaluate STORE -m AP -m nDCG@5
evaluate STORE -m alpha_nDCG@5
evaluate STORE -m xinfAP
compare STORE
curve STORE
reusability STORE
reusability STORE --by team --pool 2
depths STORE --depth 3
stability STORE
diagnose STORE late.run
report STORE NEW.html
pool show STORE
pool show STORE --pool 2
pool diff STORE 1 2
pool verify STORE
pool simulate STORE --method rrf --workers 1 --budgets 4
pool forecast STORE
pool estimate STORE --pool 3
pool estimate STORE --pool 4 --by-topic
pool export STORE NEW
pool build STORE --depth 2
pool build STORE --method mtf --budget 8 --batch 3
export qrels STORE NEW
export runs STORE NEW
export pool STORE NEW
export judgments STORE NEW
export topics STORE NEW
export corpus STORE NEW
export beir STORE NEW
export bundle STORE NEW --assessor ada
export page STORE NEW --assessor ada
import bundle STORE ada.db
import bundle sound.db STORE
import runs STORE late.run
assign STORE
assign STORE --assessor eve
fuse STORE -o NEW.run
search STORE
judge STORE --assessor ada --plain
judge STORE --assessor bob --plain
store remove STORE run fused
store remove STORE pool 5
store remove STORE import 4
""".strip().splitlines()
TYPED = "1\nn a note\n2\nu\nU\ns\nx off\n0\nq\n"
JUNK = (
    "",
    "{",
    "[",
    "null",
    "0",
    '"a"',
    "{}",
    "[]",
    "[1]",
    '["x"]',
    '{"a": 1}',
    '{"depth": "x"}',
    '{"runs": 7}',
    "\x00",
    '{"depth": -1, "runs": []}',
    '{"runs": ["a", "nobody"]}',
    '{"0": "no", "1": "yes", "x": 0}',
    '{"holds": 99}',
    "a" * 300,
    '{"holds": 1, "runs": ["a"], "depth": 3}',
    "[" * 5000,
    "1" * 5000,
    '{"depth": NaN}',
    "\ud7ff\U0001f600\x1b[2J",
    "1e999",
    '{"batches": {"q1": [3]}, "runs": ["a"], "considered": 10}',
    '{"options": [], "batches": []}',
    "2030-13-45",
    "ada",
)
COMMANDS = 4  # of each seed
NUMBERS = (-1, 0, 1, 2, 99, 2**31, -(2**63), 2**63 - 1)


def sound_store(folder: Path) -> Path:
    """A store with something of everything, and beside it the files that commands read."""
    path, files = folder / "sound.db", _files(folder)
    for words in (
        f"init {path} --name small --scale 0=no,1=yes,2=very", f"import corpus {path} {files}/corpus.jsonl",
        f"import topics {path} {files}/topics.jsonl", f"import runs {path} {files}/a.run {files}/b.run {files}/c.run",
        f"pool build {path} --depth 4",
        f"import qrels {path} {files}/subtopics.txt --assessor trec --format subtopics",
        f"import qrels {path} {files}/qrels.txt --assessor nist",
        f"import qrels {path} {files}/model.txt --assessor gpt --kind model",
        f"store labels {path} --policy primary",
        *(f"pool build {path} --method {name} --depth 10 {size}" for name, size in WAYS.items()),
        f"store labels {path} --none",
        f"assign {path} --assessor ada --assessor bob --overlap 50% --repeat 1 --pool 1",
        f"import runs {path} {files}/late.run", f"store remove {path} run late --reason late",
        f"fuse {path} --tag fused",
    ):  # fmt: skip
        code, stderr = run(words.split())
        assert code == 0, (words, stderr)
    with Store.open(path) as store:
        _judged(store)
    for words in (
        f"export bundle {path} {folder}/ada.db --assessor ada",
        f"judge {folder}/ada.db --assessor ada --plain",
    ):
        assert run(words.split(), TYPED)[0] == 0, words
    return path


def _files(folder: Path) -> Path:
    """What is imported, and what commands read besides the store."""
    texts = [
        {"_id": d, "title": f"title {d}", "text": f"lift of wings {d}", "metadata": {"year": 1960}} for d in DOCNOS
    ]
    topics = [{"_id": qid, "title": f"lift {qid}", "description": "d", "narrative": "n"} for qid in QIDS]
    for name, records in (("corpus", texts), ("topics", topics)):
        (folder / f"{name}.jsonl").write_text(json_lines(records))
    for at, tag in enumerate(("a", "b", "c", "late")):
        ranks = [(q, DOCNOS[(5 * at + step * (1, 5, 7, 11)[at]) % 24], 12 - step) for q in QIDS for step in range(12)]
        header = "# ir_metadata.start\n# tag: a\n# actor:\n#   team: t\n# ir_metadata.end\n" if tag == "a" else ""
        lines = [f"{q} Q0 {d} 1 {score} {tag}\n" for q, d, score in dict.fromkeys(ranks)]
        (folder / f"{tag}.run").write_text(header + "".join(lines))
    judged = [(q, d, place % 3) for q in QIDS for place, d in enumerate(DOCNOS)]
    (folder / "qrels.txt").write_text("".join(f"{q} 0 {d} {grade}\n" for q, d, grade in judged))
    (folder / "model.txt").write_text("".join(f"{q} 0 {d} {2 - grade}\n" for q, d, grade in judged))
    (folder / "subtopics.txt").write_text("".join(f"{q} {1 + grade} {d} 1\n" for q, d, grade in judged))
    return folder


def _judged(store: Store) -> None:
    """Labels of two people with all that belongs to them, one taken back, one adjudicated."""
    for name, grade in (("ada", 2), ("bob", 1)):
        for docno in DOCNOS[:6]:
            about = {"evidence": MARKS, "note": "why", "seconds": 2.5, "pool": 1}
            append(store, Event("label", "q1", docno, name, grade=grade, **about))  # type: ignore[arg-type]
        add_criterion(store, "q1", name, "only wings")
    append(store, Event("retract", "q1", "d05", "bob", supersedes=store.last_row_number("judgment_event")))
    add_assessor(store, "eve")
    append(store, Event("adjudicate", "q1", "d01", "eve", grade=0))


def damage_store(path: Path, chance: random.Random) -> str:
    """Do a store some harm; what was done."""
    if chance.random() < 0.3:
        return _flip(path, chance)
    with closing(sqlite3.connect(path)) as shell, shell:
        shell.execute("PRAGMA ignore_check_constraints = ON")
        statement, values = _statement(shell, chance)
        try:
            with triggers_away(shell):
                shell.execute(statement, values)
        except sqlite3.IntegrityError as error:
            return f"nothing: {error}"
    return f"{statement} {values!r:.80}"


def take_triggers_away(shell: sqlite3.Connection) -> None:
    """All at once, which takes a third of the time; the schema can be written from then on."""
    _write_schema(shell, "DELETE FROM sqlite_master WHERE type = 'trigger'", [()])


@contextmanager
def triggers_away(shell: sqlite3.Connection) -> Iterator[None]:
    """The same for a while."""
    rows = shell.execute("SELECT * FROM sqlite_master WHERE type = 'trigger'").fetchall()
    take_triggers_away(shell)
    try:
        yield
    finally:
        _write_schema(shell, "INSERT INTO sqlite_master VALUES (?, ?, ?, ?, ?)", rows)
        shell.execute("PRAGMA writable_schema = OFF")


def behind_its_back(path: Path, *statements: str) -> None:
    """Change a store by hand, its triggers away meanwhile."""
    with closing(sqlite3.connect(path)) as shell, triggers_away(shell):
        for statement in statements:
            shell.execute(statement)


def _write_schema(shell: sqlite3.Connection, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
    if hasattr(shell, "setconfig"):  # a store's connection refuses changes of its schema, from Python 3.12 on
        shell.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, False)  # type: ignore[attr-defined,unused-ignore]
    shell.execute("PRAGMA writable_schema = ON")
    shell.executemany(statement, rows)
    shell.commit()
    shell.execute("PRAGMA writable_schema = RESET")
    shell.execute("PRAGMA writable_schema = ON")


def _statement(shell: sqlite3.Connection, chance: random.Random) -> tuple[str, list[object]]:
    """A change of a cell, or of a row."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%' AND name NOT LIKE 'sqlite%'"
    tables = [name for (name,) in shell.execute(query + " ORDER BY name")]
    table = chance.choice([name for name in tables if shell.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone()])
    columns = shell.execute(f"PRAGMA table_info({table})").fetchall()
    key = " || ' ' || ".join(name for _, name, *_, place in columns if place)
    row = chance.choice(sorted(str(name) for (name,) in shell.execute(f"SELECT {key} FROM {table}")))
    if chance.random() < 0.1:
        return f"DELETE FROM {table} WHERE {key} = ?", [row]
    _, column, kind, *_ = chance.choice(columns)
    before = shell.execute(f"SELECT {column} FROM {table} WHERE {key} = ?", [row]).fetchone()[0]
    return f"UPDATE {table} SET {column} = ? WHERE {key} = ?", [_junk(kind, before, chance), row]


def _junk(kind: str, before: object, chance: random.Random) -> object:
    """Another value for a cell of this type."""
    if kind == "INTEGER":
        return chance.choice(NUMBERS)
    if kind == "REAL":
        return chance.choice((-1.0, 0.0, 1e-300, 1e300, float("inf"), 7.5))
    if kind == "BLOB":
        old = bytearray(before if isinstance(before, bytes) else b"")
        if old and chance.random() < 0.5:
            old[chance.randrange(len(old))] ^= 1 << chance.randrange(8)
            return bytes(old)
        return chance.choice((bytes(old[: chance.randrange(len(old) + 1)]), bytes(old) * 2, b"", chance.randbytes(16)))
    text = str(before or "")
    cut = chance.randrange(len(text) + 1)
    return chance.choice((*JUNK, text[:cut], text[:cut] + chance.choice(JUNK) + text[cut:]))


def _flip(path: Path, chance: random.Random) -> str:
    """Change a few bytes of the file."""
    content = bytearray(path.read_bytes())
    places = [chance.randrange(len(content)) for _ in range(chance.choice((1, 2, 8, 64)))]
    for place in places:
        content[place] = chance.randrange(256)
    path.write_bytes(content)
    return f"{len(places)} bytes, the first at {places[0]}"


def trial(folder: Path) -> Callable[[int], str]:
    """What is wrong, of a seed; the sound store is made in a new folder when it is needed."""
    here = Path(tempfile.mkdtemp(prefix="harm-", dir=folder))

    def of_seed(seed: int) -> str:
        sound, work = here / "sound" / "sound.db", here / "work"
        if not work.exists():
            sound.parent.mkdir()
            sound_store(sound.parent)
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        return "; ".join(faults(sound, seed, COMMANDS, work))

    return of_seed


def faults(sound: Path, seed: int, commands: int, folder: Path) -> list[str]:
    """Harm a copy of a sound store, and run so many commands on it; what is wrong with what they did."""
    chance = random.Random(seed)
    original, store = folder / "harmed.db", folder / "store.db"
    shutil.copyfile(sound, original)
    harm = damage_store(original, chance)
    notes = []
    for command in chance.sample(READING, commands):
        for file in folder.glob("store.db*"):
            file.unlink()
        shutil.copyfile(original, store)
        new = folder / f"new{seed}-{len(list(folder.iterdir()))}"
        words = [{"STORE": str(store), "NEW": str(new), "NEW.html": f"{new}.html", "NEW.run": f"{new}.run"}.get(
            word, str(sound.parent / word) if word.endswith((".txt", ".run", ".db")) else word
        ) for word in command.split()]  # fmt: skip
        if what := wrong(words):
            notes.append(f"seed {seed}: {harm}: {command}: {what}")
    return notes


def wrong(words: Sequence[str]) -> str:
    """What is wrong with how a command ends; nothing if all is well."""
    try:
        code, err = run(words, TYPED)
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({Path(at.filename).name}:{at.lineno})"
    errors = [line for line in err.splitlines() if line.startswith("error: ")]
    if code == 1 and len(errors) != 1:
        return f"exit 1 with {err!r}"
    return f"exit {code}" if code not in (0, 1, 2) else ""
