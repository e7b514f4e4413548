"""Every command that writes, killed at any moment: all or nothing of it happened, and no half file has its name.

What a killed command leaves beside is hidden, its name beginning with a dot, or is a folder DIR.partial. SQLite's own
-wal and -shm stand beside a store until it is opened again.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from typing import NamedTuple

from cranfield.features.answers.store.labels import (
    CLAIM_LABELS,
    COMPARISON_LABELS,
    CORRECTNESS_LABELS,
    NUGGET_LABELS,
    RUBRIC_LABELS,
    SUPPORT_LABELS,
)
from tests.hardening.forks import ERR, OUT, Moments, command, fork, wait_for
from tests.hardening.stores import (
    STEPS,
    Facts,
    answers,
    facts,
    grades,
    is_store,
    labels_of,
    material,
    nuggets,
    wrong_in,
)  # fmt: skip
from tests.store.earlier import earlier

RANDOM = re.compile(rb"[\w-]{32}|\d{4}-\d\d-\d\dT[\d:.+]*")  # ids and times, which are others whenever they are made
BESIDE = ("-wal", "-shm", "-journal")  # SQLite's own
BY_CALL, NEAR_WRITING = 0.6, 0.7  # shares of kills at a call, and of those around calls that write
Check = Callable[["AfterKill"], str]
Read = Callable[[Path, str], list[int | None]]  # the labels of an assessor in a store


@dataclass(frozen=True)
class Writer:
    """A row of the table: a command on the small store, in which step it may stop, and what else has to hold.

    `before` are commands that come before it, `keys` is what is typed into it; `by_steps`: it is several transactions
    or files, each of which is whole or not there.
    """

    words: str
    before: Sequence[str] = ()
    keys: str = ""
    by_steps: bool = False
    check: Check = field(default=lambda state: "")

    @property
    def name(self) -> str:
        """The command's name, with what tells it from others."""
        return self.words


class AfterKill(NamedTuple):
    """A killed command: the folder as it is, what was said, and what was typed."""

    folder: Path
    stdout: str
    writer: Writer


class Timing(NamedTuple):
    """How long a command takes, in seconds and in calls, which of those write, and what it leaves."""

    seconds: float
    calls: int
    writing: Sequence[int]


def keeps_labels(assessor: str, read: Read) -> Check:
    """Every label that was acknowledged is there, in order; one more at most."""

    def check(state: AfterKill) -> str:
        reports = len(re.findall("(?:^|> )Recorded: ", state.stdout, re.MULTILINE))
        grades_of_keys = [int(line) for line in state.writer.keys.split() if line.isdigit()]
        there = read(state.folder / "t.db", assessor)
        if len(there) < reports or len(there) > reports + 1:
            return f"{reports} labels were acknowledged, {len(there)} are there"
        return "" if there == grades_of_keys[: len(there)] else f"labels {there}, where {grades_of_keys} were typed"

    return check


def labelling(words: str, keys: str, read: Read = grades, before: Sequence[str] = ()) -> Writer:
    """A command that records a label after the other, of the assessor whom its words name."""
    assessor = words.split("--assessor ")[1].split(maxsplit=1)[0]
    return Writer(words, before, keys, by_steps=True, check=keeps_labels(assessor, read))


