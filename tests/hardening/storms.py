"""Many processes at one store at the same moment, some of them killed: nothing acknowledged is lost, nobody crashes."""

import os
import re
import shutil
import signal
from pathlib import Path
from random import Random
from time import sleep
from typing import NamedTuple

from tests.hardening.forks import ERR, OUT, command, fork, wait_for
from tests.hardening.kills import Field
from tests.hardening.stores import grades, wrong_in

PROCESSES = 8
KILLED = 0.25  # of them
LABELS = 12
READERS = (
    "info t.db",
    "store verify t.db",
    "progress t.db",
    "pool show t.db",
    "evaluate t.db -m AP --policy primary",
    "store history t.db",
)
WRITERS = (
    "import corpus t.db wide.jsonl", "import runs t.db late.run", "import topics t.db more.jsonl",
    "import qrels t.db qrels --assessor import{}", "export qrels t.db out{} --policy primary",
    "pool extend t.db --depth 9", "export bundle t.db b{}.db --assessor ada", "fuse t.db --tag fused{}",
    "search t.db --system bm25", "store backup t.db copy{}.db",
)  # fmt: skip


class Child(NamedTuple):
    """A process of a storm: what it does, and where what it says is."""

    process: int
    words: str
    number: int
    log: Path


def storm(field: Field, seed: int) -> str:
    """Let loose what the seed says; what is wrong then, nothing if all is well."""
    random, here = Random(f"storm {seed}"), field.root / "storm"
    shutil.rmtree(here, ignore_errors=True)
    shutil.copytree(field.base, here)
    stdin = field.root / "storm typed"
    stdin.write_text("1\n" * LABELS)
    children = [_begin(field, _words(random, number), number, stdin) for number in range(PROCESSES)]
    sleep(random.uniform(0, 0.3))
    victims = [child for child in children if random.random() < KILLED]
    for child in victims:
        os.kill(child.process, signal.SIGKILL)
    faults = [_wrong_of(field, child, child in victims, wait_for(child.process)) for child in children]
    wrong = next(filter(None, [*faults, wrong_in(here / "t.db")]), "")
    shutil.rmtree(here)
    return wrong


def _words(random: Random, number: int) -> str:
    kind = random.choice(("judge", "judge", "read", "write", "write"))
    if kind == "judge":
        return f"judge t.db --assessor person{number} --plain --pool 1"
    return random.choice(READERS if kind == "read" else WRITERS).format(number)


def _begin(field: Field, words: str, number: int, stdin: Path) -> Child:
    log = field.root / f"log {number}"
    return Child(fork(lambda: command(words.split()), field.root / "storm", log, stdin), words, number, log)


def _wrong_of(field: Field, child: Child, is_killed: bool, code: int) -> str:
    stdout, stderr = ((child.log / name).read_text(errors="replace") for name in (OUT, ERR))
    if "Traceback" in stderr or (not is_killed and code not in (0, 1)):
        return f"{child.words} ends with {code} and says {stderr[-300:]!r}"
    if any(word in stderr for word in ("locked", "malformed", "I/O")):
        return f"{child.words} says {stderr[-300:]!r}"
    if child.words.startswith("judge"):
        there = len(grades(field.root / "storm" / "t.db", f"person{child.number}"))
        reports = len(re.findall("(?:^|> )Recorded: ", stdout, re.MULTILINE))
        if there < reports:
            return f"{child.words}: {reports} labels were acknowledged, {there} are there"
    return ""
