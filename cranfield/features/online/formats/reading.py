"""Reading interaction logs: the parts of files that can be used, and the lines that cannot, found over many at once."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats, Ints, Mask
from cranfield.errors import InputError, Path
from cranfield.features.online.fields import LOG_FILE
from cranfield.features.online.formats import ga4
from cranfield.features.online.formats.others import UBI, USUAL, is_events, join, read_ubi
from cranfield.features.online.formats.parts import LATEST, BadLine, LogPart
from cranfield.features.online.interactions import KINDS
from cranfield.formats.delimited import check_distinct_columns
from cranfield.formats.files import Format, OpenFile, open_file, read_text
from cranfield.formats.records import Names
from cranfield.formats.table import AUTO, choose_format, format_guess_notes, nothing_read_error
from cranfield.text import counted, join_words

OTHERS = ("probability", "token")  # what interleaved lists have besides
NAMED = ("jsonl", "ubi", "ga4", "csv", "parquet")  # the formats whose fields have names
FIELD_FORMATS = ("jsonl", "csv", "parquet")  # those whose fields are seen in the first lines
FREE: Mapping[str, Mapping[str, object]] = {"ubi": USUAL, "ga4": ga4.USUAL}  # fields that others may name
FILE = 1 << 40  # the lines of a file, at most: numbers of lines in several files


class LogLines(NamedTuple):
    """Some lines of a file: the part that can be used, the lines that cannot, and what is to be said about it."""

    path: Path
    part: LogPart
    bad: list[BadLine]
    notes: Sequence[str] = ()


def read_logs(
    paths: Sequence[Path],
    format: str = AUTO,
    names: Mapping[str, str] | None = None,
    attributes: Sequence[str] = (),
) -> Iterator[LogLines]:
    """The lines of the files, many at a time. `names` says under which name the files have a field.

    Fields that are `attributes` are kept under their own names. Files of queries and files of events (UBI) are read as
    a whole, and joined.
    """
    fields = Names(names or {}, others=tuple(attributes))
    fields.check("log")
    if ours := [name for name in attributes if name in LOG_FILE.fields]:
        raise InputError(
            f"{ours[0]} is a standard field of logs, so it cannot be an attribute; leave it out of --attribute"
        )
    missing, placeless = set(attributes), 0
    for lines in _lines(paths, format, fields):
        missing -= set(lines.part.attributes)
        actions = lines.part.actions
        is_click = actions.kind == KINDS.index("click")
        placeless += int(np.count_nonzero(is_click & (actions.document < 0) & (actions.position < 0)))
        yield lines
    if missing:
        raise InputError(f"no line contains the field {min(missing)!r}, which --attribute names", paths[-1])
    if placeless:
        nothing = lines.part.rows(np.zeros(len(lines.part), bool))
        yield LogLines(paths[-1], nothing, [], [f"{counted(placeless, 'click')} {PLACELESS}"])


PLACELESS = (
    "record neither doc nor position; ClicksPerSearch counts such clicks, but document measures such as CTR do not"
)


def _lines(paths: Sequence[Path], format: str, names: Names) -> Iterator[LogLines]:
    records: list[tuple[int, dict[str, Any]]] = []
    guesses = list[str]()
    for number, path in enumerate(paths):
        with open_file(path, Names(names.mapping, others=names.others), whole=False) as source:
            row, lines = choose_format("log", format, source), 0
            if source.names.mapping and row.name not in NAMED:
                raise InputError(
                    f"the format {row.name} has no field names; use --field only with {join_words(NAMED)}", source.path
                )
            free = FREE.get(row.name, LOG_FILE.fields)
            if others := [name for name in source.names.mapping if name not in free]:
                message = (
                    f"the format {row.name} fixes the name of the field {others[0]!r}; use --field only for"
                    f" {', '.join(free)}"
                )
                raise InputError(message, source.path)
            if row is UBI:
                read = [(number * FILE + line, record) for line, record in read_ubi(source)]
                lines, records = len(read), records + read
                guesses += _guesses(row, format, source)
            else:
                for part, bad, *remarks in row.read(source):
                    notes = (
                        _unread_field_notes(source) if row.name in FIELD_FORMATS and not lines else [*chain(*remarks)]
                    )
                    notes += _guesses(row, format, source) if not lines else []
                    lines += len(part) + len(bad)
                    yield _check(LogLines(path, part, bad, notes))
            if not lines:
                raise nothing_read_error(row, source)
            if row.name in FIELD_FORMATS:
                source.names.check_names(path)
    if records:
        yield from _join(paths, records, names, guesses)


def _guesses(row: Format, format: str, source: OpenFile) -> list[str]:
    return [f"{source.path}: {line}" for line in format_guess_notes(row, format, source.names)]


def _unread_field_notes(source: OpenFile) -> list[str]:
    others = [name or "(no name)" for name in source.names.unknown("log") if name not in OTHERS]
    if not others:
        return []
    how = (
        f"--attribute {others[0]} keeps {others[0]}; --field KNOWN={others[0]} reads it as a known field, such as user"
    )
    return [f"{source.path}: fields left out: {', '.join(others)}; {how}"]


def _join(
    paths: Sequence[Path], records: list[tuple[int, dict[str, Any]]], names: Names, guesses: Sequence[str]
) -> Iterator[LogLines]:
    """The lists of all queries with their events, file by file."""
    queries = [one for one in records if not is_events(one[1])]
    lists = join(queries, [one for one in records if is_events(one[1])], names)
    # An error about a missing field names every file that could have it.
    numbers = dict.fromkeys(line // FILE for line, _ in queries or records)
    names.check_names(" and ".join(str(paths[number]) for number in numbers))
    for number, path in enumerate(paths):
        part = lists.part.rows(lists.part.line // FILE == number)
        bad = [each._replace(line=each.line % FILE) for each in lists.bad if each.line // FILE == number]
        if len(part) or bad:
            yield _check(LogLines(path, replace(part, line=part.line % FILE), bad))
    yield LogLines(paths[-1], lists.part.rows(np.zeros(len(lists.part), bool)), [], [*guesses, *lists.notes])


def _check(lines: LogLines) -> LogLines:
    whole = place_actions(lines.part)
    wrong_lines = (line for find in CHECKS for line in find(whole))
    bad = [*lines.bad, *_other_positions(lines.part, whole), *wrong_lines]
    if not bad:
        return lines._replace(part=whole)
    wrong = {each.line for each in bad}
    keep = np.array([line not in wrong for line in whole.line.tolist()], bool)
    return lines._replace(part=whole.rows(keep), bad=bad)


def place_actions(part: LogPart) -> LogPart:
    """The part with the position of each action's document in its list, -1 where it was not shown."""
    actions, size = part.actions, len(part.document.names) + 1
    keys = part.impression * size + part.document.codes
    order = np.argsort(keys, kind="stable")
    targets = actions.impression * size + actions.document
    place = np.searchsorted(keys, targets, sorter=order)
    matches = (place < len(keys)) & (actions.document >= 0)
    matches[matches] = keys[order[place[matches]]] == targets[matches]
    position = actions.position.copy()
    position[matches] = order[place[matches]] - part.bounds[actions.impression[matches]]
    absent = (actions.document >= 0) & ~matches
    position[absent] = -1
    return replace(part, actions=replace(actions, position=position))


