"""Run files: their lines, TREC's and MS MARCO's, the headers that say how a run came about, and tables of teams.

A header (ir_metadata) is YAML in comment lines at the start of the run file, between `# ir_metadata.start` and
`# ir_metadata.end`, or the same YAML in a file beside the run, NAME.ir_metadata.yaml. The team is `team` of the
`actor`, the description `description` or else that of the `method`. All of it is kept as it is, dates as text.
Source: Breuer, Keller and Schaer, ir_metadata: An extensible metadata schema for IR experiments, SIGIR 2022.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, takewhile
from os import PathLike
from typing import Any, NamedTuple, TextIO

import numpy as np

from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError, Path
from cranfield.formats.columns import UnreadTable
from cranfield.formats.files import Format, OpenFile, latin1_text, open_file, open_utf8_text, read_text
from cranfield.formats.given_files import COMPRESSIONS, METADATA
from cranfield.formats.layout import Layout

CELL = 1 << 17  # characters
DIGITS = 9
COLUMNS = ("run", "team", "kind", "pooled", "depth", "description")
YES_NO = {"yes": True, "no": False}


class RunInfo(NamedTuple):
    """Description of a run, without its rankings.

    `depth` is the run's pool depth, None for the depth of the pool. None in `round` means the first round.
    `submitted_lines` is the tag that the team used, if the run has another name in the store.
    """

    team: str
    kind: str = "automatic"
    description: str = ""
    pooled: bool = True
    depth: int | None = None
    file: str = ""
    sha256: str = ""
    metadata: Mapping[str, object] = {}  # of the header of its file
    round: int | None = None
    submitted: str | None = None


def has_named_teams(teams: Mapping[str, str]) -> bool:
    """Whether any run has a team that is not called as itself, which runs without a team are of; of teams by run.

    >>> has_named_teams({"bm25": "bm25", "2/lsa": "lsa"}), has_named_teams({"bm25": "ir", "lsa": "lsa"})
    (False, True)
    """
    return any(team not in (tag, tag.rpartition("/")[2]) for tag, team in teams.items())


def add_header(info: RunInfo, header: Metadata, teams_known: bool = False) -> RunInfo:
    """The same with what a run's header says: its description where there is none, its team unless teams are known.

    >>> add_header(RunInfo("a"), {"actor": {"team": "delta"}, "description": "BM25"})[:3]
    ('delta', 'automatic', 'BM25')
    """
    team = info.team if teams_known else team_of(header) or info.team
    return info._replace(team=team, description=info.description or description_of(header), metadata=header)


def read_teams(path: str | PathLike[str]) -> dict[str, RunInfo]:
    """Read a teams file: the description of each run, by tag."""
    return read_teams_and_pooled(path)[0]


def read_teams_and_pooled(path: str | PathLike[str]) -> tuple[dict[str, RunInfo], bool]:
    """The same, and whether it has the column `pooled`, so that it says who was."""
    from cranfield.formats.delimited import check_distinct_columns

    with _open(path) as file:
        lines = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        header = list(lines.fieldnames or [])
        if not {"run", "team"} <= set(header) <= set(COLUMNS):
            allowed = f"expected tab-separated columns among {' '.join(COLUMNS)}, including run and team"
            raise InputError(f"the header is {' '.join(header) or 'empty'}; {allowed}", path, 1)
        check_distinct_columns(header, path)
        about: dict[str, RunInfo] = {}
        for row in lines:
            if None in row or None in row.values():
                raise InputError(
                    f"the number of columns differs; expected {len(header)}, as in the header", path, lines.line_num
                )
            if row["run"] in about:
                raise InputError(f"duplicate run {row['run']!r}", path, lines.line_num)
            about[row["run"]] = _run_info(row, path, lines.line_num)
    return about, "pooled" in header


@contextmanager
def _open(path: str | PathLike[str]) -> Iterator[TextIO]:
    """A teams file as text; what is none is an InputError."""
    csv.field_size_limit(CELL)  # other tables may have longer ones
    try:
        with open_utf8_text(path, newline="") as file:
            yield file
    except csv.Error as error:
        raise InputError(f"not a table of teams: {error}", path) from None


def _run_info(row: dict[str, str], path: str | PathLike[str], line: int) -> RunInfo:
    pooled, depth = row.get("pooled", "yes"), row.get("depth", "")
    if pooled not in YES_NO:
        raise InputError(f"pooled is {pooled!r}; expected yes or no", path, line)
    if depth and not (depth.isdecimal() and len(depth) <= DIGITS and int(depth)):
        right = f"a whole number of at least 1, with at most {DIGITS} digits, or empty"
        raise InputError(f"depth is {depth!r:.60}; expected {right}", path, line)
    return RunInfo(
        row["team"], row.get("kind") or "automatic", row.get("description") or "", YES_NO[pooled],
        int(depth) if depth else None,
    )  # fmt: skip


START, END = "ir_metadata.start", "ir_metadata.end"
LONGEST = 100_000  # characters
Metadata = dict[str, Any]


def read_metadata(path: Path) -> Metadata:
    r"""Read the ir_metadata in a run file's header or, without a header, in the file next to it.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     print("# ir_metadata.start\n# actor:\n#   team: delta\n# ir_metadata.end", file=file, flush=True)
    ...     read_metadata(file.name)
    {'actor': {'team': 'delta'}}
    """
    with open_file(path) as source:
        metadata = _read_ir_metadata(source.lines(), path) if source.head.lstrip().startswith(b"#") else {}
    return metadata or metadata_beside(path)


def metadata_path(path: Path) -> str:
    """Where the metadata of a run file stand that has no header.

    >>> metadata_path("runs/bm25.run.gz"), metadata_path("bm25.txt")
    ('runs/bm25.ir_metadata.yaml', 'bm25.txt.ir_metadata.yaml')
    """
    name = os.fspath(path)
    for suffix in COMPRESSIONS:
        name = name.removesuffix(suffix)
    return name.removesuffix(".run") + METADATA


def metadata_beside(path: Path) -> Metadata:
    """What the file beside a run says, nothing where there is none."""
    from cranfield.formats.mappings import parse_yaml_fields

    place = metadata_path(path)
    if not os.path.isfile(place):
        return {}
    text = read_text(place)
    if len(text) > LONGEST:
        raise InputError(f"ir_metadata of more than {LONGEST} characters", place)
    return parse_yaml_fields(text, place, 1, "ir_metadata")


def write_metadata(path: Path, metadata: Mapping[str, object]) -> None:
    """Write the metadata of a run file beside it."""
    from cranfield.formats.mappings import yaml_text
    from cranfield.formats.whole_files import write_text

    write_text(metadata_path(path), yaml_text(metadata))


def metadata_of(data: bytes, path: Path) -> Metadata:
    r"""The same of the bytes of a run.

    >>> metadata_of(b"# ir_metadata.start\n# tag: a\n# ir_metadata.end\n1 Q0 d1 1 1 a\n", "a.run")
    {'tag': 'a'}
    """
    lines = enumerate(map(latin1_text, io.TextIOWrapper(io.BytesIO(data), "utf-8", "surrogateescape")), 1)
    return _read_ir_metadata(((number, text.rstrip("\n")) for number, text in lines), path)


def _read_ir_metadata(lines: Iterator[tuple[int, str]], path: Path) -> Metadata:
    comments = takewhile(lambda line: line[1].startswith("#") or not line[1].strip(), lines)
    first = next((number for number, text in comments if text[1:].strip() == START), None)
    if first is None:
        return {}
    from cranfield.formats.mappings import parse_yaml_fields

    inside, size = list[str](), 0
    for _, text in comments:
        if text[1:].strip() == END:
            return parse_yaml_fields("\n".join(inside), path, first + 1, "an ir_metadata header")
        inside.append(text[1:].rstrip(" \t\r"))
        size += len(text)
        if size > LONGEST:
            raise InputError(f"the ir_metadata header has more than {LONGEST:,} characters", path, first)
    raise InputError(f"the header that starts with {START} has no end; expected the line # {END}", path, first)


def team_of(metadata: Mapping[str, Any]) -> str:
    """The team that made the run, empty where it is not given.

    >>> team_of({"actor": {"team": "delta"}}), team_of({"actor": "me"})
    ('delta', '')
    """
    return _metadata_text(metadata.get("actor"), "team")


def description_of(metadata: Mapping[str, Any]) -> str:
    """What the run is, empty where it is not given.

    >>> description_of({"method": {"description": "BM25, then a reranker"}}), description_of({"description": "BM25"})
    ('BM25, then a reranker', 'BM25')
    """
    return _metadata_text(metadata, "description") or _metadata_text(metadata.get("method"), "description")


def _metadata_text(parent: object, name: str) -> str:
    value = parent.get(name) if isinstance(parent, Mapping) else None
    return "" if value is None or isinstance(value, dict | list) else " ".join(str(value).split())


def check_tag(metadata: Mapping[str, Any], tag: str, data: bytes, path: Path) -> None:
    r"""Refuse a header whose tag is not that of the run's lines.

    >>> check_tag({"tag": "a"}, "b", b"# ir_metadata.start\n# tag: a\n# ir_metadata.end\n1 Q0 d1 1 1 b\n", "r")
    Traceback (most recent call last):
    cranfield.errors.InputError: r:2: the header has tag 'a', and the lines have tag 'b'; correct one of them
    """
    own_tag = str(metadata.get("tag") or tag)
    if own_tag != tag:
        lines = enumerate(data.splitlines(), 1)
        line = next((number for number, text in lines if re.match(rb"#\s*['\"]?tag\b", text)), None)
        raise InputError(
            f"the header has tag {own_tag!r}, and the lines have tag {tag!r}; correct one of them", path, line
        )


def add_run_details(metadata: Mapping[str, Any], tag: str, team: str, description: str) -> Metadata:
    """The metadata with the team, the description and, if it has one, the tag as they are known now.

    >>> add_run_details({"actor": {"name": "Ada"}, "tag": "a"}, "b", "delta", "")
    {'actor': {'name': 'Ada', 'team': 'delta'}, 'tag': 'b'}
    """
    record = dict(metadata)
    if str(record.get("tag", tag)) != tag:
        record["tag"] = tag
    if team and team != team_of(record):
        record["actor"] = {**_as_mapping(record.get("actor")), "team": team}
    if description and description != description_of(record):
        record["description"] = description
    return record


def add_collection(metadata: Mapping[str, Any], collection: Mapping[str, str]) -> Metadata:
    """The metadata with what is known of the test collection: fields that are empty are not, and others stay.

    >>> said = {"data": {"test collection": {"name": "a", "source": "of a", "split": "test"}}}
    >>> add_collection(said, {"name": "b", "source": "", "version": "1.0"})
    {'data': {'test collection': {'name': 'b', 'version': '1.0', 'split': 'test'}}}
    """
    data = _as_mapping(metadata.get("data"))
    fields = {field: value for field, value in collection.items() if value}
    others = {
        field: value for field, value in _as_mapping(data.get("test collection")).items() if field not in collection
    }
    return {**metadata, "data": {**data, "test collection": fields | others}}


def _as_mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def header(metadata: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a header.

    >>> list(header({"actor": {"team": "delta"}}))
    ['# ir_metadata.start', '# actor:', '#   team: delta', '# ir_metadata.end']
    """
    from cranfield.formats.mappings import yaml_text

    yield from (f"# {line}" for line in (START, *yaml_text(metadata).rstrip("\n").split("\n"), END))


