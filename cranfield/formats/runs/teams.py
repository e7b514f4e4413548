"""Who made which run: a TSV with a header line, its columns among run, team, kind, pooled, depth, description."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from typing import NamedTuple, TextIO

from cranfield.errors import InputError
from cranfield.formats.files import opened_strictly
from cranfield.formats.runs.ir_metadata import Metadata, description_of, team_of

CELL = 1 << 17  # characters
DIGITS = 9
COLUMNS = ("run", "team", "kind", "pooled", "depth", "description")
YES_NO = {"yes": True, "no": False}


class RunInfo(NamedTuple):
    """What is known of a run beside its rankings; `depth` None is as deep as the pool."""

    team: str
    kind: str = "automatic"
    description: str = ""
    pooled: bool = True
    depth: int | None = None
    file: str = ""
    sha256: str = ""
    metadata: Mapping[str, object] = {}  # of the header of its file


def teams_given(teams: Mapping[str, str]) -> bool:
    """Whether any run has a team that is not called as itself, which runs without a team are of; of teams by run.

    >>> teams_given({"bm25": "bm25", "lsa": "lsa"}), teams_given({"bm25": "ir", "lsa": "lsa"})
    (False, True)
    """
    return any(team != tag for tag, team in teams.items())


def with_header(info: RunInfo, header: Metadata, teams_known: bool = False) -> RunInfo:
    """The same with what a run's header says: its description where there is none, its team unless teams are known.

    >>> with_header(RunInfo("a"), {"actor": {"team": "delta"}, "description": "BM25"})[:3]
    ('delta', 'automatic', 'BM25')
    """
    team = info.team if teams_known else team_of(header) or info.team
    return info._replace(team=team, description=info.description or description_of(header), metadata=header)


def read_teams(path: str | PathLike[str]) -> dict[str, RunInfo]:
    """What a teams file says of each run, by tag."""
    return teams_and_pooled(path)[0]


def teams_and_pooled(path: str | PathLike[str]) -> tuple[dict[str, RunInfo], bool]:
    """The same, and whether it has the column `pooled`, so that it says who was."""
    with _opened(path) as file:
        lines = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = list(lines.fieldnames or [])
        if not {"run", "team"} <= set(header) <= set(COLUMNS):
            raise InputError(
                f"the header is {' '.join(header) or 'empty'}; allowed columns: {' '.join(COLUMNS)}", path, 1
            )
        about: dict[str, RunInfo] = {}
        for row in lines:
            if None in row or None in row.values():
                raise InputError(f"expected {len(header)} columns, as in the header", path, lines.line_num)
            if row["run"] in about:
                raise InputError(f"duplicate run {row['run']!r}", path, lines.line_num)
            about[row["run"]] = _run_info(row, path, lines.line_num)
    return about, "pooled" in header


@contextmanager
def _opened(path: str | PathLike[str]) -> Iterator[TextIO]:
    """A teams file as text; what is none is an InputError."""
    csv.field_size_limit(CELL)  # other tables may have longer ones
    try:
        with opened_strictly(path, newline="") as file:
            yield file
    except csv.Error as error:
        raise InputError(f"not a table of teams: {error}", path) from None


def _run_info(row: dict[str, str], path: str | PathLike[str], line: int) -> RunInfo:
    pooled, depth = row.get("pooled", "yes"), row.get("depth", "")
    if pooled not in YES_NO:
        raise InputError(f"pooled is {pooled!r}; expected yes or no", path, line)
    if depth and not (depth.isdecimal() and len(depth) <= DIGITS and int(depth)):
        right = f"a whole number from 1, of at most {DIGITS} digits, or empty"
        raise InputError(f"depth is {depth!r:.60}; expected {right}", path, line)
    return RunInfo(
        row["team"], row.get("kind") or "automatic", row.get("description") or "", YES_NO[pooled],
        int(depth) if depth else None,
    )  # fmt: skip
