"""Score files of `cranfield evaluate`, trec_eval, ir_measures, pytrec_eval, MTEB and AutoJudge, by measure and run.

JSON is a list "scores" of {"run", "measure", "value"}; a table has a header that begins with "run" and names a measure
a column. By topic there is also a "query_id", which is "all" where a score is a mean. An empty value is an undefined
score. JSON, CSV and TSV have all digits. A column labels_of, which says whose labels scored, is ignored.

The score rows of TREC AutoJudge are JSON lines {"run_id", "topic_id", "measure", "value"}, means among them.

trec_eval's output, with -q by topic, may have several runs one after the other; without its line runid a run is named
by its file. What is not about the run (num_q, num_rel) is left.

MTEB's results of a task are means of one model, named by model_meta.json beside them or else by the file. Scores are in
our notation; the nauc ones are left. Where there are several tasks, splits or subsets, measures say which.

ir_measures -q writes lines of topic, measure and value; pytrec_eval's scores are one JSON object {topic: {measure:
value}}. Their runs are named by the file.

A folder stands for all files in it and its folders.

Sources: autojudge-base 1.0.0, autojudge_base/leaderboard/leaderboard.py (format "jsonl"); trec_eval 10, trec_eval.c;
`TaskResult.to_disk` in mteb/results/task_result.py of embeddings-benchmark/mteb, 2.26.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.errors import InputError
from cranfield.formats.delimited import check_distinct_columns
from cranfield.formats.files import read_text
from cranfield.formats.given_files import file_name_without_suffixes
from cranfield.formats.jsonl import decode_json, json_error, nesting_error, parse_json_object
from cranfield.formats.layout import are_measure_names, detect_scoring_program
from cranfield.formats.runs.files import CELL
from cranfield.formats.whole_files import write_lines
from cranfield.selection import LABELS_OF
from cranfield.text import counted, json_value

if TYPE_CHECKING:
    from pandas import DataFrame

ScoreTable = dict[str, dict[str, float]]  # by measure, by run
ALL = "all"
KEYS = ("run", "query_id")
ROW = ("run_id", "topic_id", "measure", "value")  # of TREC AutoJudge
NO_MEAN = "no mean is a number, so there are no score rows; `evaluate` reports which labels are missing"
TOPIC_SCORES_ERROR = "the file contains scores by topic; expected means; write the file without --per-topic"
MEAN_SCORES_ERROR = "the file contains means; expected scores by topic; write the file with --per-topic"


class ScoreRow(NamedTuple):
    """A score of a file: where it is, and what it says; `judged` is the judged share, NaN where it is unknown."""

    line: int | None
    run: str
    query_id: str | None
    measure: str
    value: float
    judged: float = nan


def read_scores(path: Path) -> ScoreTable | None:
    """The scores in a file by measure and run, of scores by topic the means; None where it is no score file."""
    scores = _read_score_rows(path)
    if scores is None:
        return None
    means = [score for score in scores if score.query_id in (None, ALL)]
    if scores and not means:
        raise InputError(NO_MEAN if _has_score_rows(path) else TOPIC_SCORES_ERROR, path, scores[0].line and 1)
    table: ScoreTable = {}
    for score in means:
        runs = table.setdefault(score.measure, {})
        if score.run in runs:
            raise InputError(f"run {score.run!r} has two scores by {score.measure}", path, score.line)
        runs[score.run] = score.value
    return table


def _has_score_rows(path: Path) -> bool:
    return path.is_file() and all(f'"{name}"' in read_text(path).partition("\n")[0] for name in ROW)


def read_topic_scores(path: Path) -> "DataFrame | None":
    """The scores in a file as a table of run, query_id, measure, value and, where known, judged; None where it is no
    score file.
    """
    import pandas as pd

    scores = _read_score_rows(path)
    if scores is None:
        return None
    if any(score.query_id is None for score in scores):
        raise InputError(MEAN_SCORES_ERROR, path, scores[0].line and 1)
    keys: set[tuple[object, ...]] = set()
    for score in scores:
        if score[1:4] in keys:
            what = f"run {score.run!r}, topic {score.query_id!r}"
            raise InputError(f"{what} has two scores by {score.measure}", path, score.line)
        keys.add(score[1:4])
    rows = [score[1:] for score in scores if score.query_id != ALL]
    table = pd.DataFrame(rows, columns=["run", "query_id", "measure", "value", "judged"])
    return table.drop(columns="judged") if table["judged"].isna().all() else table


def all_topic_scores(paths: Sequence[Path]) -> "DataFrame | None":
    """The scores by topic in several files as one table; None where none of them is a score file."""
    import pandas as pd

    tables = [read_topic_scores(path) for path in paths]
    readable = [table for table in tables if table is not None]
    if readable and len(readable) < len(tables):
        other = next(path for path, table in zip(paths, tables, strict=True) if table is None)
        raise _not_scores_error(other)
    return pd.concat(readable, ignore_index=True) if readable else None


def _not_scores_error(path: Path) -> InputError:
    """The error for a file among files of scores; it shows the first line, by which a format is known."""
    problem = "not a score file of `cranfield evaluate` or trec_eval, although another given file is one"
    if not path.is_file():
        return InputError(problem, path)
    with path.open(encoding="utf-8", errors="replace") as file:
        first = file.readline().strip()
    return InputError(f"{first!r:.60} begins no scores; {problem}", path, 1)


def write_score_rows(path: Path, scores: Iterable[Mapping[str, Any]]) -> int:
    """Write scores by topic and their means as score rows of TREC AutoJudge; how many are undefined, and left out."""
    rows = [tuple(score[name] for name in (*KEYS, "measure", "value")) for score in scores]
    numbers = [row for row in rows if not isnan(row[-1])]
    write_lines(path, (json.dumps(dict(zip(ROW, row, strict=True))) for row in numbers))
    return len(rows) - len(numbers)


def _read_score_rows(path: Path) -> list[ScoreRow] | None:
    """Every score in a file or a folder, None where it is no score file."""
    if path.is_dir():
        return _read_score_folder(path)
    if not path.is_file():
        return None
    with path.open("rb") as file:
        start = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    first = start.split(b"\n")[0]
    program = "trec_eval" if TREC_EVAL.match(first) else detect_scoring_program(first.decode("utf-8", "replace"))
    if program:
        return list(_read_trec_eval_scores(path) if program == "trec_eval" else _read_ir_measures_scores(path))
    if MTEB.search(start) and start.startswith(b"{"):
        return _read_mteb_scores([path])
    if start.startswith((b"{", b"[")):
        return _read_row_scores(path) if all(f'"{name}"'.encode() in first for name in ROW) else _from_json(path)
    delimiter = next((d for d in (",", "\t") if first.startswith(f"run{d}".encode())), None)
    return None if delimiter is None else list(_from_table(path, delimiter))


def _read_score_folder(folder: Path) -> list[ScoreRow] | None:
    """The scores of all files of a folder, None where the first has none."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != MODEL]
    files = [path for path in files if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    if not files or _read_score_rows(files[0]) is None:
        return None
    results = [path for path in files if _is_mteb(path)]
    scores = _read_mteb_scores(results) if results else []
    for path in (path for path in files if path not in results):
        rows = _read_score_rows(path)
        if rows is None:
            raise InputError("not a score file, although this folder contains score files", path)
        scores += rows
    return scores


TREC_EVAL = re.compile(rb"(?=[^\t]{22,}\t)[A-Za-z][\w.-]* *\t\S+\t\S+\s*$")  # "%-22s\t%s\t%s"
RUNID = "runid"
NOT_OF_A_RUN = (RUNID, "num_q", "num_rel")


def _read_trec_eval_scores(path: Path) -> Iterator[ScoreRow]:
    """The scores of each run: those by topic, and then those over all of them, the first of which has its name."""
    rows = list(_lines_of_three(path, "trec_eval writes 3: measure, topic, value"))
    ends = [at for at, row in enumerate(rows) if row[2] == ALL and rows[at + 1 : at + 2] and rows[at + 1][2] != ALL]
    for start, end in pairwise([0, *(at + 1 for at in ends), len(rows)]):
        block = rows[start:end]
        run = next((value for _, name, _, value in block if name == RUNID), file_name_without_suffixes(path))
        for line, name, topic, value in block:
            if name not in NOT_OF_A_RUN:
                yield _score_row(path, line, {"run": run, "query_id": topic}, name, value)


def _read_ir_measures_scores(path: Path) -> Iterator[ScoreRow]:
    for line, topic, measure, value in _lines_of_three(path, "ir_measures -q writes 3: topic, measure, value"):
        yield _score_row(path, line, {"run": file_name_without_suffixes(path), "query_id": topic}, measure, value)


def _lines_of_three(path: Path, expected: str) -> Iterator[tuple[int, str, str, str]]:
    for line, text in enumerate(read_text(path).split("\n"), 1):
        cells = [cell.strip() for cell in text.split("\t")]
        if text.strip() and (len(cells) != 3 or not all(cells)):
            raise InputError(f"{counted(len(cells), 'column')} where {expected}", path, line)
        if text.strip():
            yield line, cells[0], cells[1], cells[2]


MTEB = re.compile(rb'"(task_name|dataset_revision|mteb_version)"\s*:')
MODEL = "model_meta.json"
CUTOFF = re.compile(r"(ndcg|map|mrr|recall|precision|hit_rate)_at_(\d+)")
OURS = {"ndcg": "nDCG", "map": "AP", "mrr": "RR", "recall": "R", "precision": "P", "hit_rate": "Success"}
NO_SCORES = ("nauc_", "hf_subset", "languages", "mteb_version")


def _is_mteb(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(4096).lstrip()
    return start.startswith(b"{") and bool(MTEB.search(start))


def _read_mteb_scores(paths: Sequence[Path]) -> list[ScoreRow]:
    results = [(path, of, scores) for path in paths for of, scores in _results_of_mteb(path)]
    places = list(zip(*(of for _, of, _ in results), strict=True))  # tasks, splits, subsets
    telling = [at for at, names in enumerate(places) if len(set(names)) > 1]
    rows = []
    for path, of, scores in results:
        where = ", ".join(of[at] for at in telling)
        for name, value in scores.items():
            if not name.startswith(NO_SCORES):
                measure = CUTOFF.sub(lambda match: f"{OURS[match[1]]}@{match[2]}", name)
                rows.append(
                    _score_row(
                        path, None, {"run": _model_name(path)}, f"{measure} ({where})" if where else measure, value
                    )
                )
    return rows


def _results_of_mteb(path: Path) -> Iterator[tuple[tuple[str, str, str], dict[str, Any]]]:
    """Task, split and subset, and what was measured there."""
    document = _json_of(path)
    splits = document.get("scores")
    if not isinstance(splits, dict) or "task_name" not in document:
        raise InputError("no scores with a task_name; expected results of MTEB 1.11 or later", path)
    for split, subsets in splits.items():
        for scores in subsets if isinstance(subsets, list) else [None]:
            if not isinstance(scores, dict):
                raise InputError(f"scores of {split} are {json_value(subsets)}; expected a list of objects", path)
            yield (str(document["task_name"]), str(split), str(scores.get("hf_subset", ""))), scores


def _model_name(path: Path) -> str:
    beside = path.with_name(MODEL)
    name = _json_of(beside).get("name") if beside.is_file() else None
    return str(name or file_name_without_suffixes(path))


def _json_of(path: Path) -> dict[str, Any]:
    fields = decode_json(read_text(path), path)
    if not isinstance(fields, dict):
        raise InputError(f"a JSON {type(fields).__name__}; expected an object", path)
    return fields


def _from_json(path: Path) -> list[ScoreRow] | None:
    try:
        document = json.loads(path.read_bytes())
    except RecursionError as error:
        raise InputError(nesting_error(error), path) from None
    except json.JSONDecodeError as error:
        if path.suffix != ".json" or error.msg == "Extra data":  # one object on each line
            return None
        raise json_error(error, error.doc, path) from None
    except ValueError:
        return None
    if (
        isinstance(document, dict)
        and document
        and all(isinstance(scores, dict) and are_measure_names(scores) for scores in document.values())
    ):
        run = file_name_without_suffixes(path)
        return [
            _score_row(path, None, {"run": run, "query_id": topic}, measure, value)
            for topic, scores in document.items()
            for measure, value in scores.items()
        ]
    rows = document.get("scores") if isinstance(document, dict) else document
    if not isinstance(rows, list) or not all(isinstance(r, dict) and {"run", "measure", "value"} <= {*r} for r in rows):
        return None
    return [
        _score_row(path, None, row, str(row["measure"]), row["value"], number=number)._replace(judged=_share(row))
        for number, row in enumerate(rows, 1)
    ]


def _share(row: Mapping[str, Any]) -> float:
    share = row.get("judged")
    return float(share) if isinstance(share, int | float) else nan


def _read_row_scores(path: Path) -> list[ScoreRow]:
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8: {error.object[error.start : error.start + 1]!r}", path) from None
    objects = ((line, parse_json_object(text, path, line)) for line, text in enumerate(lines, 1) if text.strip())
    return [_parse_score_row(path, line, fields) for line, fields in objects]


def _parse_score_row(path: Path, line: int, fields: dict[str, Any]) -> ScoreRow:
    if missing := [name for name in ROW if name not in fields]:
        raise InputError(f"the field {missing[0]} is missing; expected a score row of AutoJudge", path, line)
    keys = {"run": fields["run_id"], "query_id": fields["topic_id"]}
    return _score_row(path, line, keys, str(fields["measure"]), fields["value"])


def _from_table(path: Path, delimiter: str) -> Iterator[ScoreRow]:
    rows = ((line, row) for line, row in _table_rows(path, delimiter) if any(map(str.strip, row)))
    first, names = next(rows)
    header = [name.strip() for name in names]
    check_distinct_columns(header, path, first)
    measures = [name for name in header if name not in (*KEYS, LABELS_OF)]
    for line, row in rows:
        if len(row) != len(header):
            raise InputError(f"{len(row)} columns; expected {len(header)}, as in the header", path, line)
        cells = dict(zip(header, row, strict=False))
        for measure in measures:
            yield _score_row(path, line, cells, measure, cells[measure])


def _table_rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(CELL)  # other tables may have longer ones
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, delimiter=delimiter)
        try:
            yield from ((rows.line_num, row) for row in rows)
        except UnicodeDecodeError as error:
            raise InputError(f"not UTF-8: {error.object[error.start : error.start + 1]!r}", path) from None
        except csv.Error as error:
            raise InputError(f"not a table of scores: {error}", path, rows.line_num) from None


def _score_row(
    path: Path, line: int | None, keys: dict[str, Any], measure: str, value: Any, *, number: int = 0
) -> ScoreRow:
    run, topic = str(keys["run"]), keys.get("query_id")
    try:
        score = float("nan") if value in ("", None) else float(value)
    except (TypeError, ValueError, OverflowError):
        what = f"score {number}" if line is None else f"{measure} of {run}"
        raise InputError(f"{what} is {json_value(value, 60)}; expected a number", path, line) from None
    return ScoreRow(line, run, None if topic is None else str(topic), measure, score)
