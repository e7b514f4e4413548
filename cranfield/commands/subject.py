"""Subjects: what functions score instead of rankings. Features have a subclass each, in `cranfield.subjects`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, runtime_checkable

from cranfield.errors import InputError
from cranfield.hooks import Added, OptionError, first_option
from cranfield.lazy import type_in
from cranfield.results import Result

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting
    from cranfield.analysis.outcomes import CompareSetting
    from cranfield.analysis.reusability import ReusabilitySetting
    from cranfield.call_view import CallView
    from cranfield.metrics.measure import ScoredKind
    from cranfield.metrics.reusability.results import Reusability
else:
    DataFrame = type_in("pandas", "DataFrame")
    ScoredRuns = type_in("cranfield.analysis.evaluation", "ScoredRuns")
    ScoreSetting = type_in("cranfield.analysis.evaluation", "ScoreSetting")
    CompareSetting = type_in("cranfield.analysis.outcomes", "CompareSetting")
    ReusabilitySetting = type_in("cranfield.analysis.reusability", "ReusabilitySetting")
    CallView = type_in("cranfield.call_view", "CallView")
    ScoredKind = type_in("cranfield.metrics.measure", "ScoredKind")
    Reusability = type_in("cranfield.metrics.reusability.results", "Reusability")


class UnitLossTable(Protocol):
    """What units lose that were left out, and its table."""

    @property
    def left_out(self) -> Reusability: ...

    @property
    def title(self) -> str: ...

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]: ...

    def to_json(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Subject:
    """Describe what functions score, if not the rankings of runs.

    A subclass is a frozen dataclass, whose fields are its options. It overrides the methods of the functions that it
    goes with; every other function refuses it.
    """

    scored: ClassVar[ScoredKind] = "rankings"  # which measures score it

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        """Score runs, for `evaluate`.

        Parameters
        ----------
        view : CallView
            What the function reads; it takes notes.
        setting : ScoreSetting
            The measures, and how they are taken.

        Returns
        -------
        tuple of (RunScores, tuple of Measure, Unmet)
            The scores by topic, the measures, and the topics that runs and judgments do not share.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("evaluate")

    def score_topics(self, view: CallView, setting: CompareSetting) -> DataFrame:
        """Score each topic, for `compare` and `plan_topics`.

        Parameters
        ----------
        view : CallView
            What the function reads; it takes notes.
        setting : CompareSetting
            The measures, and how runs are compared.

        Returns
        -------
        DataFrame
            The columns run, query_id, measure and value.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("compare")

    def leave_out_units(
        self, view: CallView, setting: ReusabilitySetting, units: Mapping[str, Sequence[str]] | None
    ) -> UnitLossTable:
        """Score without each unit, for `reusability` and `leave_one_out`.

        Parameters
        ----------
        view : CallView
            What the function reads; it takes notes.
        setting : ReusabilitySetting
            The measures and the units.
        units : mapping or None
            The runs of each unit, if the caller names them.

        Returns
        -------
        UnitLossTable
            What each unit loses.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("reusability")

    def list_measures(self, name: str | None) -> Result:
        """List the measures of the subject, for `list_measures`.

        Parameters
        ----------
        name : str or None
            Describe this measure.

        Returns
        -------
        Result
            The measures, or the description of one.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("list_measures")

    def _refuse(self, function: str) -> NoReturn:
        raise InputError(f"subject is {self!r}; {function} cannot take it")


@runtime_checkable
class SubjectOptions(Protocol):
    """A record of the options of a feature that makes a subject."""

    def subject(self) -> Subject: ...


def subject_in(added: Added) -> Subject | None:
    """The subject that the options of a command make; None where they have their defaults.

    >>> subject_in({}) is None
    True
    """
    given = [one for one in added.values() if isinstance(one, SubjectOptions) and one != type(one)()]
    if len(given) > 1:
        first, second = map(first_option, given[:2])
        raise OptionError(first, f"does not go with --{second}")
    return given[0].subject() if given else None