def _other_positions(part: LogPart, placed: LogPart) -> Iterator[BadLine]:
    """The actions whose position, as written, is not that of their document; earlier pages may count or not."""
    written, place = part.actions.position, placed.actions.position
    is_both = (part.actions.document >= 0) & (written >= 0) & (place >= 0)
    before = part.first[part.actions.impression] if len(part) else place
    for row in np.flatnonzero(is_both & (written != place) & (written != place + before)).tolist():
        docno = part.document.names[part.actions.document[row]]
        what = (
            f"an action on {docno!r} at position {written[row] + 1}; expected position {place[row] + 1}, the"
            " document's place"
        )
        yield _bad(part, part.actions.impression[row], "positions of other documents", f"{what} in the list")


def _not_shown(part: LogPart) -> Iterator[BadLine]:
    actions = part.actions
    for row in np.flatnonzero((actions.document >= 0) & (actions.position < 0)).tolist():
        docno = part.document.names[actions.document[row]]
        yield _bad(
            part,
            actions.impression[row],
            "documents not shown",
            f"an action refers to {docno!r}, which the list did not show",
        )


def _unlisted_actions(part: LogPart) -> Iterator[BadLine]:
    actions, length = part.actions, np.diff(part.bounds)
    wrong = actions.position >= length[actions.impression] if len(actions) else np.zeros(0, bool)
    for row in np.flatnonzero(wrong).tolist():
        documents = length[actions.impression[row]]
        what = f"an action at position {actions.position[row] + 1} of a list with {counted(documents, 'document')}"
        yield _bad(part, actions.impression[row], "documents not shown", what)


