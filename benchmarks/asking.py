"""`python -m benchmarks.asking`: calls a second of `model assess run` and of a plain client, of one server in turn.

The server stands in for a model, in a process of its own: it answers after 200 ms. The plain client sends the same
requests with openai's asyncio client, so many at a time, and keeps nothing. Printed are calls a second of each, the
median of some rounds, their ratio, how long the slowest reply of each round was not on disk, and what
the slowest write took of the disk.
"""

import argparse
import asyncio
import json
import multiprocessing
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import cranfield
from cranfield.features.models.asking.assess import assessment
from cranfield.features.models.asking.limits import AskLimits
from cranfield.formats import Document, Topic
from cranfield.store.store import Store

HERE = Path(__file__).parent  # on a disk, not in memory
LATENCY = 0.2
BODY = json.dumps({
    "model": "stand-in", "usage": {"prompt_tokens": 300, "completion_tokens": 10},
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Grade: 1"}, "finish_reason": "stop"}],
}).encode()  # fmt: skip
RESPONSE = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (len(BODY), BODY)


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each request of a connection."""
    while head := await reader.readuntil(b"\r\n\r\n"):
        [length] = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
        await reader.readexactly(int(length))
        await asyncio.sleep(LATENCY)
        writer.write(RESPONSE)
        await writer.drain()


def serve(port: Any) -> None:
    """Serve until the process ends; the port is sent first."""

    async def run() -> None:
        server = await asyncio.start_server(_answer, "127.0.0.1", 0, backlog=512)
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: None)  # clients that are gone
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


def collection(path: Path, number: int) -> Store:
    """A store of one topic, with a pool of so many documents that are as long as passages."""
    docnos = [f"d{at}" for at in range(number)]
    store = Store.create(path, "asking")
    store.add_topics([Topic("q", "what makes wings lift", description="What a good answer says of lift.")])
    store.add_documents(Document(docno, text=f"Passage {docno} on wings. " * 40) for docno in docnos)
    cranfield.store.import_runs(store, {"run": {"q": dict.fromkeys(docnos, 1.0)}})
    cranfield.pooling.build_pool(store, depth=number)
    return store


def ours(url: str, number: int, parallel: int) -> tuple[float, float, float]:
    """Calls a second of `model assess run`, with all that it keeps; for how long the slowest reply was not on disk, and
    what the disk took of it.
    """
    with tempfile.TemporaryDirectory(dir=HERE) as folder, collection(Path(folder, "t.db"), number) as store:
        job = assessment(store, "stand-in", url=url)
        began = perf_counter()
        tally = job.run(AskLimits(parallel=parallel))
        took = perf_counter() - began
    assert tally.outcomes == {"ok": number}, tally
    return number / took, tally.unsaved, tally.disk


def plain(url: str, number: int, parallel: int) -> float:
    """Calls a second of openai's client."""
    from openai import AsyncOpenAI

    async def run() -> None:
        client, room = AsyncOpenAI(base_url=url, api_key="none", max_retries=0), asyncio.Semaphore(parallel)

        async def call(at: int) -> None:
            content = f"Passage d{at} on wings. " * 45
            async with room:
                await client.chat.completions.create(
                    model="stand-in", messages=[{"role": "user", "content": content}], temperature=0, seed=0
                )

        async with client:
            await asyncio.gather(*map(call, range(number)))

    began = perf_counter()
    asyncio.run(run())
    return number / (perf_counter() - began)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each number of calls at a time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.asking", description=__doc__)
    parser.add_argument("--parallel", type=int, nargs="+", default=[16, 64])
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args(arguments)
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(there,), daemon=True)
    server.start()
    url = f"http://127.0.0.1:{here.recv()}/v1"
    for parallel in args.parallel:
        each = url, 15 * parallel, parallel
        theirs, mine, *waits = zip(*((plain(*each), *ours(*each)) for _ in range(args.rounds)), strict=True)
        rates = f"plain {median(theirs):.1f} calls/s, ours {median(mine):.1f}, {median(mine) / median(theirs):.2f}"
        late, disk = (", ".join(f"{seconds * 1000:.0f}" for seconds in sorted(each)) for each in waits)
        print(f"--parallel {parallel}: {rates}; not on disk for at most {late} ms; writes of up to {disk}", flush=True)
    server.terminate()


if __name__ == "__main__":
    main()
