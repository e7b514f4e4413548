"""How fast `cranfield serve` acknowledges labels while teams upload runs, and that a killed server loses neither.

    python -m benchmarks.uploads --uploads 50 --assessors 20
    python -m benchmarks.uploads --uploads 50 --assessors 20 --kills 10

Assessors judge as in `benchmarks.serving`. Meanwhile teams upload one run after another, all of them at once; every
tenth run is large: lines of 900 bytes, 45 MB in all. A receipt that was given has to be in the store, with the bytes
that were sent. With `--kills` the server is killed that often amid it, and what had no answer is sent again.
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.serving import TOPICS, Acknowledgements, Load, Server, assessors, collection, judge, killing, verdict
from cranfield.errors import CranfieldError
from cranfield.features.tasks.client import submit_run
from cranfield.features.tasks.store import begin_phase, describe, invite_team
from cranfield.features.tasks.submissions import content_of, submissions
from cranfield.store.log import read_events
from cranfield.store.store import Store
from cranfield.store.verification import verify

TASK = """name = "load"
[dates]
topics = 2020-01-01T00:00:00Z
open = 2020-01-01T00:00:00Z
close = 2998-01-01T00:00:00Z
results = 2999-01-01T00:00:00Z
[limits]
runs = 1000
day = 1000
total = 1000
"""
LARGE, LINE = 10, 900  # one run in so many is large; bytes of its lines


class Uploads(NamedTuple):
    """The receipts that were given, by run, and the seconds until each."""

    receipts: dict[str, Mapping[str, object]]
    seconds: list[float]


def run_of(number: int, each: int) -> bytes:
    """A run that ranks all documents of each topic."""
    draw, pad = random.Random(number), "0" * (LINE if number % LARGE == LARGE - 1 else 6)
    lines = (
        f"q{topic} Q0 d{topic}-{document} {rank} {each - rank}.{pad} run{number}\n"
        for topic in range(TOPICS)
        for rank, document in enumerate(draw.sample(range(each), each), 1)
    )
    return "".join(lines).encode()


async def upload(base: str, token: str, runs: Sequence[Path], uploads: Uploads) -> None:
    """One team, which sends its runs one after another until each is taken."""
    for run in runs:
        start = time.monotonic()
        while run.name not in uploads.receipts:
            with contextlib.suppress(CranfieldError):  # the server was killed
                answer = await asyncio.to_thread(submit_run, run, None, base, token)
                if answer.status == 201:
                    uploads.receipts[run.name] = answer.content["receipt"]
                elif answer.status not in (429, 503):
                    raise RuntimeError(f"{run.name}: {answer.status}: {answer.content}")
            await asyncio.sleep(0.05)
        uploads.seconds.append(time.monotonic() - start)


async def both(
    path: Path, load: Load, work: Mapping[str, Sequence[Path]], kills: int
) -> tuple[Acknowledgements, Uploads]:
    """Assessors and teams at one server, until all runs are taken and the time is over."""
    server, answers, uploads = Server(path), Acknowledgements([], [], [], []), Uploads({}, [])
    names = assessors(load)
    links = await server.start(*names)
    until = float("inf") if kills else time.monotonic() + load.arrive + load.seconds
    judging = [asyncio.create_task(judge(n, link, load, until, answers)) for n, link in zip(names, links, strict=True)]
    await asyncio.sleep(load.arrive)
    base = links[0].partition("/enter/")[0]
    teams = [asyncio.create_task(upload(base, token, runs, uploads)) for token, runs in work.items()]
    if kills:
        await killing(server, kills, answers)
    await asyncio.gather(*teams)
    for task in judging if kills else ():
        task.cancel()
    await asyncio.gather(*judging, return_exceptions=bool(kills))
    await server.kill()
    return answers, uploads


def count_missing(store: Store, uploads: Uploads, folder: Path) -> int:
    """How many receipts the store does not bear out."""
    hashes = {own for (own,) in store.rows("SELECT hash FROM event_link")}
    contents = {one.tag: content_of(store, one.number) for one in submissions(store) if one.stands}
    borne = [
        name
        for name, receipt in uploads.receipts.items()
        if receipt["hash"] in hashes and contents.get(name) == (folder / name).read_bytes()
    ]
    return len(uploads.receipts) - len(borne)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the load on a store made for it; 1 where anything is lost, or the labels are too slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assessors", type=int, default=20)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two labels of an assessor")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--uploads", type=int, default=50)
    parser.add_argument("--teams", type=int, default=10, help="that upload at the same time")
    parser.add_argument("--documents", type=int, default=50_000, help="as many lines has a run")
    parser.add_argument("--arrive", type=float, default=5.0, help="seconds within which all assessors come")
    parser.add_argument("--kills", type=int, default=0)
    args = parser.parse_args(arguments)
    load = Load(args.assessors, args.every, args.seconds, args.arrive)
    with tempfile.TemporaryDirectory() as place:
        path, folder = Path(place, "load.db"), Path(place, "runs")
        folder.mkdir()
        collection(path, args.documents)
        with Store.open(path) as store:
            describe(store, TASK)
            begin_phase(store, "open")
            tokens = [invite_team(store, f"team{number}") for number in range(args.teams)]
        for number in range(args.uploads):
            (folder / f"run{number}").write_bytes(run_of(number, args.documents // TOPICS))
        runs = [folder / f"run{number}" for number in range(args.uploads)]
        work = {token: runs[number :: args.teams] for number, token in enumerate(tokens)}
        answers, uploads = asyncio.run(both(path, load, work, args.kills))
        with Store.open(path) as store:
            labels = [event for event in read_events(store) if event.kind == "label"]
            print(f"the store holds: {verify(store).events} events verified")
            missing = count_missing(store, uploads, folder)
    seconds = sorted(uploads.seconds)
    print(f"{len(seconds)} runs uploaded, {missing} receipts without their run, {seconds[-1]:.1f} s at most")
    return max(verdict(answers, labels, args.kills), int(missing > 0 or len(seconds) < args.uploads))


if __name__ == "__main__":
    sys.exit(main())
