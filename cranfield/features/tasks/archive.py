"""The archive of a task: one folder with all that is public of it, the same bytes each time it is written.

Runs are as their teams sent them, unpacked, so that their hashes are those of the receipts. There are no contacts,
links, or notes of assessors, and no files that were replaced or withdrawn.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from cranfield.features.tasks.description import SharedTask
from cranfield.features.tasks.receipts import LOG, log_lines
from cranfield.features.tasks.results import TaskResults
from cranfield.features.tasks.scoring import results_of
from cranfield.features.tasks.store import described, task_of
from cranfield.features.tasks.submissions import Submission, content_of, receipt, run_name, standing
from cranfield.features.tasks.unpacking import Unpacked
from cranfield.formats import write_qrels
from cranfield.formats.runs.files import beside, with_known
from cranfield.formats.text_tables import as_json, separated
from cranfield.formats.whole_files import folder_created, write_bytes, write_lines, write_text
from cranfield.formats.writing import write_pool, write_topics
from cranfield.formats.yaml_mapping import text_of
from cranfield.report.blocks import Cell, Facts, Section, TableBlock, Text
from cranfield.report.components.markup import theme
from cranfield.store.chain import JUDGMENTS, OTHERS, log_head
from cranfield.store.pools import pool_numbers, stored_pool
from cranfield.store.qrels import qrels_of
from cranfield.store.store import Store
from cranfield.text import moment
from cranfield.web.templates import components, rendered

SUMS = "SHA256SUMS"


def write_archive(store: Store, folder: Path) -> int:
    """Write the archive into a folder that is new or empty; how many runs it has."""
    task, runs, found = task_of(store), [one for one in standing(store) if one.state == "taken"], results_of(store)
    with folder_created(folder) as place:
        new = Path(place)
        for name in ("runs", "results"):
            (new / name).mkdir()
        write_text(new / "task.toml", described(store))
        write_topics(new / "topics.jsonl", store.topics())
        write_qrels(new / "qrels.txt", qrels_of(store))
        if numbers := pool_numbers(store):
            write_pool(new / "pool.tsv", stored_pool(store, numbers[-1]).documents)
        for one in runs:
            _write_run(store, new / "runs" / f"{file_of(run_name(store, one))}.run", one)
        write_results(found, task, new / "results")
        write_lines(new / "receipts.jsonl", (json.dumps(receipt(store, one.number)) for one in runs))
        write_lines(new / LOG, map(json.dumps, log_lines(store)))
        heads = {name: log_head(store.conn, log)._asdict() for name, log in (("judgments", JUDGMENTS), ("log", OTHERS))}
        write_text(new / "heads.json", as_json(heads))
        _write_sums(new)
    return len(runs)


def _write_run(store: Store, path: Path, one: Submission) -> None:
    """The run as it was sent, unpacked; beside it what its form and its header say."""
    write_bytes(path, b"".join(Unpacked(one.tag, content=content_of(store, one.number)).lines()))
    form, header = one.metadata["form"], one.metadata["header"]
    said = {name: form[name] for name in ("kind", "priority", "same_system", "fields") if form[name]}
    known = with_known(header, one.tag, one.team, form["description"])
    write_text(Path(beside(path)), text_of({**known, "submission": {**said, "received": one.received}}))


def file_of(run: str) -> str:
    """The name of a run's files.

    >>> file_of("2/cuni/run1")
    '2_cuni_run1'
    """
    return run.replace("/", "_")


def write_results(found: TaskResults, task: SharedTask, folder: Path) -> None:
    """The pages of all runs, an overview as a page and as CSV."""
    rows = found.overview()
    write_text(folder / "results.csv", separated(",")(rows, ""))
    write_text(folder / "reusability.json", as_json(found.trust.to_json()))
    for tag in found.judged.tags:
        write_text(folder / f"{file_of(tag)}.html", page(tag, task.name, found.sections(tag)))
    linked = [{**row, "run": Cell(row["run"], href=f"{file_of(row['run'])}.html")} for row in rows]
    dates = [(name, f"{moment(at)} UTC") for name, at in task.dates.items()]
    table = TableBlock("overview", f"Means over {len(found.judged.qids)} topics, the best first", linked, filter="runs")
    runs = Section("overview", "The runs", [table, Text(f"{found.about_p}.")])
    sections = [Section("task", "The task", [Facts(dates)]), runs, found.trust.section()]
    write_text(folder / "index.html", page("All runs", task.name, sections))


def page(title: str, task: str, sections: list[Section]) -> str:
    """A page that needs nothing else, and prints as it is."""
    return rendered("tasks/results.html", title=title, task=task, sections=sections, style=theme() + components())


def _write_sums(folder: Path) -> None:
    """The hash of every file, as sha256sum checks them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}" for path in files]
    write_lines(folder / SUMS, lines)