TREC_LAYOUT = Layout("a run has", ("qid", "Q0", "docno", "rank", "score", "tag"), number="score", more=True)


def read_trec(source: OpenFile) -> UnreadTable:
    """TREC runs: `qid Q0 docno rank score tag`, and trec_eval's reading of them.

    The second and the rank column are ignored; the run's tag is that of its last line. Columns after the tag are
    ignored where they cannot come from a blank in a docno, or where the format was named.
    What comment lines at the start say of the run is its header.
    """
    return UnreadTable(source.path, source.data(), TREC_LAYOUT._replace(refuses_shifts=source.is_guessed))


def write_trec(path: Path, run: Runs, metadata: Mapping[str, object]) -> None:
    """Write one run. What has white space in a name is refused, for it would be read as more columns."""
    from cranfield.formats.whole_files import check_words, write_lines

    if len(run.tags) != 1:
        raise InputError(f"{len(run.tags)} runs for one file; expected one run", path)
    qids = run.topics.names[np.unique(run.topic)]
    docnos = run.docnos.names[np.unique(run.document)]
    check_words(path, qid=qids, docno=docnos, tag=run.tags)
    write_lines(path, chain(header(metadata) if metadata else (), _run_lines(run)))


def _run_lines(run: Runs) -> Iterator[str]:
    qids, docnos = run.topics.names[run.topic], run.docnos.names[run.document]
    for qid, docno, rank, score in zip(qids, docnos, run.rank.tolist(), run.score.tolist(), strict=True):
        yield f"{qid} Q0 {docno} {rank} {score!r} {run.tags[0]}"


TREC = Format(
    "run", "trec", "qid Q0 docno rank score tag", detect=lambda head, path: True, read=read_trec, write=write_trec
)


def other_tags(table: UnreadTable) -> tuple[str, ...]:
    r"""The tags of a file besides that of its last line, in the order in which they come.

    >>> from cranfield.formats.runs.files import TREC_LAYOUT
    >>> other_tags(UnreadTable("a.run", b"1 Q0 d1 1 2 b\n1 Q0 d2 2 1 a\n2 Q0 d1 1 1 c\n", TREC_LAYOUT))
    ('b', 'a')
    """
    from cranfield.formats.arrow import has_one_tag, last_tag, normalise_separators

    if "tag" not in table.layout.columns:
        return ()
    regular = normalise_separators(table.body, table.layout.tabs)
    tag = last_tag(regular)
    if tag is not None and has_one_tag(regular, tag, regular.count(b"\n") + (not regular.endswith(b"\n"))):
        return ()
    tags = [row.tag for row in table.rows()]
    return tuple(one for one in dict.fromkeys(tags) if one != tags[-1])