JUDGED = "".join(f"{number % 2}\n" for number in range(12))
EDITED = "".join(f"n {number}\n" for number in range(6))  # nuggets that are numbers
LABELLED = "2\n0\n1\n0\n"
RATED = "1\n0\n"
TYPED = {"judge": JUDGED, "answers nuggets edit": EDITED}  # into commands that come before others
ANSWERS = ["import answers t.db answers.jsonl"]
CLAIMS = ["import answers t.db made.jsonl", "answers claims import t.db claims.jsonl --assessor bob"]
ADJUDICATED = "1\n0\n1\n1\n0\n1\n"
WRITERS: tuple[Writer, ...] = (
    Writer("init new.db --name x --guidelines guidelines.txt"),
    Writer("demo new.db"),
    Writer("collection build recipe.toml . new.db"),
    Writer("import corpus t.db wide.jsonl"),
    Writer("import topics t.db more.jsonl"),
    Writer("import collection whole.db beir", ["export beir t.db beir --policy primary"]),
    Writer("import runs t.db late.run --teams late.tsv"),
    Writer("import qrels t.db qrels --assessor second"),
    Writer("import votes t.db more.csv"),
    Writer("import preferences t.db prefs"),
    Writer("import answers t.db answers.jsonl"),
    Writer("import log t.db log.jsonl"),
    Writer("online interleave lists t.db r1 r2 --lists 3 -o lists.jsonl"),
    Writer("online clicks topics t.db frequent.jsonl --min-users 1", ["import log t.db log.jsonl"]),
    Writer("online clicks fit t.db --model pbm --votes --min-impressions 1", ["import log t.db log.jsonl"]),
    Writer("import bundle t.db b.db", ["export bundle t.db b.db --assessor ada", "judge b.db --assessor ada --plain"]),
    Writer("search t.db --system bm25 --system tfidf"),
    Writer("store withdraw t.db run r1 --reason broken"),
    Writer("store restore t.db run r1", ["store withdraw t.db run r1 --reason broken"]),
    Writer("topics split t.db parts --folds 2 --seed 1"),
    Writer("passages build t.db parts.db --by words --words 3"),
    Writer("round close t.db 1"),
    Writer("round start t.db 2", ["round close t.db 1"]),
    Writer("fuse t.db"),
    Writer("fuse r1.run r2.run -o fused.run"),
    Writer("pool build t.db --method maxmean --budget 9 --batch 3", ["store labels t.db --policy primary"]),
    Writer("pool extend t.db --depth 9"),
    Writer(
        "assign t.db --queue --overlap 50% --repeat 1",
        ["import topics t.db more.jsonl", "import runs t.db more.run", "pool build t.db --depth 4"],
    ),
    Writer("assign t.db --give q1=eve --give q2=eve"),
    labelling("judge t.db --assessor ada --plain", JUDGED),
    labelling("judge t.db --pairs pairs --assessor ada --plain", JUDGED, answers),
    labelling("adjudicate t.db --assessor eve", ADJUDICATED),
    labelling("answers nuggets make t.db --assessor eve", EDITED, nuggets, ANSWERS),
    labelling("answers nuggets edit t.db --assessor eve", EDITED, nuggets),
    labelling(
        "answers nuggets assign t.db --assessor eve --plain",
        LABELLED,
        labels_of(NUGGET_LABELS),
        [*ANSWERS, "answers nuggets edit t.db --assessor bob"],
    ),
    labelling("answers support t.db --assessor eve --plain", LABELLED, labels_of(SUPPORT_LABELS), ANSWERS),
    Writer("answers claims import t.db claims.jsonl --assessor eve"),
    labelling("answers claims label t.db --assessor eve --plain", LABELLED, labels_of(CLAIM_LABELS), CLAIMS),
    labelling("answers correctness t.db --assessor eve --plain", LABELLED, labels_of(CORRECTNESS_LABELS), CLAIMS),
    Writer("answers rubrics import t.db rubrics.toml --assessor eve"),
    labelling(
        "answers rubrics label t.db --assessor eve --plain",
        RATED,
        labels_of(RUBRIC_LABELS),
        ["import answers t.db made.jsonl", "answers rubrics import t.db rubrics.toml --assessor bob"],
    ),
    labelling("answers prefer t.db --assessor eve --plain", RATED, labels_of(COMPARISON_LABELS), ANSWERS),
    Writer("assessor invite t.db ada --expires 14d"),
    Writer(
        "model audit draw t.db --model qwen --assessor eve --size 4",
        ["import qrels t.db qrels --assessor qwen --kind model"],
    ),
    Writer(
        "model panel t.db --judge qwen --judge llama --assessor both",
        [f"import qrels t.db qrels --assessor {name} --kind model" for name in ("qwen", "llama")],
    ),
    Writer("model assess export t.db batch.jsonl --model qwen", by_steps=True),
    Writer("assessor revoke t.db ada", ["assessor invite t.db ada"]),
    Writer("store release t.db 1.0 --note first"),
    Writer("export qrels t.db out.qrels --policy primary", by_steps=True),
    Writer("export qrels t.db old.qrels --policy primary", ["export qrels t.db old.qrels --policy max"], by_steps=True),
    Writer("export runs t.db runs --metadata", by_steps=True),
    Writer("export pool t.db pool.tsv.gz"),
    Writer("export preferences t.db out.prefs", ["import preferences t.db prefs"]),
    Writer("export judgments t.db judgments.jsonl"),
    Writer("answers nuggets import t.db nuggets.jsonl --assessor eve", ["import answers t.db answers.jsonl"]),
    Writer(
        "answers nuggets export t.db nuggets.out --labels",
        ["import answers t.db answers.jsonl", "answers nuggets import t.db nuggets.jsonl --assessor eve"],
    ),
    Writer("export answers t.db answers.out", ["import answers t.db answers.jsonl"]),
    Writer("export topics t.db topics.xml --format xml"),
    Writer("export corpus t.db corpus.out.gz"),
    Writer("export beir t.db beir --policy primary", by_steps=True),
    Writer("export bundle t.db b.db --assessor ada", by_steps=True),
    Writer("export page t.db ada.html --assessor ada", by_steps=True),
    Writer("export datasette-metadata t.db metadata.json"),
    Writer("store remove t.db run late --reason mistake", ["import runs t.db late.run"]),
    Writer("pool export t.db pool.tsv"),
    Writer("store remove t.db import 4"),
    Writer("store erase t.db assessor bob --reason asked"),
    Writer(
        "store remove t.db import 5",
        ["import answers t.db answers.jsonl", "answers nuggets import t.db nuggets.jsonl --assessor eve"],
    ),
    Writer("store backup t.db copy.db"),
    Writer("publish build t.db folder --policy primary --draft --as beir --runs no"),
    Writer(
        "import collection whole.db folder", ["publish build t.db folder --policy primary --draft --as ir-datasets"]
    ),
    Writer("publish describe t.db --set title=Small --set keywords=a --set keywords=b"),
    Writer("store upgrade old.db"),
    Writer("store adopt t.db adopted.db"),
    Writer("report t.db page.html --policy primary", by_steps=True),
    Writer(
        "evaluate t.db --policy primary --format json -o scores.json --plot scores.png --score-rows scores.jsonl",
        by_steps=True,
    ),
)


