"""The view of one call: of a store, or of judgments and runs, with the selection of the call and a place for notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

from cranfield.commands.opened import chosen_fields, merge_view_selection, provenance_of
from cranfield.errors import InputError, MeasureError, give_warning, replace_options
from cranfield.lazy import lazy_type
from cranfield.options import Argument
from cranfield.parallel import Tell, ignore_note
from cranfield.results import CallContext
from cranfield.selection import LabelledBy, Labellers, Selection
from cranfield.store.reading import Reading, SelectedPlace

if TYPE_CHECKING:
    from cranfield.call_view import CallView
    from cranfield.view import QrelsGiven, RunsGiven, View
else:
    QrelsGiven, RunsGiven = lazy_type("cranfield.view", "QrelsGiven"), lazy_type("cranfield.view", "RunsGiven")

QrelsOrStore = Annotated[
    QrelsGiven,
    Argument(
        "A store, or a qrels file followed by runs (files or folders).", metavar="SOURCE...", typed=list[Path],
        reads="source",
    ),
]  # fmt: skip
KnownRuns: TypeAlias = RunsGiven | None


class ViewOptions(NamedTuple):
    """The options of a call that select what it reads, each as the function takes it."""

    topics: str = "all"
    ignore_own_id: bool = False
    assessor: str | None = None
    policy: str | None = None
    labels: str = "all"
    round: str | None = None
    judged: str | None = None
    remove_judged: str | PathLike[str] | None = None
    release: str | None = None
    pool: int | None = None
    teams: str | PathLike[str] | Mapping[str, str] | None = None

    @property
    def labellers(self) -> Labellers:
        """Whose labels count, and whether documents with the id of their topic do."""
        return Labellers(self.assessor, LabelledBy(self.labels), self.policy, self.ignore_own_id)

    @property
    def selection(self) -> Selection:
        """The topic set and the round."""
        from cranfield.arrays import topic_set_of

        return Selection(
            topics=topic_set_of(self.topics), round=self.round, judged=self.judged, remove_judged=self.remove_judged
        )

    @property
    def given(self) -> list[str]:
        """The options that do not have their default."""
        return [name for name, value in self._asdict().items() if value != self._field_defaults[name]]


NOT_OF_VIEWS = ("pool",)  # options that only some functions take, which name them


@dataclass(frozen=True, eq=False)
class ViewedCall:
    """The view of one call, and what the call tells: warnings in Python, notes on the command line."""

    view: CallView
    reading: Reading
    tell: Tell
    lines: list[str] = field(default_factory=list)

    @property
    def is_command(self) -> bool:
        """Whether a command made the call."""
        return self.reading.stores.tell is not ignore_note

    def note(self, *lines: str | None) -> None:
        """Report these lines as notes. Skip empty lines."""
        for line in filter(None, lines):
            self.view.tell(line)

    def keep(self, *lines: str) -> None:
        """Keep these lines as notes of the result. A renderer prints them below the table."""
        self.lines.extend(lines if self.is_command else map(replace_options, lines))

    def context(self, function: str) -> CallContext:
        """How a result of this call came about."""
        provenance = provenance_of(function, self.view.store_path, self.reading.selection)
        return CallContext(tuple(self.lines), self.reading.left_out, provenance)


@contextmanager
def open_view(
    qrels: QrelsGiven,
    runs: RunsGiven | None,
    options: ViewOptions,
    *,
    cluster: str | None = None,
    function: str = "",
    takes_pool: bool = False,
    has_measures: bool = True,
) -> Iterator[ViewedCall]:
    """Read judgments and runs, or a store, for one call.

    Parameters
    ----------
    qrels, runs
        What the function was given. A command gives its paths, each with its own Reading.
    options : ViewOptions
        What is selected.
    cluster : str, optional
        The address of the cluster that computes meanwhile.
    function : str
        The name of the function, for messages.
    takes_pool, has_measures : bool
        Whether the function takes a pool, and measures.
    """
    from cranfield.arrays import parse_topics
    from cranfield.call_view import CallView
    from cranfield.view import ReadSetting, cluster_at

    lines: list[str] = []
    if isinstance(qrels, SelectedPlace):
        before = qrels.reading
        tell = recording_teller(before.stores.tell, lines)
        selection = replace(before.selection, **chosen_fields(options.selection))
        reading = replace(before, selection=selection)
        setting = ReadSetting(reading, tell, options.labellers, options.pool, options.teams, has_measures)
        view = CallView(_view_of_places(qrels, runs, reading), setting, parse_topics(options.topics))
        with cluster_at(cluster):
            yield ViewedCall(view, reading, tell, lines)
        return
    tell = recording_teller(give_warning, lines)
    made = _view_in(qrels, runs, function)
    options = options if made is None else _add_view_options(options, made, function, takes_pool)
    chosen = options.selection if made is None else merge_view_selection(made, options.selection)
    qrels = release_of_call(qrels, options.release)
    with Reading(chosen) as reading:
        setting = ReadSetting(reading, tell, options.labellers, options.pool, options.teams, has_measures)
        with cluster_at(cluster):
            yield ViewedCall(CallView(_view_of_objects(qrels, runs, reading), setting, parse_topics(options.topics)),
                             reading, tell, lines)  # fmt: skip
    if reading.left_out.line:
        give_warning(reading.left_out.line)


def recording_teller(tell: Tell, lines: list[str]) -> Callable[[str], None]:
    """Tell lines, and keep them as notes of the result."""

    def keep(line: str) -> None:
        lines.append(replace_options(line) if tell is give_warning else line)
        tell(line)

    return keep


def _view_of_places(qrels: SelectedPlace, runs: Any, reading: Reading) -> Any:
    from cranfield.view import PlacesGiven

    return PlacesGiven([reading.select_place(one.place) for one in (qrels, *(runs or ()))])


def _view_of_objects(qrels: Any, runs: Any, reading: Reading) -> Any:
    """What a function was given; a store that stands alone is in the place of the judgments."""
    from cranfield.call_view import wrap_given_inputs
    from cranfield.view import apply_reading

    refuse_measure(runs)
    qrels, runs = apply_reading(qrels, reading), apply_reading(runs, reading)
    return wrap_given_inputs(qrels, None, reading) if runs is None else wrap_given_inputs(runs, qrels, reading)


def refuse_measure(runs: object) -> None:
    """Refuse measures in the place of the runs."""
    several = [runs] if isinstance(runs, str) else runs
    if not isinstance(several, list | tuple) or not several:
        return
    if not all(isinstance(one, str) and not Path(one).exists() for one in several):
        return
    from cranfield.metrics.notation import parse_measures

    with suppress(MeasureError):
        parse_measures(several)
        are = "is a measure" if isinstance(runs, str) else "are measures"
        measures = runs if isinstance(runs, str) else list(several)
        raise InputError(f"{runs!r} {are}, given as runs; expected measures={measures!r}")


def _view_in(qrels: object, runs: object, function: str) -> View | None:
    from cranfield.view import View

    view = next((one for one in (qrels, runs) if isinstance(one, View)), None)
    if view is not None and runs is not None:
        raise InputError("a view already has its runs; expected no further runs, and measures as measures=...")
    return view


def _add_view_options(options: ViewOptions, view: View, function: str, takes_pool: bool) -> ViewOptions:
    names: Sequence[str] = [name for name in options._fields if takes_pool or name not in NOT_OF_VIEWS]
    return options._replace(**view.options_for(function, names, options.given))


def release_of_call(qrels: Any, release: str | None) -> Any:
    """The release of a store that a call names."""
    from cranfield.view import release_of

    return release_of(qrels, release) if release else qrels
