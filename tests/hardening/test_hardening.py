"""Bad bytes, kills, full disks and storms of processes, for seconds; benchmarks/hardening.py does it for hours."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from cranfield import formats
from cranfield.cli.program import app
from cranfield.errors import InputError
from cranfield.formats.table import all_kinds, formats_of
from tests.conftest import usually
from tests.hardening import fuzz, kills, published, readers, reading, samples, servers
from tests.hardening.inputs import damage
from tests.hardening.readers import Reader
from tests.needed_extras import skip_without
from tests.stores import new_file

pytestmark = [pytest.mark.full, pytest.mark.needs_extra("arrow")]

ROOT = Path(__file__).resolve().parents[2]
INPUTS, FEW = usually(8, 60), usually(2, 10)  # of each reader, and of each that is slow
MANY = 20  # of so many damaged inputs some can still be read
PARSERS = re.compile(
    r"(?:parse_toml|tomllib\.loads)\(|yaml\.safe_load|csv\.(?:reader|DictReader)|json\.loads?\(|ParquetFile"
)
ELSEWHERE = {  # where the program parses outside formats/, and the reader that goes there; a store has its own columns
    "decoding.py": "store",
    "keys.py": "keys",
    "recipes.py": "recipe",
    "describe.py": "description",
    "publication.py": "store",
    "prompt.py": "prompt",
    "server.py": "model answer",
    "grammar.py": "model answer",
    "journal.py": "model answers left",
    "planned.py": "model batch",
    "asking.py": "model parameters",
    "verification.py": "manifest",
    "limits.py": "model parameters",
    "definition.py": "system",
    "client.py": "system",  # its answers are tried one by one in tests/features/collecting
    "description.py": "task",
    "run_meta.py": "task",
    "own_measures.py": "own measures",
    "archive.py": "receipt",
    "submissions.py": "store",
    "vectors.py": "store",  # a cache of its own
    "process.py": "corpus folder",
}
# Modules that parse files of the program itself, or files that it has just written.
BUNDLED = {"tasks.py", "trec.py", "ir_datasets.py", "templates.py", "messages.py"}
READ_ONLY = {
    "help", "assessor results", "assessor questions", "lag", "round list", "topics list", "topics hardness",
    "topics next", "task teams", "task withdrawals", "task submissions", "task receipt", "task results", "submit",
    # one transaction each, as those that are killed; what teams send is killed in tests/features/tasks
    "store fetch", "round same", "topics set", "task describe", "task open", "task close", "task release",
    "task invite", "task decide", "store labels",
    "task revoke", "assessor practice", "assessor answer",
    "topics try", "topics keep", "topics drop", "import variations",
    "task archive",
    "assessor list", "serve",  # what is recorded while serving is killed in tests/web
    "info", "collection list", "collection show", "pool show", "pool diff", "pool methods", "pool verify",
    "pool simulate", "pool tune", "pool forecast", "pool estimate", "store history", "store releases", "store verify",
    "progress", "agreement", "diff",
    "model prefer", "answers claims make", "answers questions make",
    "model assess run", "model assess import",  # what models answer is killed and refused in tests/judging/models
    "model prompts", "model audit report", "model audit estimate",
    "online show", "online clicks models", "online counterfactual", "online divergence",
    "why", "rehearse", "compare", "correlate", "curve", "measures", "trec-eval", "reusability", "depths", "stability",
    "diagnose", "publish check", "answers nuggets show", "online interleave methods", "online preference", "online ab",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _fresh_store() -> Iterator[None]:
    """A store of its own for each test, as what a test opens is closed when it ends."""
    reading.a_store.cache_clear()
    yield
    reading.a_store.cache_clear()


@pytest.mark.parametrize("reader", readers.table().values(), ids=list(readers.table()))
def test_every_input_is_read_or_refused_in_one_line(tmp_path: Path, reader: Reader) -> None:
    """Nothing else comes of it, and soon."""
    outcomes = {seed: fuzz.outcome(reader, seed, tmp_path).what for seed in range(FEW if reader.slow else INPUTS)}
    assert {seed: what for seed, what in outcomes.items() if what not in ("read", "refused")} == {}
    assert "read" in outcomes.values() or len(outcomes) < MANY


@pytest.mark.parametrize("reader", readers.table().values(), ids=list(readers.table()))
def test_every_sound_input_is_read(tmp_path: Path, reader: Reader) -> None:
    """So that what is damaged was right before."""
    if reader.name.endswith(" auto") or reader.name.startswith(("scores", "command", "words")):
        return  # a sound file of one kind alone
    for sample in reader.samples:
        content = reader.read(fuzz.write(reader, sample, tmp_path))
        if reader.keep:
            reader.keep(content)


@pytest.mark.daily
def test_whatever_a_server_of_models_sends_the_call_ends() -> None:
    """With an answer or a line; nothing is sent elsewhere."""
    skip_without("llm")
    assert {seed: wrong for seed in range(usually(8, 100)) if (wrong := servers.ask(seed))} == {}


def test_whatever_is_changed_in_a_published_folder_is_found(tmp_path: Path) -> None:
    """Though the checksums were recomputed; in a line."""
    wrong = published.trial(tmp_path)
    assert {seed: what for seed in range(usually(3, 200)) if (what := wrong(seed))} == {}


def test_every_format_has_samples() -> None:
    """Whoever adds a format adds sound files of it, and has it fuzzed."""
    assert set(samples.of_formats()) == {(kind, row.name) for kind in all_kinds() for row in formats_of(kind)}


def test_every_parser_is_fuzzed() -> None:
    """Whoever parses files elsewhere names the reader that goes there."""
    places = [path for path in (ROOT / "cranfield").rglob("*.py") if "formats" not in path.parts]
    places += [path for name in ("judging", "metrics", "pooling") for path in (ROOT / name).rglob("*.py")]
    assert {path.name for path in places if PARSERS.search(path.read_text("utf-8"))} == {*ELSEWHERE, *BUNDLED}
    assert {name.removeprefix("read_") for name in formats.__all__ if name.startswith("read_")} == {
        "corpus", "topics", "runs", "qrels", "votes", "teams", "metadata", "preferences", "answers", "nuggets",
    }  # fmt: skip
    assert set(ELSEWHERE.values()) <= set(readers.table())


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[str]:
    if hasattr(command, "commands"):
        for name in command.commands:
            yield from commands(command.commands[name], (*words, name))
    else:
        yield " ".join(words)


def test_every_command_that_writes_is_killed() -> None:
    """Whoever adds a command says whether it writes."""
    names = {
        name for name in commands(typer.main.get_command(app)) if any(w.words.startswith(name) for w in kills.WRITERS)
    }
    assert set(commands(typer.main.get_command(app))) - names == READ_ONLY


def test_a_seed_gives_the_same_input() -> None:
    """In whatever process."""
    sound = samples.of_formats()["votes", "csv"]
    assert [damage(fuzz.random_of("a", seed), sound) for seed in range(50)] == [
        damage(fuzz.random_of("a", seed), sound) for seed in range(50)
    ]


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (KeyError("a"), "KeyError: 'a' (test_hardening.py:"),
        (InputError("a\x1b[2J\nb" + "x" * 100_000), "refused"),
        (None, "read"),
    ],
)
def test_what_breaks_the_law_is_told(tmp_path: Path, error: Exception | None, what: str) -> None:
    """A traceback is; an error of the data's fault is one line, whatever is in it."""

    def read(path: Path) -> None:
        if error is not None:
            raise error

    assert fuzz.outcome(Reader("bad", (b"a",), read), 0, tmp_path).what.startswith(what.partition(" (")[0])


