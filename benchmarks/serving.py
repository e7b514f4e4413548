"""How fast `cranfield serve` acknowledges labels under load, and that a killed server loses none.

    python -m benchmarks.serving --assessors 50 --seconds 60
    python -m benchmarks.serving --assessors 50 --seconds 60 --assigned
    python -m benchmarks.serving --assessors 50 --kills 100
    python -m benchmarks.serving --assessors 20 --characters 1000000 --documents 1000

Every assessor opens the link within `--arrive` seconds and then grades a document every `--every` seconds on average,
as the page's script does. Meanwhile `--terminals` people judge the same store with `judge --plain`, and the store is
copied with `store backup`. With `--kills` the server is killed that often in the middle of it, started again, and each
request is repeated until it is answered. `benchmarks.organising` measures labels while an organiser imports runs.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import signal
import ssl
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx
import numpy as np

from cranfield.formats import Document, Topic
from cranfield.judging.planning.assign import assign_topics_to_assessors
from cranfield.store.chain import Event
from cranfield.store.log import read_events
from cranfield.store.pools import Pool, PooledDocument, add_pool
from cranfield.store.store import Store
from cranfield.store.verification import verify

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
PROMPT = b"> "
TRUST = ssl.create_default_context()  # takes long to make
TOPICS = 50
LIMITS = (0.05, 0.25)  # seconds at the median and at the 99th percentile


class Load(NamedTuple):
    """How many judge, how often, for how long; within how many seconds they come, and how many use a terminal."""

    assessors: int
    every: float
    seconds: float
    arrive: float = 10.0
    terminals: int = 0


class Acknowledgements(NamedTuple):
    """The seconds of each label, the assessors' names, one for each label, and the seconds of each first page.

    `moments` has when each label was sent, on the monotonic clock.
    """

    seconds: list[float]
    names: list[str]
    arrivals: list[float]
    moments: list[float]


def collection(
    path: Path, documents: int, characters: int = 1000, share_among: Sequence[str] = (), topics: int = TOPICS
) -> None:
    """A store with a pool of so many documents of that length, all of it for everybody or shared among some."""
    words = "some words of the text. "
    with Store.create(path, "load") as store:
        each = documents // topics
        pairs = [(f"q{topic}", f"d{topic}-{number}") for topic in range(topics) for number in range(each)]
        store.add_topics(
            Topic(f"q{topic}", f"title {topic}", "what is asked", "what counts") for topic in range(topics)
        )
        store.add_documents(
            Document(docno, f"title of {docno}", words * (characters // len(words))) for _, docno in pairs
        )
        add_pool(store, Pool("depth", {"depth": 1}, [PooledDocument(*pair, 1, ("run",)) for pair in pairs]))
        if share_among:
            assign_topics_to_assessors(store, share_among)


class Server:
    """The server as a process of its own, at one port through all its lives."""

    def __init__(self, path: Path) -> None:
        self.path, self.port = path, 0
        self.process: asyncio.subprocess.Process | None = None
        self.organiser = ""  # the link

    async def start(self, *invite: str) -> list[str]:
        """Start it; the links of those invited."""
        command = ["serve", str(self.path), "--port", str(self.port), "--no-open"]
        options = [part for name in invite for part in ("--invite", name)]
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cranfield", *command, *options, stdout=PIPE
        )
        assert self.process.stdout
        lines = [(await self.process.stdout.readline()).decode() for _ in range(len(invite) + 2)]
        self.port = int(re.findall(r":(\d+)\.", lines[-1])[0])
        self.organiser = lines[0].split()[-1]
        return [line.split()[-1] for line in lines[1:-1]]

    async def kill(self) -> None:
        """Kill it outright."""
        assert self.process
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)
        await self.process.wait()


async def answer(client: httpx.AsyncClient, url: str, fields: dict[str, str] | None = None) -> str:
    """What the server answers, asked again until it does."""
    while True:
        try:
            response = await (client.post(url, data=fields, headers={"x-part": "1"}) if fields else client.get(url))
            if response.status_code == 200:
                return response.text
            if response.status_code != 503:
                raise RuntimeError(f"{url}: {response.status_code}: {response.text[-300:]}")
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.05)


async def judge(name: str, link: str, load: Load, until: float, answers: Acknowledgements) -> None:
    """One assessor, who judges until a moment comes."""
    draw = random.Random(name)
    async with httpx.AsyncClient(timeout=30, verify=TRUST) as client:
        base = link.partition("/enter/")[0]
        await asyncio.sleep(load.arrive * draw.random())
        await answer(client, link)
        start = time.monotonic()
        page = await answer(client, f"{base}/judge")
        answers.arrivals.append(time.monotonic() - start)
        while time.monotonic() < until:
            await asyncio.sleep(load.every * draw.uniform(0.5, 1.5))
            start = time.monotonic()
            page = await answer(
                client, f"{base}/judge/grade", {**dict(HIDDEN.findall(page)), "grade": draw.choice("01")}
            )
            if "Recorded: " in page or "out of date" not in page:
                answers.seconds.append(time.monotonic() - start)
                answers.moments.append(start)
                answers.names.append(name)


async def at_terminal(name: str, path: Path, load: Load, until: float, answers: Acknowledgements) -> None:
    """One assessor with `judge --plain`; a label is acknowledged by the next prompt."""
    command = [sys.executable, "-m", "cranfield", "judge", str(path), "--assessor", name, "--plain"]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=1 << 24)
    assert process.stdin
    assert process.stdout
    await process.stdout.readuntil(PROMPT)
    while time.monotonic() < until:
        await asyncio.sleep(load.every)
        process.stdin.write(b"1\n")
        await process.stdout.readuntil(PROMPT)
        answers.names.append(name)
    process.stdin.close()
    await process.stdout.read()
    await process.wait()


async def back_up(path: Path) -> str:
    """What `store backup` says, which verifies its copy, while others work in the store."""
    command = [sys.executable, "-m", "cranfield", "store", "backup", str(path), str(path.with_name("copy.db"))]
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
    output, wrong = await process.communicate()
    return (output or wrong).decode().strip().replace(f"{path.parent}/", "")


async def killing(server: Server, kills: int, answers: Acknowledgements) -> None:
    """Kill the server again and again, at a random moment after it has acknowledged some labels."""
    draw = random.Random(kills)
    for _ in range(kills):
        before = len(answers.seconds)
        while len(answers.seconds) < before + 5:
            await asyncio.sleep(0.01)
        await asyncio.sleep(draw.uniform(0, 0.2))
        await server.kill()
        await server.start()


def assessors(load: Load) -> list[str]:
    """The names of those in the browser."""
    return [f"assessor{number}" for number in range(load.assessors)]


async def run(path: Path, load: Load, kills: int) -> tuple[Acknowledgements, str]:
    """The whole load: what was acknowledged, and what the backup said."""
    server, answers, copy = Server(path), Acknowledgements([], [], [], []), ""
    names = assessors(load)
    links = await server.start(*names)
    until = time.monotonic() + load.arrive + load.seconds if not kills else float("inf")
    judging = [asyncio.create_task(judge(n, link, load, until, answers)) for n, link in zip(names, links, strict=True)]
    if kills:
        await killing(server, kills, answers)
        for task in judging:
            task.cancel()
    else:
        people = [at_terminal(f"at terminal {n}", path, load, until, answers) for n in range(load.terminals)]
        judging += [asyncio.create_task(one) for one in people]
        await asyncio.sleep(load.arrive + load.seconds / 2)
        copy = await back_up(path)
    outcomes = await asyncio.gather(*judging, return_exceptions=True)
    wrong = [str(one) for one in outcomes if isinstance(one, Exception)]
    await server.kill()
    return answers, "\n".join([copy, *wrong]).strip()


def verdict(answers: Acknowledgements, labels: Sequence[Event], kills: int) -> int:
    """Print what came of it; 1 where a label is lost or doubled, or the answers are too slow."""
    replies, in_store = Counter(answers.names), Counter(event.assessor for event in labels)
    missing = sum((replies - in_store).values())
    repeats = len(labels) - len({(event.assessor, event.qid, event.docno) for event in labels})
    median, late = np.percentile(answers.seconds or [0], [50, 99])
    first, last = np.percentile(answers.arrivals or [0], [50, 100])
    print(f"{len(labels)} labels, {len(answers.names)} acknowledged, {missing} lost, {repeats} doubled; {kills} kills")
    print(f"acknowledged in {median * 1e3:.0f} ms at the median, {late * 1e3:.0f} ms at the 99th percentile")
    print(f"the first page came in {first * 1e3:.0f} ms at the median, {last * 1e3:.0f} ms at most")
    slow = not kills and (median > LIMITS[0] or late > LIMITS[1])
    return int(missing or repeats or slow)


def main() -> int:
    """Run the load on a store made for it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assessors", type=int, default=50)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two labels of an assessor")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--documents", type=int, default=100_000, help="in the pool")
    parser.add_argument("--characters", type=int, default=1000, help="of each document")
    parser.add_argument("--arrive", type=float, default=10.0, help="seconds within which all open their links")
    parser.add_argument("--terminals", type=int, default=2, help="people at terminals, unless the server is killed")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--assigned", action="store_true", help="share the topics out; nobody is at a terminal")
    args = parser.parse_args()
    terminals = 0 if args.assigned else args.terminals
    load = Load(args.assessors, args.every, args.seconds, args.arrive, terminals)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "load.db")
        collection(path, args.documents, args.characters, assessors(load) if args.assigned else ())
        answers, report = asyncio.run(run(path, load, args.kills))
        with Store.open(path) as store:
            labels = [event for event in read_events(store) if event.kind == "label"]
            chains = verify(store)
    print(*filter(None, (report, f"the store holds: {chains.events} events verified")), sep="\n")
    return verdict(answers, labels, args.kills)


if __name__ == "__main__":
    sys.exit(main())
