"""Subjects: what functions take instead of rankings, topics or files; `cranfield.subjects` has those of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Protocol, runtime_checkable

from cranfield.errors import InputError
from cranfield.hooks import Added, OptionError, first_changed_option
from cranfield.lazy import lazy_type
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
    from cranfield.options.arguments import StoreLike
    from cranfield.store.store import Store
else:
    DataFrame = lazy_type("pandas", "DataFrame")
    ScoredRuns = lazy_type("cranfield.analysis.evaluation", "ScoredRuns")
    ScoreSetting = lazy_type("cranfield.analysis.evaluation", "ScoreSetting")
    CompareSetting = lazy_type("cranfield.analysis.outcomes", "CompareSetting")
    ReusabilitySetting = lazy_type("cranfield.analysis.reusability", "ReusabilitySetting")
    CallView = lazy_type("cranfield.call_view", "CallView")
    Names = lazy_type("cranfield.formats.records", "Names")
    QrelsRequest = lazy_type("cranfield.judging.labels.export", "QrelsRequest")
    ScoredKind = lazy_type("cranfield.metrics.measure", "ScoredKind")
    Reusability = lazy_type("cranfield.metrics.reusability.results", "Reusability")
    Store = lazy_type("cranfield.store.store", "Store")
    StoreLike = lazy_type("cranfield.options.arguments", "StoreLike")


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
    """What a function measures or reads, instead of rankings, stored topics or files.

    A subclass is a frozen dataclass. Its fields are its options. It overrides the methods for the functions that it
    supports; other functions refuse it.
    """

    scored: ClassVar[ScoredKind] = "rankings"  # which measures score it

    def score(self, view: CallView, setting: ScoreSetting) -> ScoredRuns:
        """Score runs, for `evaluate`.

        Parameters
        ----------
        view : CallView
            The data that the function reads. Notes are added to it.
        setting : ScoreSetting
            The measures and their settings.

        Returns
        -------
        tuple of (RunScores, tuple of Measure, Unmet)
            The scores by topic, the measures, and the topics that are only in the runs or only in the judgments.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("evaluate")

    def score_topics(self, view: CallView, setting: CompareSetting) -> DataFrame:
        """Score each topic, for `compare` and `plan_topics`.

        Parameters
        ----------
        view : CallView
            The data that the function reads. Notes are added to it.
        setting : CompareSetting
            The measures, and the settings of the comparison.

        Returns
        -------
        DataFrame
            The columns run, query_id, measure and value.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("compare")

    def leave_out_units(
        self, view: CallView, setting: ReusabilitySetting, units: Mapping[str, Sequence[str]] | None
    ) -> UnitLossTable:
        """Score without each unit, for `reusability` and `leave_one_out`.

        Parameters
        ----------
        view : CallView
            The data that the function reads. Notes are added to it.
        setting : ReusabilitySetting
            The measures and the units.
        units : mapping or None
            The runs of each unit, if given by the caller.

        Returns
        -------
        UnitLossTable
            The loss of each unit.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("reusability")

    def list_measures(self, name: str | None) -> Result:
        """List the measures of the subject, for `list_measures`.

        Parameters
        ----------
        name : str or None
            Measure to describe.

        Returns
        -------
        Result
            The measures, or the description of one.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("list_measures")

    def search(
        self, store: StoreLike | None, systems: Sequence[str] | None, depth: int, *, extend: bool, tag: str | None
    ) -> Result:
        """Search for the subject, or search with it, for `search_corpus`.

        Parameters
        ----------
        store : path, Store or None
            The store with the corpus, to which the runs are added.
        systems : sequence of str or None
            The names of the systems.
        depth : int
            Maximum number of documents per topic.
        extend : bool
            Whether stored runs are extended only by new topics.
        tag : str or None
            The tag of the run.

        Returns
        -------
        Result
            The added runs.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("search_corpus")

    def import_documents(self, store: StoreLike, files: Sequence[Path], format: str, names: Names) -> Result:
        """Import documents from files, for `import_corpus`.

        Parameters
        ----------
        store : path or Store
            The store to which the documents are added.
        files : sequence of Path
            The files or folders.
        format : str
            Format of the files, or "auto".
        names : Names
            Names of fields in the files.

        Returns
        -------
        Result
            The number of new documents.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("import_corpus")

    def export_qrels(self, store: StoreLike, request: QrelsRequest) -> WrittenFile:
        """Write judgments, for `export_qrels`.

        Parameters
        ----------
        store : path or Store
            The store with the judgments, or the path of a qrels file.
        request : QrelsRequest
            The file and its format, the assessors whose labels count, and the selected part of the store.

        Returns
        -------
        WrittenFile
            The number of labels written.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("export_qrels")

    def begin_store(self, store: Store) -> None:
        """Record the subject's settings in a new store, for `create_store`.

        Parameters
        ----------
        store : Store
            The new store.

        Raises
        ------
        InputError
            If the function does not support the subject.
        """
        self._refuse("create_store")

    def _refuse(self, function: str) -> NoReturn:
        raise InputError(f"{function} does not support the subject {self!r}")


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
        raise OptionError(first, f"cannot be combined with --{second}")
    return given[0].subject() if given else None
