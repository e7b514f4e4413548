"""How far assessors agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cranfield.commands.calls import open_reading, provenance_of, single_store_path
from cranfield.errors import ArgumentError, InputError, give_warning, replace_options
from cranfield.formats.text_tables import as_json
from cranfield.lazy import lazy_type
from cranfield.options import Labels, PoolNumber, describe_expected, seed_of
from cranfield.options.arguments import JudgedBefore, OnlyTopics, Round, RoundJudgments, check_arguments, selection_of
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
from cranfield.parallel import Tell
from cranfield.results import CallContext, Result, TypesetTable, add_omissions
from cranfield.selection import EVERYTHING, MODELS, LabelledBy
from cranfield.store.reading import Reading, SelectedPlace

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.judging.agreement.agreement import Coefficient, LabelMatrix
else:
    LabelMatrix = lazy_type("cranfield.judging.agreement.agreement", "LabelMatrix")
    DataFrame = lazy_type("pandas", "DataFrame")
    Coefficient = lazy_type("cranfield.judging.agreement.agreement", "Coefficient")

MIN_RESAMPLES = 100  # for which a 95% interval is meaningful
NO_LABELS = "expected a store, two or more qrels files, or a dict by assessor such as {'ada': qrels}"


@dataclass(frozen=True, repr=False, eq=False)
class AgreementTable(Result):
    """Agreement coefficients, computed when first read.

    Parameters
    ----------
    panel : LabelMatrix
        Labels to compare.
    models : sequence of str
        Names of the assessors that are models.
    of : str
        Kind of the labels, such as "documents".
    by : {"overall", "pair", "topic"}
        Unit of each row: overall, pair or topic.
    names : sequence of str, optional
        Names of the coefficients; all by default.
    resamples, seed : int
        Number of bootstrap resamples for the intervals, and their random seed.
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
        """Return the coefficients without intervals, for `names` if none were requested."""
        from cranfield.analysis.labels import agreement_of

        return agreement_of(self.panel, self.by, self.names or names, 0, self.seed)

    @property
    def shown_coefficients(self) -> list[Coefficient]:
        """Names of the coefficients in the table; for pairs or topics, only a few unless names are given."""
        from cranfield.analysis.agreement_rows import brief_coefficients

        if self.by == "overall":
            return self.coefficients
        return self.without_intervals(brief_coefficients(self.panel, self.by))

    def shown_rows(self, *, for_programs: bool = False, has_short_heads: bool = False) -> list[dict[str, Any]]:
        """Return the rows of the printed table."""
        from cranfield.analysis.agreement_rows import coefficient_row, rows_by_group

        several, intervals = self.shown_coefficients, self.resamples > 0
        if self.by == "overall":
            return [coefficient_row(one, has_interval=intervals, for_programs=for_programs) for one in several]
        return rows_by_group(several, self.by, for_programs=for_programs, has_short_heads=has_short_heads)

    @property
    def typeset(self) -> TypesetTable:
        """One row per coefficient, or one row per pair or topic."""
        return TypesetTable(self.shown_rows())

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per coefficient, and per pair or topic."""
        return [one.document() | {"assessors": ", ".join(one.assessors)} for one in self.coefficients]

    @property
    def frame(self) -> DataFrame:
        """The rows as a new pandas DataFrame. With `pivot`, it has one column per coefficient."""
        from cranfield.api.frames import pivot_table

        keys = {"overall": "assessors", "pair": "assessors", "topic": "topic"}
        return pivot_table(super().frame, [keys[self.by]], "coefficient", "value") if self.pivot else super().frame

    def to_json(self) -> str:
        """Return the JSON text, as printed with `--format json`."""
        return as_json(add_omissions([one.document() for one in self.coefficients], self.context.left_out))


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
    """Measure the agreement of assessors who labelled the same documents.

    Read prevalence, raw agreement and overlap before any kappa. The width of the 95% intervals comes from a bootstrap
    over topics. No interval exceeds the coefficient's limits. No intervals are computed for fewer than 10 topics, or if
    more than 5% of the resamples are undefined. Undefined coefficients are marked, for example for an assessor who gave
    every document the same grade.

    Example: cranfield agreement track.db --assessor ada --assessor bob

    Example: cranfield agreement a.qrels b.qrels

    Parameters
    ----------
    given : path, Store, sequence of paths, or mapping of str to qrels
        A store, qrels files that judge the same documents, or a dict {assessor: qrels}. These qrels are a dict
        {query_id: {doc_id: grade}} or another form that `cranfield.evaluate` accepts.
    assessors : sequence of str, optional
        The assessors to compare; all by default.
    of : str
        Kind of labels to compare (stores only): "documents", or a kind that a feature adds.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count (stores only).
    pool : int, optional
        Use only documents in this pool (stores only).
    by : {"overall", "pair", "topic"}
        Compute coefficients over all assessors, for each pair, or for each topic.
    binary : bool
        Compare only whether documents are relevant, not their grades.
    coefficients : str or sequence of str, optional
        Names of coefficients; all by default, or a few by pair and topic. The names are "raw agreement", "overlap",
        "prevalence", "Cohen kappa", "Cohen kappa linear", "Cohen kappa quadratic", "Fleiss kappa", "Krippendorff alpha
        nominal", "Krippendorff alpha ordinal", "Krippendorff alpha interval", "Gwet AC1" and "Gwet AC2 quadratic".
    scale : sequence of float, optional
        Grade scale of qrels. Labels with other grades are left out.
    min_relevant : float
        Lowest relevant grade of qrels (a store defines its own).
    resamples : int
        Number of bootstrap resamples of topics for intervals, at least 100; 0 for no intervals.
    rng : int or numpy.random.Generator, optional
        Random seed of the resamples, or a generator that draws the seed; 0 by default.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    pivot : bool
        Whether the frame has one column per coefficient.
    release : str, optional
        Name of a store release.
    tell : function
        Function that receives each note as a line. By default, notes are warnings.

    Returns
    -------
    AgreementTable
        One row per coefficient, and per pair or topic. Columns: coefficient, assessors, topic, units, value, low and
        high. The columns low and high are the ends of the interval, or NaN if undefined.

    Raises
    ------
    InputError
        If no document was labelled by two assessors, or a coefficient is unknown.

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
    from cranfield.judging.agreement.agreement import select_coefficients
    from cranfield.judging.agreement.single_labels import single_labels_note

    if 0 < resamples < MIN_RESAMPLES:
        message = f"expected at least {MIN_RESAMPLES} resamples, or 0 for no intervals"
        raise ArgumentError(message, "resamples")
    from cranfield.analysis.labels import labels_in_files, labels_in_store, labels_of_qrels
    from cranfield.metrics.inputs import as_qrels
    from cranfield.view import View, release_of

    selection = selection_of(topics, round, judged, remove_judged)
    if isinstance(given, View):
        asked = {"labels": labels != "all", "pool": pool is not None, "topics": topics is not None}
        given.options_for("measure_agreement", asked.keys(), [name for name, is_given in asked.items() if is_given])
        if selection != EVERYTHING:
            raise InputError("a view has its own selection; choose topics and rounds when you make the view")
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
                raise InputError("topics applies only to stores and files; remove the other topics from the dict")
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
        notes.append(
            f"panels are left out, because they combine other assessors' labels: {', '.join(panels)}; {remedy}"
        )
    panel = panel.binary() if binary else panel
    names = [coefficients] if isinstance(coefficients, str) else coefficients and list(coefficients)
    select_coefficients(names, 2 if by == "pair" else len(panel.assessors))  # refuses an unknown coefficient
    notes += filter(None, [panel.scale_note, single_labels_note(panel, by, names)])
    for line in notes:
        tell(line)
    in_python = tell is give_warning
    lines = tuple(map(replace_options, notes)) if in_python else tuple(notes)
    provenance = provenance_of("judging.measure_agreement", single_store_path(given), reading.selection)
    context = CallContext(lines, reading.left_out, provenance)
    models = [name for name in panel.assessors if kinds.get(name) in MODELS]
    return AgreementTable(
        context=context, panel=panel, models=models, of=of, by=by, names=names, resamples=resamples,
        seed=seed_of(rng, min_seed=0), pivot=pivot,
    )  # fmt: skip


def _store_or_files(given: Any, reading: Reading) -> tuple[SelectedPlace | None, list[Path]]:
    """The store, or the files, as this call reads them; a path alone that is no file is opened as a store."""
    from cranfield.view import find_store

    several = given if isinstance(given, list) and given else [given]
    is_command = all(isinstance(one, SelectedPlace) for one in several)
    place = find_store(several[0] if is_command else given)
    if place is not None:
        if len(several) > 1:
            raise InputError(
                "found a file after the store; expected only the store, which contains its own labels", several[1].path
            )
        return reading.select_place(place.place if isinstance(place, SelectedPlace) else place), []
    files = [given] if isinstance(given, str | PathLike) else given
    if describe_expected(Sequence[str | PathLike[str]], {}, files) or not len(files):
        raise InputError(NO_LABELS)
    paths = [Path(one) for one in files]
    if len(paths) == 1 and not paths[0].is_file():
        return reading.select_place(paths[0]), []
    return None, paths