class Field:
    """Where commands are killed: a folder with the small store, and for each command what it would have done."""

    def __init__(self, root: Path) -> None:
        self.root, self.base, self.log = root, root / "base", root / "log"
        self._timed: dict[str, Timing] = {}
        self._facts: dict[Path, Facts] = {}

    def ready(self) -> None:
        """Make the small store."""
        self.base.mkdir(parents=True)
        material(self.base)
        earlier(self.base, "full").rename(self.base / "old.db")
        for step in STEPS:
            self.run(step, self.base, JUDGED[:8] + "q\n" if step.startswith("judge") else "")

    def run(self, words: str, folder: Path, keys: str = "") -> None:
        """Run a command in a folder; one that fails is an error."""
        if code := wait_for(fork(lambda: command(words.split()), folder, self.log, self._stdin(keys))):
            raise RuntimeError(f"{words} ends with {code}: {(self.log / ERR).read_text()}")

    def _stdin(self, text: str) -> Path:
        path = self.root / "typed"
        path.write_text(text)
        return path

    def folder(self, writer: Writer, which: str) -> Path:
        number = [row.words for row in WRITERS].index(writer.words)
        return self.root / f"{number} {which}"

    def _begin(self, writer: Writer, folder: Path) -> None:
        """A copy of the small store, with what has to come before the writer."""
        shutil.copytree(self.base, folder)
        for words in writer.before:
            self.run(words, folder, next((keys for name, keys in TYPED.items() if words.startswith(name)), ""))

    def run_whole(self, writer: Writer) -> str:
        """What is wrong with a writer that nobody kills."""
        folder = self.folder(writer, "unkilled")
        try:
            self._begin(writer, folder)
            self.run(writer.words, folder, writer.keys)
        except RuntimeError as error:
            return str(error)
        shutil.rmtree(folder)
        return ""

    def timing(self, writer: Writer) -> Timing:
        """Run a writer to its end, twice: with calls counted, and with seconds."""
        if writer.words not in self._timed:
            before, after, again = (self.folder(writer, which) for which in ("before", "after", "again"))
            self._begin(writer, before)
            shutil.copytree(before, after)
            start = perf_counter()
            self.run(writer.words, after, writer.keys)
            seconds = perf_counter() - start
            shutil.copytree(before, again)
            self._timed[writer.words] = Timing(seconds, *self._count(writer, again))
            shutil.rmtree(again)
        return self._timed[writer.words]

    def _count(self, writer: Writer, folder: Path) -> tuple[int, list[int]]:
        file = self.root / "counted"

        def count() -> int:
            moments = Moments()
            code = moments.around(writer.words.split())
            file.write_text(" ".join(map(str, [moments.count, *moments.writing])))
            return code

        if code := wait_for(fork(count, folder, self.log, self._stdin(writer.keys))):
            raise RuntimeError(f"{writer.words} ends with {code}: {(self.log / ERR).read_text()}")
        calls, *writing = map(int, file.read_text().split())
        return calls, writing

    def kill(self, writer: Writer, seed: int) -> str:
        """Kill a writer at the moment of a seed; what is wrong then, nothing if all is well."""
        timing, random = self.timing(writer), Random(f"{writer.name} {seed}")
        with self.prepare(writer) as (here, stdin):
            if random.random() < BY_CALL:
                around = random.random() < NEAR_WRITING and timing.writing
                last = random.choice(timing.writing) + random.randrange(2) if around else random.randrange(timing.calls)
                wait_for(fork(lambda: Moments(last).around(writer.words.split()), here, self.log, stdin))
            else:
                child = fork(lambda: command(writer.words.split()), here, self.log, stdin)
                wait_for(child, random.uniform(0, 1.1) * timing.seconds)
            return self.wrong(writer, here)

    @contextmanager
    def prepare(self, writer: Writer) -> Iterator[tuple[Path, Path]]:
        """A folder in which a writer can begin, and what is typed into it."""
        here = self.folder(writer, "tried")
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(self.folder(writer, "before"), here)
        yield here, self._stdin(writer.keys)
        shutil.rmtree(here)

    def wrong(self, writer: Writer, here: Path) -> str:
        """What is wrong in a folder in which a writer was stopped."""
        stderr = (self.log / ERR).read_text(errors="replace")
        if "Traceback" in stderr:
            return f"a traceback, {stderr.strip().splitlines()[-1]}"
        return self._wrong(AfterKill(here, (self.log / OUT).read_text(errors="replace"), writer))

    def _wrong(self, state: AfterKill) -> str:
        """The first thing that is wrong in a folder."""
        before, after = self.folder(state.writer, "before"), self.folder(state.writer, "after")
        for path in sorted(state.folder.rglob("*")):
            name = path.relative_to(state.folder)
            if path.is_dir() or any(part.startswith(".") or part.endswith(".partial") for part in name.parts):
                continue
            if wrong := self._wrong_file(path, before / name, after / name, state.writer):
                return wrong
        return state.writer.check(state)

    def _wrong_file(self, path: Path, before: Path, after: Path, writer: Writer) -> str:
        if path.name.endswith(BESIDE):
            owner = next(path.with_name(path.name.removesuffix(end)) for end in BESIDE if path.name.endswith(end))
            return "" if owner.exists() else f"{path.name} is there without its store"
        if not before.exists() and not after.exists():
            return f"{path.name} is left over"
        if is_store(path):
            return wrong_in(path) or self._wrong_facts(path, before, after, writer)
        whole = [RANDOM.sub(b"", other.read_bytes()) for other in (before, after) if other.exists()]
        return (
            ""
            if RANDOM.sub(b"", path.read_bytes()) in whole
            else f"{path.name} is half a file, of {path.stat().st_size} bytes"
        )

    def _wrong_facts(self, path: Path, before: Path, after: Path, writer: Writer) -> str:
        if writer.by_steps:
            return ""
        there = facts(path)
        for other in (before, after):
            if other not in self._facts and other.exists():
                self._facts[other] = facts(Path(shutil.copy(other, self.root / "copy.db")))  # opening may change it
        states = [self._facts[other] for other in (before, after) if other in self._facts]
        if there in states:
            return ""
        parts = [name for name, rows in there.items() if any(rows != facts.get(name) for facts in states)]
        return f"{path.name} is neither as before nor as after: {', '.join(parts)}"


def table() -> dict[str, Writer]:
    return {writer.name: writer for writer in WRITERS}
