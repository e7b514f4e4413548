"""A system outside that is a command: topics as JSON lines go in, a TREC run comes out; no shell."""

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cranfield.errors import InputError
from cranfield.features.collecting.systems.definition import Engine
from cranfield.features.collecting.systems.http import Hits
from cranfield.formats import Topic, read_runs
from cranfield.parallel import environment_as_given


def ran(system: Engine, topics: Sequence[Topic], depth: int) -> dict[str, Hits]:
    """The rankings of a command by topic; `{size}` among its arguments is the depth."""
    told = "".join(
        json.dumps(dict(zip(("qid", "title", "description", "narrative"), topic[:4], strict=True))) + "\n"
        for topic in topics
    )
    argv = [str(part).replace("{size}", str(depth)) for part in system.values["argv"]]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run.txt"
        with out.open("wb") as file:
            try:
                done = subprocess.run(
                    argv,
                    check=False,
                    input=told.encode(),
                    env=environment_as_given(),
                    stdout=file,
                    stderr=subprocess.PIPE,
                    timeout=system.limit("timeout") * len(topics),
                )
            except subprocess.TimeoutExpired as error:
                raise InputError(f"{argv[0]} took longer than {error.timeout:.0f} seconds", system.path) from None
            except OSError as error:
                raise InputError(f"{argv[0]} cannot be run: {error.strerror}", system.path) from None
        if done.returncode:
            last = (done.stderr.decode("utf-8", "replace").strip().splitlines() or ["nothing"])[-1]
            raise InputError(f"{argv[0]} ended with status {done.returncode}; its last line: {last:.200}", system.path)
        if out.stat().st_size > system.limit("max_bytes"):
            raise InputError(f"{argv[0]} wrote more than max_bytes, {system.limit('max_bytes')} bytes", system.path)
        return _by_topic(out, system, {topic.qid for topic in topics}, depth)


def _by_topic(out: Path, system: Engine, asked: set[str], depth: int) -> dict[str, Hits]:
    try:
        runs = read_runs([out])
    except InputError as error:
        raise InputError(
            f"what it wrote is no run: {str(error).replace(str(out), 'its output')}", system.path
        ) from None
    found: dict[str, Hits] = {}
    for topic, document, score, rank in zip(runs.topic, runs.document, runs.score.tolist(), runs.rank, strict=True):
        qid = str(runs.topics.names[topic])
        if qid not in asked:
            raise InputError(f"it answered topic {qid!r}, which it was not asked", system.path)
        if rank <= depth:
            found.setdefault(qid, []).append((str(runs.docnos.names[document]), score))
    return found
