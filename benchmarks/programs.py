"""The programs of docs/operate/programs.md under load: `python -m benchmarks.programs service parallel`.

service: clients that post runs of 50 topics and 100 documents to the service of operate/service.md in turn:
latency at the median and at the 99th percentile, requests a second, and processor time of a request in one thread.
parallel: 20 files of 50 topics and 1,000 documents, scored by one call, and by joblib in processes and threads.

Every figure is compared with what `cranfield.evaluate` gives.
"""

import argparse
import json
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import cranfield
from benchmarks.calls import shape
from tests.docs.programs import post_json, serve_program, text_of_page, write_programs
from tests.files import qrels_lines, run_lines

MEASURES = ["nDCG@10", "AP"]
Dicts = dict[str, dict[str, Any]]


def scores_of(qrels: Dicts, run: Dicts) -> dict[str, float]:
    (row,) = cranfield.evaluate(qrels, run, MEASURES).rows()
    return {name: row[name] for name in MEASURES}


def measure_service(requests: int, sizes: tuple[int, int] = (50, 100)) -> None:
    """Print a line for each number of clients."""
    qrels, run = shape(*sizes)
    expected, body = scores_of(qrels, run), json.dumps(run).encode()
    for workers in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            write_programs(text_of_page("operate/service.md"), Path(folder))
            Path(folder, "qrels.txt").write_text(qrels_lines(qrels), encoding="utf-8")
            with serve_program(Path(folder), options=["--workers", str(workers)]) as port:
                list(_post_all(port, body, 4, 16))  # until all workers are there
                for clients in (1, 2, 8, 32):
                    start = perf_counter()
                    answers = list(_post_all(port, body, clients, requests))
                    took = perf_counter() - start
                    wrong = sum(answer != expected for _, answer in answers)
                    median, late = 1e3 * np.percentile([seconds for seconds, _ in answers], [50, 99])
                    print(
                        f"service, {workers} workers, {clients} clients: {median:.1f} ms at the median, {late:.1f} ms"
                        f" at the 99th percentile, {requests / took:.0f} requests a second, {wrong} wrong answers",
                        flush=True,
                    )


def _post_all(port: int, body: bytes, clients: int, requests: int) -> list[tuple[float, object]]:
    def post(_: int) -> tuple[float, object]:
        start = perf_counter()
        status, text = post_json(port, "/scores", body)
        seconds = perf_counter() - start
        return seconds, json.loads(text)["scores"] if status == 200 else text

    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(post, range(requests)))


def measure_parallel(files: int, sizes: tuple[int, int] = (50, 1000)) -> None:
    """Print a line for each way to score files."""
    from joblib import Parallel, delayed

    with tempfile.TemporaryDirectory() as folder:
        qrels, run = shape(*sizes)
        Path(folder, "qrels.txt").write_text(qrels_lines(qrels), encoding="utf-8")
        paths = [Path(folder, f"r{number}.run") for number in range(files)]
        for path in paths:
            path.write_text(run_lines(path.stem, {qid: [*of] for qid, of in run.items()}), encoding="utf-8")
        evaluator = cranfield.Evaluator(f"{folder}/qrels.txt", MEASURES)
        expected = [scores_of(qrels, cranfield_run) for cranfield_run in [_ranked(run)]] * files

        def each(**how: Any) -> Callable[[], list[Mapping[str, float]]]:
            return lambda: Parallel(**how)(delayed(evaluator.evaluate)(path) for path in paths)

        def one_call() -> list[Mapping[str, float]]:
            rows = cranfield.evaluate(f"{folder}/qrels.txt", paths, MEASURES).rows()
            return [{name: row[name] for name in MEASURES} for row in rows]

        ways: dict[str, Callable[[], list[Mapping[str, float]]]] = {
            "one call of evaluate": one_call,
            "an Evaluator, one file after the other": lambda: [evaluator.evaluate(path) for path in paths],
            "joblib, 2 threads": each(n_jobs=2, prefer="threads"),
            "joblib, 2 processes, first use": each(n_jobs=2),
            "joblib, 2 processes, second use": each(n_jobs=2),
        }
        for name, way in ways.items():
            start = perf_counter()
            found = way()
            took = perf_counter() - start
            wrong = sum(one != other for one, other in zip(found, expected, strict=True))
            print(f"parallel, {files} files: {name} {took:.2f} s, {wrong} wrong answers", flush=True)


def _ranked(run: Dicts) -> Dicts:
    return {qid: {docno: -rank for rank, docno in enumerate(of)} for qid, of in run.items()}


PARTS: dict[str, Callable[[int], None]] = {"service": measure_service, "parallel": measure_parallel}


def main(arguments: list[str] | None = None) -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=[*PARTS], help="service, parallel; by default both")
    parser.add_argument("--number", type=int, help="requests or files; by default 400 and 20")
    args = parser.parse_args(arguments)
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    for part in args.parts:
        PARTS[part](args.number or {"service": 400, "parallel": 20}[part])


if __name__ == "__main__":
    main()
