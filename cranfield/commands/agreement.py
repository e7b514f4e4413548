"""How far assessors agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.api.arguments import check_arguments
from cranfield.commands.opened import open_reading, provenance_of, store_of
from cranfield.errors import ArgumentError, InputError, give_warning, replace_options
from cranfield.formats.text_tables import as_json
from cranfield.lazy import type_in
from cranfield.options import Labels, PoolNumber
from cranfield.options.given import JudgedBefore, OnlyTopics, Round, RoundJudgments, selection_of
from cranfield.options.judging import (
    AgreementResamples,
    AgreementRow,
    BinaryGrades,
    Coefficients,
    ComparedAssessors,
    GivenLabels,
    KindOfLabels,
    LowestRelevant,
    ScaleOfQrels,
    SeedOfResamples,
)
from cranfield.options.values import expectation
from cranfield.parallel import Tell
from cranfield.results import CallContext, Result, TypesetTable, with_omissions
from cranfield.rng import seed_of
from cranfield.selection import EVERYTHING, MODELS, LabelledBy
from cranfield.store.reading import Reading, SelectedPlace

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.judging.agreement.agreement import Coefficient, LabelMatrix
else:
    LabelMatrix = type_in("cranfield.judging.agreement.agreement", "LabelMatrix")
    DataFrame = type_in("pandas", "DataFrame")
    Coefficient = type_in("cranfield.judging.agreement.agreement", "Coefficient")

MIN_RESAMPLES = 100  # for which a 95% interval is meaningful
NO_LABELS = "labels are those of a store, of paths of qrels, or of a dict by assessor, such as {'ada': qrels}"


@dataclass(frozen=True, repr=False, eq=False)
class AgreementTable(Result):
    """Coefficients of agreement, computed when they are first read.

    Parameters
    ----------
    panel : LabelMatrix
        The labels that are compared.
    models : sequence of str
        The assessors that are models.
    of : str
        What was labelled.
    by : {"overall", "pair", "topic"}
        What the coefficients are of.
    names : sequence of str, optional
        The coefficients; by default all.
    resamples, seed : int
        The number of bootstrap resamples for intervals, and their random seed.
    pivot : bool
        Whether the frame has one column per coefficient.
    """

    panel: LabelMatrix = field(kw_only=True)
    models: Sequence[str] = ()
    of: str = "documents"
    by: str = "overall"
    names: Sequence[str] | None = None
    resamples: int = 1000
    seed: int = 0
    pivot: bool = False

    @cached_property
    def coefficients(self) -> list[Coefficient]:
        """The coefficients with their intervals."""
        from cranfield.analysis.labels import agreement_of

        return agreement_of(self.panel, self.by, self.names, self.resamples, self.seed)

    def without_intervals(self, names: Sequence[str]) -> list[Coefficient]:
        """Return the coefficients that were asked for, otherwise those of the names, without intervals."""
        from cranfield.analysis.labels import agreement_of

        return agreement_of(self.panel, self.by, self.names or names, 0, self.seed)

    @property
    def shown_coefficients(self) -> list[Coefficient]:
        """The coefficients that a table has room for: by pair or topic only some, if none are named."""
        from cranfield.analysis.agreement_rows import brief_coefficients

        if self.by == "overall":
            return self.coefficients
        return self.without_intervals(brief_coefficients(self.panel, self.by))

    def shown_rows(self, *, for_programs: bool = False, has_short_heads: bool = False) -> list[dict[str, Any]]:
        """Return the rows of the table that the command prints."""
        from cranfield.analysis.agreement_rows import coefficient_row, rows_by_group

        several, intervals = self.shown_coefficients, self.resamples > 0
        if self.by == "overall":
            return [coefficient_row(one, has_interval=intervals, for_programs=for_programs) for one in several]
        return rows_by_group(several, self.by, for_programs=for_programs, has_short_heads=has_short_heads)

    @property
    def typeset(self) -> TypesetTable:
        """The coefficients in a row each, or one row for each pair or topic."""
        return TypesetTable(self.shown_rows())

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each coefficient, and for each pair or topic."""
        return [one.document() | {"assessors": ", ".join(one.assessors)} for one in self.coefficients]

    @property
    def frame(self) -> DataFrame:
        """The rows as a new pandas DataFrame, or with `pivot` one column per coefficient."""
        from cranfield.api.frames import pivot_table

        keys = {"overall": "assessors", "pair": "assessors", "topic": "topic"}
        return pivot_table(super().frame, [keys[self.by]], "coefficient", "value") if self.pivot else super().frame

    def to_json(self) -> str:
        """Return the text that the command prints with `--format json`."""
        return as_json(with_omissions([one.document() for one in self.coefficients], self.context.left_out))