def _too_early(part: LogPart) -> Iterator[BadLine]:
    actions = part.actions
    for row in np.flatnonzero(actions.at < part.at[actions.impression]).tolist():
        seconds = part.at[actions.impression[row]] - actions.at[row]
        what = f"an action {seconds:,.10g} s before its list; expected both times from one clock"
        yield _bad(part, actions.impression[row], "actions before their list", what)


def _improbable(part: LogPart) -> Iterator[BadLine]:
    wrong = (part.propensity <= 0) | (part.propensity > 1) | np.isinf(part.propensity)
    for row, first in _first_places(part.impression, wrong):
        propensity = part.propensity[first]
        yield _bad(part, row, "propensities", f"the propensity is {propensity:g}; expected more than 0 and at most 1")


def _nameless(part: LogPart) -> Iterator[BadLine]:
    for row, _ in _first_places(part.impression, part.document.codes < 0):
        yield _bad(part, row, "documents without a name", "the id of a document is missing")


def _repeated_documents(part: LogPart) -> Iterator[BadLine]:
    size = len(part.document.names) + 1
    keys = np.sort((part.impression * size + part.document.codes)[part.document.codes >= 0])
    for key in np.unique(keys[1:][keys[1:] == keys[:-1]]).tolist():
        docno = part.document.names[key % size]
        yield _bad(
            part,
            key // size,
            "documents shown twice",
            f"{docno!r} appears twice in the list; expected each document once",
        )


def _no_query(part: LogPart) -> Iterator[BadLine]:
    for row in np.flatnonzero((part.query.codes < 0) & (part.qid.codes < 0)).tolist():
        yield _bad(part, row, "lines without a query", "both qid and query are missing; expected one of them")


def _no_time(part: LogPart) -> Iterator[BadLine]:
    for row in np.flatnonzero(~np.isfinite(part.at)).tolist():
        yield _bad(
            part, row, "lines without a time", "the time is missing; expected seconds since 1970 or an ISO 8601 time"
        )


def _no_date(part: LogPart) -> Iterator[BadLine]:
    """Milliseconds are beyond any date."""
    row = np.append(np.arange(len(part)), part.actions.impression)
    at = np.append(part.at, part.actions.at)
    for number, first in _first_places(row, np.isfinite(at) & (abs(at) >= LATEST)):
        yield _bad(
            part, number, "times after the year 9999", f"the time is {at[first]:.15g}; expected seconds since 1970"
        )


def _odd_numbers(part: LogPart) -> Iterator[BadLine]:
    actions = part.actions
    for name, values, least in (("seconds", actions.seconds, 0), ("value", actions.value, -np.inf)):
        for row, first in _first_places(actions.impression, (values < least) | np.isinf(values)):
            what = "a finite number" + " of 0 or more" * (least == 0)
            yield _bad(part, row, "numbers", f"{name} is {values[first]:g}; expected {what}")


