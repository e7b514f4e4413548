"""Fusion with a method and options that are chosen on other topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cranfield.commands.calls import KnownRuns, QrelsOrStore, ViewOptions, open_view
from cranfield.errors import InputError, argument_named_in_errors
from cranfield.lazy import lazy_type
from cranfield.options import Assessor, IgnoreOwnId, Labels, PolicyName, Seed, seed_of
from cranfield.options.arguments import JudgedBefore, OnlyTopics, Round, RoundJudgments, check_arguments
from cranfield.options.pools import Considered, FusionSettings, MeasureOfTuning, TuningFolds
from cranfield.results import Display, Result, decimals_formatter
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.pooling.tuning import FusionSetting, TunedFusion
else:
    TunedFusion = lazy_type("cranfield.pooling.tuning", "TunedFusion")

UNTUNED = "rrf"
NORMALIZATIONS = ("min-max", "sum", "zmuv", "rank", "borda")
SETTINGS = (
    *(f"rrf:c={c}" for c in (60, 1, 5, 10, 20, 40, 100, 200)),
    *(f"{method}:norm={norm}" for method in ("combsum", "combmnz") for norm in NORMALIZATIONS),
)


@dataclass(frozen=True, repr=False, eq=False)
class FusionTuning(Result):
    """Scores of tuned fusion on held-out topics. Columns: fold, system, setting, topics, training and held_out.

    Parameters
    ----------
    tuned : TunedFusion
        The folds and the means over all topics.
    """

    display: ClassVar[Display] = Display(
        {"held_out": "held out"}, {"training": decimals_formatter(4), "held_out": decimals_formatter(4)}
    )

    tuned: TunedFusion | None = None


@check_arguments
def tune_fusion(
    qrels: QrelsOrStore,
    runs: KnownRuns = None,
    *,
    methods: FusionSettings = None,
    measure: MeasureOfTuning = "AP",
    folds: TuningFolds = 5,
    depth: Considered = 1000,
    rng: Seed = None,
    topics: OnlyTopics = None,
    round: Round = None,
    judged: RoundJudgments = None,
    remove_judged: JudgedBefore = None,
    ignore_own_id: IgnoreOwnId = False,
    assessor: Assessor = None,
    policy: PolicyName = None,
    labels: Labels = "all",
) -> FusionTuning:
    """Choose how to fuse runs, and score the choice on held-out topics.

    The topics are split into folds at random. For each fold, the command chooses the method and options with the best
    mean on the other folds, and scores them on this fold. On the topics used for the choice, the chosen setting scores
    too high. Its score on held-out topics shows what to expect on new topics. The table also shows untuned rrf fusion
    and each single run. If the folds choose different settings, tuning matters little.

    Example: cranfield pool tune qrels.txt runs/*.gz

    Example: cranfield pool tune track.db --method rrf:c=10 --method combsum

    Parameters
    ----------
    qrels : judgments, store or View
        The judgments in any form, or a store or View (then without `runs`).
    runs : runs, optional
        The runs in any form. Fused runs in a store are left out.
    methods : sequence of str, optional
        Fusion methods with options, such as "combsum:norm=zmuv". The default is rrf with eight constants, and combsum
        and combmnz with five normalizations each.
    measure : measure
        The measure to choose by.
    folds : int
        Number of folds.
    depth : int
        Number of documents per topic that are considered from each run, and kept in the fused run.
    rng : int or numpy.random.Generator, optional
        Random seed of the folds, or a generator that draws the seed; 0 by default.
    topics : str, optional
        Topics to use: a topic set of the store, or a file of topic ids.
    round, judged, remove_judged : str, optional
        The round, and which of its judgments to use.
    ignore_own_id : bool
        Remove documents whose id equals the topic id.
    assessor, policy : str, optional
        The assessor whose labels count, or the policy for documents with differing labels.
    labels : {"people", "models", "all"}
        Kind of assessors whose labels count.

    Returns
    -------
    FusionTuning
        One row per fold for tuned and for untuned fusion. Then one row for each of the two fusions and for each run,
        over all topics, best first. The column training is the mean on the topics used to choose the setting, and
        held_out is the mean on the other topics.

    Raises
    ------
    InputError
        If there are fewer than two runs or more folds than topics, or a method or option is unknown.

    Examples
    --------
    >>> runs = {"a": {t: {"x": 2.0, "y": 1.0} for t in "123"}, "b": {t: {"y": 1.0} for t in "123"}}
    >>> result = tune_fusion({t: {"y": 1, "x": 0} for t in "123"}, runs, methods=["combmax", "combsum"], folds=3)
    >>> result.frame[["fold", "system", "setting", "held_out"]].tail(4).values.tolist()
    [['all', 'tuned', '', 1.0], ['all', 'untuned', 'rrf', 1.0], ['all', 'b', '', 1.0], ['all', 'a', '', 0.5]]
    """
    from cranfield.metrics.notation import parse_measures
    from cranfield.pooling.tuning import tune_fusion_settings

    with argument_named_in_errors("methods"):
        settings = [_parse_fusion_setting(text) for text in methods or SETTINGS]
    options = ViewOptions(topics or "all", ignore_own_id, assessor, policy, labels, round, judged, remove_judged)
    with open_view(qrels, runs, options, function="tune_fusion") as call:
        view = call.view
        chosen_by, *others = parse_measures(measure, view.min_relevant)
        if others:
            raise InputError(f"measure is {measure!r:.60}; expected one measure")
        several = view.runs.select([tag for tag in view.runs.tags if view.run_info[tag].kind != "fused"])
        if len(several.tags) < 2:
            raise InputError(f"found {counted(len(several.tags), 'run')}; expected at least two runs to fuse")
        tuned = tune_fusion_settings(
            several, view.qrels, chosen_by, settings, untuned=_parse_fusion_setting(UNTUNED), n_folds=folds,
            seed=seed_of(rng, min_seed=0), depth=depth,
        )  # fmt: skip
        best = max(tuned.runs, key=lambda tag: tuned.runs[tag])
        title = (
            f"{chosen_by} on held-out topics: {tuned.tuned:.4f} tuned, {tuned.untuned:.4f} untuned ({UNTUNED}), "
            f"{tuned.runs[best]:.4f} best single run ({best})"
        )
        rows = _setting_rows(tuned, settings)
        return FusionTuning(rows, title, None, call.context("pooling.tune_fusion"), tuned)


def _parse_fusion_setting(text: str) -> FusionSetting:
    from cranfield.pooling.methods import fusion_method_named
    from cranfield.pooling.simulate import parse_trial
    from cranfield.pooling.tuning import FusionSetting

    trial = parse_trial(text)
    method = fusion_method_named(trial.method)
    if not method.makes_ranking:
        raise InputError(f"{method.name} is a pooling method that does not rank documents; expected a fusion method")
    method.fill_options(trial.options)
    return FusionSetting(text, trial.method, trial.options)


def _setting_rows(tuned: TunedFusion, settings: Sequence[FusionSetting]) -> list[dict[str, object]]:
    columns = ("fold", "system", "setting", "topics", "training", "held_out")
    rows = list[tuple[object, ...]]()
    for number, fold in enumerate(tuned.folds, 1):
        size = len(fold.topics)
        rows.append((str(number), "tuned", settings[fold.chosen].name, size, fold.training, fold.held_out))
        rows.append((str(number), "untuned", UNTUNED, size, None, fold.untuned))
    n_topics = sum(len(fold.topics) for fold in tuned.folds)
    rows.append(("all", "tuned", "", n_topics, None, tuned.tuned))
    rows.append(("all", "untuned", UNTUNED, n_topics, None, tuned.untuned))
    order = sorted(tuned.runs, key=lambda tag: (-tuned.runs[tag], tag))
    rows += [("all", tag, "", n_topics, None, tuned.runs[tag]) for tag in order]
    return [dict(zip(columns, row, strict=True)) for row in rows]