@check_arguments
def measure_agreement(
    given: GivenLabels,
    *,
    assessors: ComparedAssessors = None,
    of: KindOfLabels = "documents",
    labels: Labels = "all",
    pool: PoolNumber = None,
    by: AgreementRow = "overall",
    binary: BinaryGrades = False,
    coefficients: Coefficients = None,
    scale: ScaleOfQrels = None,
    min_relevant: LowestRelevant = 1,
    resamples: AgreementResamples = 1000,
    rng: SeedOfResamples = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    pivot: bool = False,
    release: str | None = None,
    tell: Tell = give_warning,
) -> AgreementTable:
    """Measure how far assessors agree on the documents that several of them labelled.

    Read prevalence, raw agreement and overlap before any kappa. Intervals are 95% intervals: a bootstrap over
    topics gives their width, and they stay within the coefficient's limits. There are none with fewer than 10 topics,
    which say little about others, nor if more than 5% of the resamples are undefined. Undefined coefficients, such
    as those of an assessor who gave every document the same grade, are marked as undefined.

    Example: cranfield agreement track.db --assessor ada --assessor bob

    Example: cranfield agreement a.qrels b.qrels

    Parameters
    ----------
    given : path, Store, sequence of paths, or mapping of str to qrels
        The labels: a dict {assessor: qrels}, where qrels are a dict {query_id: {doc_id: grade}} or another form that
        `cranfield.evaluate` takes; qrels files of the same documents; or a store.
    assessors : sequence of str, optional
        The assessors to compare; all by default.
    of : str
        Which labels of a store: "documents", or a kind that a feature adds.
    labels : {"people", "models", "all"}
        Whose labels of a store count.
    pool : int, optional
        Only documents of this pool of a store.
    by : {"overall", "pair", "topic"}
        Coefficients of all assessors, of each pair, or of each topic.
    binary : bool
        Compare relevant or not instead of grades.
    coefficients : str or sequence of str, optional
        One or more of "raw agreement", "overlap", "prevalence", "Cohen kappa", "Cohen kappa linear",
        "Cohen kappa quadratic", "Fleiss kappa", "Krippendorff alpha nominal", "Krippendorff alpha ordinal",
        "Krippendorff alpha interval", "Gwet AC1" and "Gwet AC2 quadratic"; all by default, or a few by pair and topic.
    scale : sequence of float, optional
        The grades of qrels; labels with other grades are left out.
    min_relevant : float
        The lowest relevant grade of qrels; a store defines its own.
    resamples : int
        Number of bootstrap resamples of topics for intervals, at least 100; 0 for no intervals.
    rng : int or numpy.random.Generator, optional
        Random seed of the resamples, or a generator that draws it; 0 by default.
    topics : str, optional
        Only these topics: a set of the store, or the file of a list.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments count.
    pivot : bool
        Let the frame have one column per coefficient.
    release : str, optional
        The name of a release of the store.
    tell : function
        Receives each note, a line; by default it is a warning.

    Returns
    -------
    AgreementTable
        A row for each coefficient, and for each pair or topic: coefficient, assessors, topic, units, value, and the
        interval low to high, which are NaN if undefined.

    Raises
    ------
    InputError
        If fewer than two assessors labelled a document in common, or a coefficient is unknown.

    See Also
    --------
    cranfield.judging.list_disagreements : List the documents that assessors label differently.
    cranfield.judging.compare_judgments : Show what different labels change for the runs.

    Examples
    --------
    >>> labels = {"ada": {"q": {"d1": 1, "d2": 0}}, "bob": {"q": {"d1": 1, "d2": 1}}}
    >>> agreement = measure_agreement(labels, coefficients=["overlap", "Cohen kappa"], scale=[0, 1])
    >>> agreement.frame[["coefficient", "units", "value"]].values.tolist()
    [['overlap', 2, 0.5], ['Cohen kappa', 2, 0.0]]
    """
    from cranfield.judging.agreement.agreement import select
    from cranfield.judging.agreement.single_labels import single_labels_note

    if 0 < resamples < MIN_RESAMPLES:
        message = f"intervals need {MIN_RESAMPLES} or more resamples; 0 for none"
        raise ArgumentError(message, "resamples")
    from cranfield.analysis.labels import labels_in_files, labels_in_store, labels_of_qrels
    from cranfield.metrics.inputs import as_qrels
    from cranfield.view import View, release_of

    selection = selection_of(topics, round, judged, remove_judged)
    if isinstance(given, View):
        asked = {"labels": labels != "all", "pool": pool is not None, "topics": topics is not None}
        given.options_for("measure_agreement", asked.keys(), [name for name, is_given in asked.items() if is_given])
        if selection != EVERYTHING:
            raise InputError("a view has its selection; select topics and rounds with the view")
        if given.store is None:
            raise InputError(NO_LABELS)
        labels, pool, selection = given.selection.labellers.kind, given.selection.pool, given.selection
        given = given.store
    notes, kinds, whose = list[str](), dict[str, str](), LabelledBy(labels)
    with open_reading(given if isinstance(given, list) else [], selection) as reading:
        if isinstance(given, Mapping):
            if release is not None:
                release_of(given, release)
            if topics is not None:
                raise InputError("topics is for a store or files; leave the other topics out of the dict")
            panel = labels_of_qrels({name: as_qrels(qrels) for name, qrels in given.items()}, scale, min_relevant)
        else:
            place, files = _store_or_files(release_of(given, release), reading)
            if place is not None:
                panel, kinds = labels_in_store(place, assessors, of, whose, pool=pool)
            else:
                panel = labels_in_files(
                    files, reading, assessors, of, whose, pool=pool, scale=scale, min_relevant=min_relevant
                )
    if not assessors and (panels := [name for name, kind in kinds.items() if kind == "panel" and whose.counts(kind)]):
        remedy = "--assessor NAME compares them"
        notes.append(f"left out, as panels are made of labels of others: {', '.join(panels)}; {remedy}")
    panel = panel.binary() if binary else panel
    names = [coefficients] if isinstance(coefficients, str) else coefficients and list(coefficients)
    select(names, 2 if by == "pair" else len(panel.assessors))  # refuses an unknown coefficient
    notes += filter(None, [panel.scale_note, single_labels_note(panel, by, names)])
    for line in notes:
        tell(line)
    in_python = tell is give_warning
    lines = tuple(map(replace_options, notes)) if in_python else tuple(notes)
    provenance = provenance_of("judging.measure_agreement", store_of(given), reading.selection)
    context = CallContext(lines, reading.left_out, provenance)
    models = [name for name in panel.assessors if kinds.get(name) in MODELS]
    return AgreementTable(
        context=context, panel=panel, models=models, of=of, by=by, names=names, resamples=resamples,
        seed=seed_of(rng, min_seed=0), pivot=pivot,
    )  # fmt: skip


def _store_or_files(given: Any, reading: Reading) -> tuple[SelectedPlace | None, list[Path]]:
    """The store, or the files, as this call reads them; a path alone that is no file is opened as a store."""
    from cranfield.view import store_in

    several = given if isinstance(given, list) and given else [given]
    is_command = all(isinstance(one, SelectedPlace) for one in several)
    place = store_in(several[0] if is_command else given)
    if place is not None:
        if len(several) > 1:
            raise InputError("a store takes no further files; it contains its labels", several[1].path)
        return reading.select_place(place.place if isinstance(place, SelectedPlace) else place), []
    files = [given] if isinstance(given, str | PathLike) else given
    if expectation(Sequence[str | PathLike[str]], {}, files) or not len(files):
        raise InputError(NO_LABELS)
    paths = [Path(one) for one in files]
    if len(paths) == 1 and not paths[0].is_file():
        return reading.select_place(paths[0]), []
    return None, paths