CHECKS: Sequence[Callable[[LogPart], Iterator[BadLine]]] = (
    _no_time, _no_date, _no_query, _nameless, _repeated_documents, _not_shown, _unlisted_actions, _too_early,
    _improbable, _odd_numbers,
)  # fmt: skip


def _first_places(impression: Ints, wrong: Mask) -> Iterator[tuple[int, int]]:
    """Each impression with something wrong, and the first place of it."""
    places = np.flatnonzero(wrong)
    rows, first = np.unique(impression[places], return_index=True)
    yield from zip(rows.tolist(), places[first].tolist(), strict=True)


def _bad(part: LogPart, row: int, kind: str, message: str) -> BadLine:
    return BadLine(int(part.line[row]), kind, message)


def read_examination(path: Path) -> Floats:
    """The probability of each rank, from the first."""
    chances: list[float] = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip():
            rank = len(chances) + 1
            parts = line.replace(",", " ").split()
            try:
                number_read, chance = int(parts[0]), float(parts[1])
            except (IndexError, ValueError):
                number_read, chance = 0, 0.0
            if len(parts) != 2 or number_read != rank or not 0 < chance <= 1:
                raise InputError(
                    f"{line.strip()!r:.60}; expected rank {rank} and a probability above 0 and at most 1", path, number
                )
            chances.append(chance)
    if not chances:
        raise InputError("the file contains no ranks; expected lines with a rank and its probability", path)
    return np.array(chances)


ROUNDING = 1e-3  # of a sum of probabilities
NEEDED = ("qid", "docno", "probability")


class PolicyTable(NamedTuple):
    """The rows of a policy; positions are ranks from 0."""

    qid: list[str]
    docno: list[str]
    rank: Ints
    probability: Floats


def is_policy(path: Path) -> bool:
    """Whether the first line names a probability, as no run does."""
    with open_file(path) as source:
        return b"probability" in source.head.partition(b"\n")[0]


def read_policy(path: Path) -> PolicyTable:
    """The rows of the file; an error where the probabilities of a topic and a position do not sum to 1."""
    rows = csv.DictReader(read_text(path).splitlines())
    if absent := [name for name in NEEDED if name not in (rows.fieldnames or ())]:
        raise InputError(f"no column {absent[0]}; expected qid, docno, position and probability", path, 1)
    check_distinct_columns(rows.fieldnames or (), path)
    qids, docnos, ranks, chances = list[str](), list[str](), list[int](), list[float]()
    keys, sums = set[tuple[str, str, int]](), defaultdict[tuple[str, int], float](float)
    for row in rows:
        try:
            rank, chance = int(row.get("position") or 1) - 1, float(row["probability"])
        except (TypeError, ValueError):
            rank, chance = -1, 0.0
        if rank < 0 or not 0 <= chance <= 1:
            what = f"position {row.get('position')!r:.20} and probability {row['probability']!r:.20}"
            raise InputError(f"{what}; expected a position from 1 and a probability from 0 to 1", path, rows.line_num)
        if (key := (row["qid"], row["docno"], rank)) in keys:
            raise InputError(f"{row['docno']!r} appears twice at position {rank + 1}", path, rows.line_num)
        keys.add(key)
        sums[row["qid"], rank] += chance
        qids.append(row["qid"])
        docnos.append(row["docno"])
        ranks.append(rank)
        chances.append(chance)
    for (qid, rank), total in sums.items():
        if abs(total - 1) > ROUNDING:
            raise InputError(
                f"topic {qid!r}: the probabilities of position {rank + 1} sum to {total:.4g}; expected 1", path
            )
    return PolicyTable(qids, docnos, np.array(ranks, np.int64), np.array(chances))
