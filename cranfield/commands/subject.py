"""Subjects: what functions take instead of rankings, topics or files; `cranfield.subjects` has those of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, runtime_checkable

from cranfield.errors import InputError
from cranfield.hooks import Added, OptionError, first_changed_option
from cranfield.lazy import type_in
from cranfield.results import Result, WrittenFile

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.evaluation import ScoredRuns, ScoreSetting
    from cranfield.analysis.outcomes import CompareSetting
    from cranfield.analysis.reusability import ReusabilitySetting
    from cranfield.call_view import CallView
    from cranfield.formats.records import Names
    from cranfield.judging.labels.export import QrelsRequest
    from cranfield.metrics.measure import ScoredKind
    from cranfield.metrics.reusability.results import Reusability
    from cranfield.options.given import StoreLike
    from cranfield.store.store import Store
else:
    DataFrame = type_in("pandas", "DataFrame")
    ScoredRuns = type_in("cranfield.analysis.evaluation", "ScoredRuns")
    ScoreSetting = type_in("cranfield.analysis.evaluation", "ScoreSetting")
    CompareSetting = type_in("cranfield.analysis.outcomes", "CompareSetting")
    ReusabilitySetting = type_in("cranfield.analysis.reusability", "ReusabilitySetting")
    CallView = type_in("cranfield.call_view", "CallView")
    Names = type_in("cranfield.formats.records", "Names")
    QrelsRequest = type_in("cranfield.judging.labels.export", "QrelsRequest")
    ScoredKind = type_in("cranfield.metrics.measure", "ScoredKind")
    Reusability = type_in("cranfield.metrics.reusability.results", "Reusability")
    Store = type_in("cranfield.store.store", "Store")
    StoreLike = type_in("cranfield.options.given", "StoreLike")


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
    """Describe what functions take, if not the rankings of runs, the topics of a store or files.

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

    def search(
        self, store: StoreLike | None, systems: Sequence[str] | None, depth: int, *, extend: bool, tag: str | None
    ) -> Result:
        """Search for the subject or with it, for `search_corpus`.

        Parameters
        ----------
        store : path, Store or None
            The store with the corpus; it gets the runs.
        systems : sequence of str or None
            The names of the systems.
        depth : int
            Maximum number of documents per topic.
        extend : bool
            Whether systems that are in the store run for new topics only.
        tag : str or None
            The tag of the run.

        Returns
        -------
        Result
            The runs that were added.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("search_corpus")

    def import_documents(self, store: StoreLike, files: Sequence[Path], format: str, names: Names) -> Result:
        """Import documents of files, for `import_corpus`.

        Parameters
        ----------
        store : path or Store
            The store, which gets the documents.
        files : sequence of Path
            The files or folders.
        format : str
            The format of the files, or auto.
        names : Names
            The names of fields in the files.

        Returns
        -------
        Result
            The number of new documents.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("import_corpus")

    def export_qrels(self, store: StoreLike, request: QrelsRequest) -> WrittenFile:
        """Write judgments, for `export_qrels`.

        Parameters
        ----------
        store : path or Store
            The store with the judgments, or the path of a qrels file.
        request : QrelsRequest
            The file and its format, whose labels count, and what is selected of the store.

        Returns
        -------
        WrittenFile
            The number of labels that were written.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("export_qrels")

    def begin_store(self, store: Store) -> None:
        """Keep in a new store what the subject says of it, for `create_store`.

        Parameters
        ----------
        store : Store
            The new store.

        Raises
        ------
        InputError
            If the subject does not go with the function.
        """
        self._refuse("create_store")

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
        first, second = map(first_changed_option, given[:2])
        raise OptionError(first, f"does not go with --{second}")
    return given[0].subject() if given else None