def test_what_does_not_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An input that takes too long is stopped."""
    monkeypatch.setattr(fuzz, "SECONDS", 0.05)

    def read(path: Path) -> None:
        while True:
            pass

    assert fuzz.outcome(Reader("endless", (b"a",), read), 0, tmp_path).what == "no end after 0.05 seconds"


@pytest.mark.daily
def test_kills_full_disks_and_storms() -> None:
    """A few of each, and all commands to their ends; in another process, which has no threads and may fork."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.hardening"], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True, text=True, timeout=480, check=False,
    )  # fmt: skip
    lines = process.stdout.splitlines()
    assert ([line for line in lines if not line.endswith(": ")], process.returncode) == ([], 0), process.stderr[-2000:]
    assert sum(line.startswith("kill ") for line in lines) == 24
    assert {*lines} >= {f"{name}: " for name in kills.table()}


def test_a_store_on_a_full_disk_is_read(tmp_path: Path) -> None:
    """With a note; nobody is advised to move it away."""
    path = new_file(tmp_path / "t.db")
    # -B: otherwise Python writes bytecode files of 64 bytes, which no later process can import
    limits = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64)); sys.argv.insert(1, 'info')"
    process = subprocess.run(
        [sys.executable, "-B", "-c", f"{limits}; from cranfield.cli.program import main; main()", path], cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr.count("\n")) == (0, 1)
    assert "it cannot be opened for writing (disk I/O error); this program reads it without locks" in process.stderr
    assert "move" not in process.stderr


GREEDY = """
import os
from tests.hardening.batches import in_a_child
from tests.hardening.readers import Reader

def read(path):
    number = int(path.read_bytes())
    if number == 3:
        return bytearray(2 * 1024**3)
    if number == 5:
        os.kill(os.getpid(), 11)

from tests.hardening import fuzz
fuzz.damage = lambda random, samples: samples[0]
fuzz.random_of = lambda name, seed: setattr(reader, "samples", (b"%d" % seed,))
reader = type("Row", (), {"name": "a", "samples": (), "read": staticmethod(read), "keep": None, "inside": ""})()
tally = in_a_child(reader, range(10))
print(tally.tries, tally.wrong)
"""


@pytest.mark.daily
def test_what_takes_too_much_memory_or_ends_the_process_is_told() -> None:
    """By its seed, and the others are read."""
    process = subprocess.run([sys.executable, "-c", GREEDY], cwd=ROOT, capture_output=True, text=True, check=False)
    notes = [text in process.stdout for text in ("10 [", "(5, 'the process ended with -11')", "(3, 'MemoryError: ")]
    assert all(notes), (process.stdout, process.stderr)


def test_a_number_without_end_names_no_decision(tmp_path: Path) -> None:
    """In line mode, where it was a ValueError."""
    path = tmp_path / "typed"
    path.write_text(f"1\nl {'9' * 4400}\nq\n")
    reading.judging_lines(path)
