"""How fast labels are acknowledged while an organiser imports runs and builds a pool, compared with judging alone.

    python -m benchmarks.organising --assessors 50 --times 2

The store has the size of Cranfield 1400: 225 topics and 1,400 documents. Assessors judge as in `benchmarks.serving`.
The organiser uploads 20 runs of 1,000 documents for each topic and builds a pool in the browser, `--times` times.
Before each time, nobody imports for `--seconds`. The times of labels are printed for each, with the load of the
machine.
"""

import argparse
import asyncio
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx2 as httpx
import numpy as np

from benchmarks.serving import HIDDEN, TRUST, Acknowledgements, Load, Server, answer, assessors, collection, judge
from cranfield.store.log import read_events
from cranfield.store.store import Store

NOTICE = re.compile(r'<p [^>]*id="notice">(.*?)</p>', re.DOTALL)
TOPICS, DOCUMENTS, RUNS, RETRIEVED = 225, 1400, 20, 1000
LIMITS = (0.05, 0.5)  # seconds at the median and at the 99th percentile


class OrganiserLoad(NamedTuple):
    """The files of runs that an organiser uploads each time, and the seconds of judging alone before."""

    uploads: list[list[Path]]
    quiet: float


class Period(NamedTuple):
    """What the organiser did, from when to when on the monotonic clock, and the machine's load then."""

    act: str
    began: float
    ended: float
    load: float


def write_runs(folder: Path, docnos: Sequence[str], topics: Sequence[str], name: str) -> list[Path]:
    """Runs of random documents, one file each."""
    draw = random.Random(name)
    paths = []
    for number in range(RUNS):
        path = folder / f"{name}-{number}.run"
        with path.open("w", encoding="utf-8") as file:
            for topic in topics:
                found = draw.sample(docnos, RETRIEVED)
                file.writelines(f"{topic} Q0 {d} {at} {2000 - at} {path.stem}\n" for at, d in enumerate(found, 1))
        paths.append(path)
    return paths


async def import_and_pool(link: str, load: OrganiserLoad, periods: list[Period]) -> str:
    """The organiser's work in the browser, each time after a while without it; what the pages say of it."""
    said, base = list[str](), link.partition("/enter/")[0]
    async with httpx.AsyncClient(timeout=600, verify=TRUST, follow_redirects=True) as client:
        await answer(client, link)
        for paths in load.uploads:
            await _add_period("nothing", periods, asyncio.sleep(load.quiet))
            content = [("files", (path.name, await asyncio.to_thread(path.read_bytes))) for path in paths]
            said.append(await _add_period("import", periods, _organise(client, base, "upload/runs", files=content)))
            pool = {"method": "depth", "size": "20"}
            said.append(await _add_period("pool", periods, _organise(client, base, "setup/pool", data=pool)))
    return "\n".join(said)


async def _add_period(act: str, periods: list[Period], work: Awaitable[str | None]) -> str:
    began = time.monotonic()
    said = await work
    periods.append(Period(act, began, time.monotonic(), os.getloadavg()[0]))
    return said or ""


async def _organise(
    client: httpx.AsyncClient, base: str, form: str, data: dict[str, str] | None = None, **more: Any
) -> str:
    """Send a form, and wait until the page no longer loads itself again; what it says."""
    fields = dict(HIDDEN.findall(await answer(client, f"{base}/organise/setup?step=runs"))) | (data or {})
    response = await client.post(f"{base}/organise/{form}", data={"form": fields["form"], **(data or {})}, **more)
    while "refresh" in response.headers or response.status_code == 503:
        await asyncio.sleep(0.5)
        response = await client.get(f"{base}/organise/setup")
    return " ".join(re.sub("<[^>]*>", " ", "".join(NOTICE.findall(response.text))).split()) or response.text[-500:]


def print_periods(answers: Acknowledgements, periods: Sequence[Period]) -> int:
    """Print the times of labels by what the organiser did meanwhile; 1 if they are too slow."""
    slow = False
    for act in ("nothing", "import", "pool"):
        own = [period for period in periods if period.act == act]
        seconds = [
            took
            for took, moment in zip(answers.seconds, answers.moments, strict=True)
            if any(moment + took >= period.began and moment <= period.ended for period in own)
        ]
        median, late, last = np.percentile(seconds or [0], [50, 99, 100])
        slow = slow or median > LIMITS[0] or late > LIMITS[1]
        lasted = sum(period.ended - period.began for period in own)
        load = max(period.load for period in own)
        print(
            f"organiser: {act:8} {lasted:6.1f} s, {len(seconds):5} labels, median {median * 1e3:4.0f} ms,"
            f" 99th percentile {late * 1e3:4.0f} ms, at most {last * 1e3:5.0f} ms, load of the machine {load:.1f}"
        )
    return int(slow)


async def run(path: Path, load: Load, organiser: OrganiserLoad, periods: list[Period]) -> tuple[Acknowledgements, str]:
    """What was acknowledged, and what the organiser's pages said."""
    server, answers = Server(path), Acknowledgements([], [], [], [])
    names = assessors(load)
    links = await server.start(*names)
    judging = [
        asyncio.create_task(judge(name, link, load, float("inf"), answers))
        for name, link in zip(names, links, strict=True)
    ]
    await asyncio.sleep(load.arrive)
    said = await import_and_pool(server.organiser, organiser, periods)
    for task in judging:
        task.cancel()
    await asyncio.gather(*judging, return_exceptions=True)
    await server.kill()
    return answers, said


def main() -> int:
    """Run the load on a store made for it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assessors", type=int, default=50)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two labels of an assessor")
    parser.add_argument("--seconds", type=float, default=30.0, help="without an import, before each")
    parser.add_argument("--arrive", type=float, default=10.0, help="seconds within which all open their links")
    parser.add_argument("--times", type=int, default=2, help="times that the organiser imports runs and builds a pool")
    args = parser.parse_args()
    load, periods = Load(args.assessors, args.every, args.seconds, args.arrive), list[Period]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "load.db")
        collection(path, DOCUMENTS, topics=TOPICS)
        with Store.open(path) as store:
            names = [one.docno for one in store.documents()], [one.qid for one in store.topics()]
        uploads = [write_runs(Path(folder), *names, f"part-{number}") for number in range(args.times)]
        answers, said = asyncio.run(run(path, load, OrganiserLoad(uploads, args.seconds), periods))
        with Store.open(path) as store:
            in_store = Counter(event.assessor for event in read_events(store) if event.kind == "label")
    lost = sum((Counter(answers.names) - in_store).values())
    print(said, f"{len(answers.names)} labels acknowledged, {lost} lost", sep="\n")
    return print_periods(answers, periods) or int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
