"""A log of many lists: how long its import and reading it back take, and how much memory.

python -m benchmarks.online FOLDER LISTS

The import reads in a second process, as the command does; memory is the most of each process so far.
"""

import resource
import sys
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

AT_ONCE = 100_000  # lists
DEPTH, DOCUMENTS, QUERIES, PER_USER = 10, 100_000, 50_000, 10


def make(path: Path, lists: int) -> None:
    """Write a log whose clicks fall with the rank; ids are random, as those of services are."""
    random = np.random.default_rng(1)
    with path.open("w") as file:
        for start in range(0, lists, AT_ONCE):
            n = min(AT_ONCE, lists - start)
            names = random.integers(0, 1 << 62, (n, 2))
            base = random.integers(0, DOCUMENTS - DEPTH, n)
            clicks = random.random((n, DEPTH)) < 0.3 / np.arange(1, DEPTH + 1)
            users = random.integers(0, lists // PER_USER + 1, n)
            queries = random.zipf(1.3, n) % QUERIES
            for row in range(n):
                docs = [f"doc{base[row] + rank:07}" for rank in range(DEPTH)]
                at, user = 1_700_000_000 + start + row, users[row]
                acts = ", ".join(
                    f'{{"kind": "click", "doc": "{docs[rank]}", "at": {at + rank + 1}}}'
                    for rank in np.flatnonzero(clicks[row]).tolist()
                )
                ids = '", "'.join(docs)
                file.write(
                    f'{{"id": "{names[row, 0]:016x}{names[row, 1]:016x}", "at": {at}, "user": "u{user}",'
                    f' "session": "s{user}-{at // 3600}", "query": "query {queries[row]}", "arm": "{"AB"[user % 2]}",'
                    f' "docs": ["{ids}"], "actions": [{acts}]}}\n'
                )


def measure(folder: Path, lists: int) -> None:
    """Make the log if need be, import it and read it back; print seconds and megabytes."""
    from cranfield.features.online.analysis.log import LogImportRequest, import_log, online_rows
    from cranfield.features.online.store.read import interactions
    from cranfield.store.store import Store

    path, file = folder / f"{lists}.jsonl", folder / f"{lists}.db"
    if not path.exists():
        make(path, lists)
    file.unlink(missing_ok=True)
    with Store.create(file, "log") as store:
        began = perf_counter()
        import_log(store, [path], LogImportRequest(), beside=True)
        _tell("import", began)
        began = perf_counter()
        log = interactions(store)
        _tell("read back", began)
        began = perf_counter()
        online_rows(log, measures=["CTR", "CTR@3", "MaxRR"])
        _tell("three measures", began)


def _tell(what: str, began: float) -> None:
    own, other = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    beside = f"{other.ru_utime + other.ru_stime:.0f} s, {other.ru_maxrss / 1024:.0f} MB of the process that reads"
    seconds, work = perf_counter() - began, process_time()
    print(
        f"{what}: {seconds:.1f} s ({work:.0f} s of work so far), {own.ru_maxrss / 1024:.0f} MB at most; {beside}",
        flush=True,
    )


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    measure(Path(sys.argv[1]), int(sys.argv[2]))
