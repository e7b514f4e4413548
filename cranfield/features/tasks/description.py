"""A task as its organisers describe it: dates, terms, limits, what runs say of themselves, who sees what when.

It is one TOML file; what it does not say has a default. Dates have a zone, and are kept in UTC.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from difflib import get_close_matches
from typing import Any, NamedTuple

from cranfield.errors import CranfieldError, InputError, Path
from cranfield.formats.files import parse_byte_size, read_text
from cranfield.formats.mappings import parse_toml
from cranfield.text import format_moment, join_words

PHASES = ("announced", "topics", "open", "closed", "results")
PHASE_WORDS = {  # what a team may do
    "announced": "not open yet",
    "topics": "announced, with its topics and documents released",
    "open": "open for runs",
    "closed": "closed and being judged",
    "results": "over, with its results released",
}
DATES = {"topics": "topics", "open": "open", "close": "closed", "results": "results"}  # and the phase each begins
KINDS = ("automatic", "feedback", "manual")
META = ("tag", "priority", "kind", "description", "same_system")  # fields of every run
LEAST_TOPICS = 40  # of a leaderboard's: with fewer, steps of its mean follow single topics
STEPS = (0.02, 0.05, 0.1)  # of the scores of a leaderboard
SET = "topics:"
TEMPLATE = '''\
name = "My track"
terms = """
Topics and documents may be used for research only.
"""
missing = "error"        # if a run has a topic without documents: error or warn
late = "refuse"          # if a run comes after the close: refuse or unpooled
leaderboard = "hidden"   # hidden, after (when the results are released) or topics:SET (a set of at least 40 topics)
names = "own"            # team names that a team sees in the results: own or all
qrels = "after"          # hidden, or after: teams get the qrels when the results are released
public = "nothing"       # nothing, or results: anybody can read the leaderboard when the results are released
measures = ["nDCG@10", "P@5", "AP", "Bpref", "RBP(p=0.5)"]

[dates]
topics = 2027-03-01T12:00:00Z    # teams get topics and documents
open = 2027-03-01T12:00:00Z      # teams can submit runs
close = 2027-04-30T23:59:59Z     # the deadline
results = 2027-07-01T12:00:00Z

[limits]
runs = 3           # runs per team
day = 10           # submissions per team in 24 hours
total = 50         # submissions per team
documents = 1000   # documents per topic
size = "64M"       # size of a file as sent
unpacked = "512M"  # size of an unpacked file
scored = 3         # submissions per team that the leaderboard topics:SET scores
bits = 200         # bits about the labels that all scores of the leaderboard may reveal
step = 0.05        # rounding of its scores: 0.02, 0.05 or 0.1, which reveal at most 5.7, 4.4 or 3.5 bits per score

[pool]
depth = 100
per_team = 1       # pooled runs per team, by the team's priority

[[field]]          # a further field of each run; repeat the table for several fields
name = "training"
about = "Data that the system was trained on"
required = false
'''


TABLES = {
    "dates": "[dates] with open = ... and close = ...",
    "limits": "[limits] with runs = ... and documents = ...",
    "pool": "[pool] with depth = ... and per_team = ...",
}
FIELD_TABLE = "[[field]] with name = ... and about = ..."


class RunField(NamedTuple):
    """What a run has to say of itself."""

    name: str
    about: str = ""
    choices: tuple[str, ...] = ()
    required: bool = False


class SharedTask(NamedTuple):
    """A shared task; dates by name, in UTC."""

    name: str
    dates: Mapping[str, str]
    terms: str = ""
    missing: str = "error"
    late: str = "refuse"
    leaderboard: str = "hidden"
    names: str = "own"
    qrels: str = "after"
    public: str = "nothing"
    measures: tuple[str, ...] = ("nDCG@10", "P@5", "AP", "Bpref", "RBP(p=0.5)")
    runs: int = 3
    day: int = 10
    total: int = 50
    documents: int = 1000
    size: str = "64M"
    unpacked: str = "512M"
    scored: int = 3
    bits: int = 200
    step: float = 0.05
    depth: int = 100
    per_team: int = 1
    field: tuple[RunField, ...] = ()

    @property
    def topic_set(self) -> str:
        """The set of topics that the leaderboard scores while runs come in, if any."""
        return self.leaderboard.removeprefix(SET) if self.leaderboard.startswith(SET) else ""

    @property
    def board_values(self) -> int:
        """The number of different scores from 0 to 1 that the leaderboard can show."""
        return round(1 / self.step) + 1


def read_task(path: Path) -> tuple[SharedTask, str]:
    """The task that a file describes, and its text."""
    text = read_text(path)
    try:
        return parse_task(text), text
    except InputError as error:
        raise InputError(error.message, path, error.line) from None


def parse_task(text: str) -> SharedTask:
    """The task that a text describes.

    >>> task = parse_task(TEMPLATE)
    >>> task.dates["close"], task.runs, task.field[0].name
    ('2027-04-30T23:59:59.000+00:00', 3, 'training')
    >>> parse_task(TEMPLATE.replace("23:59:59Z", "23:59:59"))
    Traceback (most recent call last):
    cranfield.errors.InputError: 16: dates.close is 2027-04-30T23:59:59, without a zone; expected a zone, such as
    2027-04-30T23:59:59Z
    """
    data = parse_toml(text)
    values: dict[str, Any] = {}
    for key, value in _flat(data):
        try:
            if key in TABLES:
                raise InputError(f"{key} is {value!s:.60}; expected a table, {TABLES[key]}")
            if key not in CHECKS:
                near = get_close_matches(key, CHECKS, 1, 0.5)
                raise InputError(f"no field {key!r}; did you mean {near[0]}?" if near else f"no field {key!r}")
            values[key] = CHECKS[key](key, value)
        except CranfieldError as error:
            raise InputError(getattr(error, "message", str(error)), None, _line_of_key(text, key)) from None
    dates = {name: values[f"dates.{name}"] for name in DATES if f"dates.{name}" in values}
    missing = [key for key in ("name", *(f"dates.{name}" for name in DATES)) if key not in values]
    if missing:
        raise InputError(f"a task needs {join_words(missing)}, which {'is' if len(missing) == 1 else 'are'} missing")
    for (one, at), (other, then) in zip(dates.items(), list(dates.items())[1:], strict=False):
        if at > then or (at == then and one != "topics"):
            raise InputError(f"dates.{other} is {then[:19]}; expected a time after dates.{one}, {at[:19]}")
    rest = {key.rpartition(".")[2]: value for key, value in values.items() if not key.startswith("dates.")}
    return SharedTask(dates=dates, **rest)


def _flat(data: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, dict) and key in TABLES:
            yield from ((f"{key}.{name}", one) for name, one in value.items())
        else:
            yield key, value


def _line_of_key(text: str, key: str) -> int | None:
    name = key.rpartition(".")[2]
    pattern = re.compile(rf'\s*(\[+\s*)?"?{re.escape(name)}"?\s*[=\]]')
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), None)


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"{key} is {value!r:.60}; expected text")
    return value.strip()


def _moment(key: str, value: object) -> str:
    if not isinstance(value, datetime):
        right = "a date with a time and a zone, such as 2027-04-30T23:59:59Z"
        raise InputError(f"{key} is {value if isinstance(value, date) else repr(value)!s:.60}; expected {right}")
    if value.tzinfo is None:
        raise InputError(f"{key} is {value.isoformat()}, without a zone; expected a zone, such as {value.isoformat()}Z")
    return value.astimezone(UTC).isoformat(timespec="milliseconds")


def _number(key: str, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InputError(f"{key} is {value!r:.60}; expected a whole number of at least 1")
    return value


def _size(key: str, value: object) -> str:
    if not isinstance(value, str | int):
        raise InputError(f"{key} is {value!r:.60}; expected a size, such as 64M")
    parse_byte_size(value)
    return str(value)


def _step(key: str, value: object) -> float:
    if value not in STEPS or isinstance(value, bool):
        raise InputError(f"{key} is {value!r:.60}; expected {join_words([str(step) for step in STEPS], 'or')}")
    return float(str(value))


def check_one_of(*names: str) -> Callable[[str, object], str]:
    def check(key: str, value: object) -> str:
        if value not in names:
            raise InputError(f"{key} is {value!r:.60}; expected {join_words(names, 'or')}")
        return str(value)

    return check


def _leaderboard(key: str, value: object) -> str:
    if isinstance(value, str) and value.startswith(SET) and value != SET:
        return value
    return check_one_of("hidden", "after", f"{SET}SET")(key, value)


def _measures(key: str, value: object) -> tuple[str, ...]:
    from cranfield.metrics.notation import parse

    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        raise InputError(f"{key} is {value!r:.60}; expected a list of measures")
    return tuple(str(parse(name)) for name in value)


def _fields(key: str, value: object) -> tuple[RunField, ...]:
    tables = value if isinstance(value, list) else [value]
    if odd := [table for table in tables if not isinstance(table, dict)]:
        raise InputError(f"{key} is {odd[0]!s:.60}; expected a table, {FIELD_TABLE}")
    fields = tuple(map(_field, tables))
    names = [field.name for field in fields]
    if twice := [name for name in names if names.count(name) > 1 or name in META]:
        raise InputError(f"field {twice[0]!r} exists already; choose another name")
    return fields


def _field(table: Mapping[str, Any]) -> RunField:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,30}", str(table.get("name", ""))):
        raise InputError("the name of a field is invalid or missing; expected a name of a-z, 0-9 and _")
    if unknown := table.keys() - set(RunField._fields):
        raise InputError(f"unknown key {min(unknown)!r} in a field; expected one of {', '.join(RunField._fields)}")
    choices = table.get("choices", [])
    if not isinstance(choices, list) or not all(isinstance(one, str) and one for one in choices):
        raise InputError(f"the choices of {table['name']!r} are {choices!r:.60}; expected a list of text values")
    required = table.get("required", False)
    if not isinstance(required, bool):
        raise InputError(f"required for {table['name']!r} is {required!r:.60}; expected true or false")
    return RunField(table["name"], str(table.get("about", "")), tuple(choices), required)


CHECKS: Mapping[str, Callable[[str, object], Any]] = {
    "name": _text,
    "terms": _text,
    "missing": check_one_of("error", "warn"),
    "late": check_one_of("refuse", "unpooled"),
    "leaderboard": _leaderboard,
    "names": check_one_of("own", "all"),
    "qrels": check_one_of("hidden", "after"),
    "public": check_one_of("nothing", "results"),
    "measures": _measures,
    **{f"dates.{name}": _moment for name in DATES},
    **{f"limits.{name}": _number for name in ("runs", "day", "total", "documents", "scored", "bits")},
    "limits.step": _step,
    **{f"limits.{name}": _size for name in ("size", "unpacked")},
    **{f"pool.{name}": _number for name in ("depth", "per_team")},
    "field": _fields,
}


class PhaseEvent(NamedTuple):
    """What an organiser has decided: from when on, which phase."""

    at: str
    phase: str


def change_of_phase(before: str, new: str) -> str:
    """What is said when a phase is begun.

    >>> change_of_phase("results", "open"), change_of_phase("open", "open")
    ('the task is open for runs; its previous phase was results', 'the task is open for runs, as before')
    """
    return f"the task is {PHASE_WORDS[new]}" + (
        ", as before" if new == before else f"; its previous phase was {before}"
    )


def phase_at(task: SharedTask, events: Sequence[PhaseEvent], moment: str) -> str:
    """The phase at a moment: dates lead forward alone, an organiser anywhere.

    >>> task = parse_task(TEMPLATE)
    >>> phase_at(task, [], "2027-03-02"), phase_at(task, [], "2027-05-01")
    ('open', 'closed')
    >>> again = [PhaseEvent("2027-05-02", "open")]
    >>> phase_at(task, again, "2027-05-03"), phase_at(task, again, "2027-07-02")
    ('open', 'results')
    """
    dates = [(task.dates[name], 0, phase) for name, phase in DATES.items()]
    phase = PHASES[0]
    for at, free, new in sorted([*dates, *((one.at, 1, one.phase) for one in events)]):
        if at <= moment and (free or PHASES.index(new) > PHASES.index(phase)):
            phase = new
    return phase


class TaskDate(NamedTuple):
    """A date of a task as it came about, or as it is planned."""

    name: str  # topics, open, close or results
    at: str  # UTC; empty if the organiser went back and the planned date has passed
    planned: str  # UTC
    has_begun: bool

    def __str__(self) -> str:
        """The date as pages show it.

        >>> print(TaskDate("close", "2027-05-02T08:00", "2027-04-30T23:59", True))
        2027-05-02 08:00 UTC, started by the organiser (planned for 2027-04-30 23:59 UTC)
        """
        planned = f"{format_moment(self.planned)} UTC"
        if not self.at:
            return f"not set, because the organiser went back to an earlier phase after {planned}"
        if self.at == self.planned:
            return planned
        return f"{format_moment(self.at)} UTC, started by the organiser (planned for {planned})"


def dates_at(task: SharedTask, events: Sequence[PhaseEvent], now: str) -> list[TaskDate]:
    """Find when each phase began, or when it will: phases that the organiser moved have other dates than the plan.

    Parameters
    ----------
    task : SharedTask
        The task with its planned dates.
    events : sequence of PhaseEvent
        The phases that the organiser began.
    now : str
        The present moment, UTC.

    Returns
    -------
    list of TaskDate
        The dates of topics, open, close and results.

    Examples
    --------
    >>> task, early = parse_task(TEMPLATE), [PhaseEvent("2027-04-02T10:00", "closed")]
    >>> [one.at[:16] for one in dates_at(task, early, "2027-04-03")]
    ['2027-03-01T12:00', '2027-03-01T12:00', '2027-04-02T10:00', '2027-07-01T12:00']
    >>> again = [PhaseEvent("2027-05-02T10:00", "open")]
    >>> [one.at[:16] for one in dates_at(task, again, "2027-05-03")]
    ['2027-03-01T12:00', '2027-05-02T10:00', '', '2027-07-01T12:00']
    """
    moments = sorted({one.at for one in events} | set(task.dates.values()))
    changes = [(at, PHASES.index(phase_at(task, events, at))) for at in moments if at <= now]
    found = []
    for name, phase in DATES.items():
        own, planned, began, before = PHASES.index(phase), task.dates[name], "", 0
        for at, number in changes:
            if number < own:
                began = ""
            elif before < own or (number == own < before):
                began = at
            before = number
        found.append(TaskDate(name, began or (planned if planned > now else ""), planned, bool(began)))
    return found
