"""The archive of a task: one folder with all that is public of it, the same bytes each time it is written.

Runs are as their teams sent them, unpacked, so that their hashes are those of the receipts. There are no contacts,
links, or notes of assessors, and no files that were replaced or withdrawn.

Its log has a line for each link of the store's chain: its origin, the hash before it there, and its own. Of what
belongs to the task it has what the link seals as well; of all else nothing, so that the log tells only of the task, and
still nothing can be left out of it, or put into it, unseen. Receipts are checked against it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from cranfield.charts.palette import theme_css
from cranfield.errors import InputError
from cranfield.features.tasks.description import SharedTask, TaskDate
from cranfield.features.tasks.results import TaskResults
from cranfield.features.tasks.scoring import results_of, scored_rounds
from cranfield.features.tasks.store import description_text, task_dates, task_of
from cranfield.features.tasks.submissions import (
    RECEIPT,
    Submission,
    accepted_link,
    content_of,
    receipt,
    run_name,
    standing,
)
from cranfield.formats import write_qrels
from cranfield.formats.files import open_decompressed, open_utf8_text
from cranfield.formats.jsonl import decode_json
from cranfield.formats.mappings import yaml_text
from cranfield.formats.runs.files import add_run_details, metadata_path
from cranfield.formats.text_tables import as_json, separated_writer
from cranfield.formats.whole_files import write_bytes, write_folder_atomically, write_lines, write_text
from cranfield.formats.writing import write_pool, write_topics
from cranfield.judging.labels.choice import decided_labels
from cranfield.report.blocks import Cell, Facts, Section, TableBlock, Text
from cranfield.results import add_labellers_to_rows
from cranfield.selection import LeftOut
from cranfield.store.chain import JUDGMENTS, OTHERS, Head, item_hash, log_head, person_by_name
from cranfield.store.links import items_in
from cranfield.store.pools import newest_built_pool, pool_with_present_names
from cranfield.store.rounds import rounds
from cranfield.store.store import Store
from cranfield.store.tables import linked_log_tables
from cranfield.text import counted
from cranfield.web.language import ENGLISH
from cranfield.web.templates import components_css, render_page

SUMS = "SHA256SUMS"


def write_archive(store: Store, folder: Path) -> int:
    """Write the archive into a folder that is new or empty; how many runs it has."""
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError("this folder is not empty; expected a new or empty folder", folder)
    task, runs = task_of(store), [one for one in standing(store) if one.state == "taken"]
    names = [one.name for one in rounds(store) if one.number in scored_rounds(store)]
    results = {name: results_of(store, name) for name in names} if len(rounds(store)) > 1 else {"": results_of(store)}
    dates = task_dates(store)
    with write_folder_atomically(folder) as place:
        new = Path(place)
        for name in ("runs", "results"):
            (new / name).mkdir()
        write_text(new / "task.toml", description_text(store))
        write_topics(new / "topics.jsonl", store.topics())
        write_qrels(new / "qrels.txt", decided_labels(store).qrels)
        if (pool := newest_built_pool(store)) is not None:
            write_pool(new / "pool.tsv", pool_with_present_names(store, pool).documents)
        for one in runs:
            _write_run(store, new / "runs" / f"{file_of(run_name(store, one))}.run", one)
        for name, outcome in results.items():
            (new / "results" / name).mkdir(exist_ok=True)
            write_results(outcome, task, dates, new / "results" / name)
        write_lines(new / "receipts.jsonl", (json.dumps(receipt(store, one.number)) for one in runs))
        write_lines(new / LOG, map(json.dumps, log_lines(store)))
        heads = {name: log_head(store.conn, log)._asdict() for name, log in (("judgments", JUDGMENTS), ("log", OTHERS))}
        write_text(new / "heads.json", as_json(heads))
        write_text(new / "README.md", readme_of(task, dates, len(runs), pool is not None, names))
        files = sorted(path for path in new.rglob("*") if path.is_file())
        lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.relative_to(new).as_posix()}" for path in files]
        write_lines(new / SUMS, lines)
    return len(runs)


def _write_run(store: Store, path: Path, one: Submission) -> None:
    """The run as it was sent, unpacked; beside it what its form and its header say."""
    with open_decompressed(Path(one.tag), content=BytesIO(content_of(store, one.number))) as stream:
        write_bytes(path, stream.read())
    form, header = one.metadata["form"], one.metadata["header"]
    own = {name: form[name] for name in ("kind", "priority", "same_system", "fields") if form[name]}
    metadata = add_run_details(header, one.tag, one.team, form["description"])
    write_text(Path(metadata_path(path)), yaml_text({**metadata, "submission": {**own, "received": one.received}}))


def readme_of(task: SharedTask, dates: Sequence[TaskDate], n_runs: int, has_pool: bool, names: Sequence[str]) -> str:
    """Describe the files of an archive for those who open it.

    Parameters
    ----------
    task : SharedTask
        The task.
    dates : sequence of TaskDate
        Its dates as they came about.
    n_runs : int
        The number of runs in the archive.
    has_pool : bool
        Whether a pool is in the archive.
    names : sequence of str
        The names of the rounds that have results.

    Returns
    -------
    str
        The text of README.md.
    """
    files = [
        ("task.toml", "the task's current description"),
        ("topics.jsonl", "the topics, one per line"),
        ("qrels.txt", "the judgments: topic, 0, document, grade"),
        *([("pool.tsv", "the judged documents: topic, document")] if has_pool else []),
        (
            "runs/TAG.run",
            "a run as sent by its team, uncompressed; the JSON file next to it contains the run's metadata",
        ),
        (
            f"results/{'ROUND/' if len(names) > 1 else ''}index.html",
            "the results of all runs, with links to a page for each run",
        ),
        (
            f"results/{'ROUND/' if len(names) > 1 else ''}results.csv",
            "the same table as CSV; reusability.json contains the verdict",
        ),
        ("receipts.jsonl", "the receipts of the runs, one per line"),
        (LOG, "the log of the task, one line for each link of its hash chain"),
        ("heads.json", "the number of events and the head hash of each log"),
        (SUMS, "the SHA-256 hash of each file"),
    ]
    rounds_line = f"Rounds with results: {', '.join(names)}.\n" if len(names) > 1 else ""
    lines = [f"| `{name}` | {words} |" for name, words in files]
    return "\n".join(
        [
            f"# {' '.join(task.name.split())}",
            "",
            f"This archive contains {counted(n_runs, 'run')}, with the task's topics, judgments, results and log.",
            rounds_line,
            *(f"- {one.name}: {one}" for one in dates),
            "",
            "| file | content |",
            "|---|---|",
            *lines,
            "",
            f"In this folder, check the files with `sha256sum -c {SUMS}`, and a receipt with `cranfield task receipt"
            " FILE .`.",
            "Score a run with `cranfield evaluate qrels.txt runs/TAG.run`.",
            "",
        ]
    )


def file_of(run: str) -> str:
    """The name of a run's files.

    >>> file_of("2/cuni/run1")
    '2_cuni_run1'
    """
    return run.replace("/", "_")


def write_results(results: TaskResults, task: SharedTask, dates: Sequence[TaskDate], folder: Path) -> None:
    """The pages of all runs, an overview as a page and as CSV."""
    rows = results.overview()
    write_text(
        folder / "results.csv",
        separated_writer(",")(add_labellers_to_rows(rows, LeftOut(labelled_by=results.labelled_by)), ""),
    )
    write_text(folder / "reusability.json", as_json(results.trust.to_json()))
    for tag in results.judged.tags:
        write_text(folder / f"{file_of(tag)}.html", page(tag, task.name, results.sections(tag)))
    links = [{**row, "run": Cell(row["run"], href=f"{file_of(row['run'])}.html")} for row in rows]
    shown_dates = [(one.name, str(one)) for one in dates]
    table = TableBlock(
        "overview", f"Means over {len(results.judged.qids)} topics, best run first", links, filter="runs"
    )
    runs = Section("overview", "The runs", [table, Text(f"{results.p_caption}."), *map(Text, results.withdrawn)])
    sections = [Section("task", "The task", [Facts(shown_dates)]), runs, results.trust.section()]
    write_text(folder / "index.html", page("All runs", task.name, sections))


def page(title: str, task: str, sections: list[Section]) -> str:
    """A page that needs nothing else, and prints as it is."""
    return render_page(
        "tasks/results.html", ENGLISH, title=title, task=task, sections=sections, style=theme_css() + components_css()
    )


LOG = "log.jsonl"
LOGS = (  # told in full
    "task", "task_phase", "team", "terms_accepted", "submission", "submission_event", "withdrawal_request",
)  # fmt: skip


def log_lines(store: Store) -> Iterator[dict[str, Any]]:
    """The lines of the log, in the order of the chain."""
    names, logs = person_by_name(store.conn), linked_log_tables(store.conn)
    items = ((log, item) for log in LOGS if log in logs for item in items_in(store.conn, logs[log], names))
    contents = {(log, item.content["id"]): item.open(names) for log, item in items}
    links = "SELECT log, event, origin, import, previous, hash FROM event_link ORDER BY id"
    for log, event, origin, source, previous, own in store.rows(links):
        line = {"origin": origin, "previous": previous, "hash": own}
        content = (
            {"log": log, "event": event, "said": {**contents[log, event], "brought": source}} if log in LOGS else {}
        )
        yield {**content, **line}


class CheckedReceipt(NamedTuple):
    """A receipt that is in a log: its line there, how many lines there are, and the head of the log."""

    receipt: Mapping[str, Any]
    line: int
    lines: int
    head: str


def read_receipt(path: Path) -> Mapping[str, Any]:
    """A receipt, as the server gave it; an error where it does not agree with its own hash."""
    with open_utf8_text(path) as file:
        content = decode_json(file.read(), path)
    content = content.get("receipt", content) if isinstance(content, dict) else {}
    if missing := [name for name in (*RECEIPT, "hash") if name not in content]:
        raise InputError(f"the field {missing[0]} is missing; expected an unchanged receipt from the server", path)
    if accepted_link(content) != content["hash"]:
        raise InputError("the hash does not match the receipt, so the receipt was changed", path)
    return content


def check_receipt(path: Path, archive: Path) -> CheckedReceipt:
    """Check a receipt against the log in an archive; an error where either was changed."""
    receipt, log = read_receipt(path), archive / LOG if archive.is_dir() else archive
    with open_utf8_text(log) as file:
        hashes = list(_verify_lines(enumerate(file, 1), log))
    head = Head()
    for previous, own in hashes:
        head.follow(previous, own)
    if receipt["hash"] not in (own for _, own in hashes):
        raise InputError(f"the log ({counted(len(hashes), 'line')}) does not contain this receipt", path)
    line = 1 + [own for _, own in hashes].index(receipt["hash"])
    return CheckedReceipt(receipt, line, len(hashes), head.hash)


def _verify_lines(lines: Iterable[tuple[int, str]], path: Path) -> Iterator[tuple[str, str]]:
    """The hash before each line, and its own."""
    last: dict[str, str] = {}
    for number, text in lines:
        try:
            line = json.loads(text)
            origin, previous, own = line["origin"], line["previous"], line["hash"]
        except (ValueError, LookupError, TypeError):
            raise InputError("expected an object with origin, previous and hash", path, number) from None
        if previous != last.get(origin, ""):
            raise InputError("the line does not continue the chain, so the log was changed", path, number)
        if "said" in line and own != item_hash(line["log"], origin, previous, line["said"], ""):
            raise InputError("the hash does not match the line, so the log was changed", path, number)
        last[origin] = own
        yield previous, own
