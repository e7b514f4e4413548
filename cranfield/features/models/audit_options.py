"""The options of `model audit` and `model panel`."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.errors import InputError
from cranfield.features.models.extension import audited_kinds
from cranfield.lazy import type_in
from cranfield.options import MEASURES_OPTION, Option, seed_option
from cranfield.rng import Rng
from cranfield.selection import POLICY_NAMES

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasuresLike
else:
    MeasuresLike = type_in("cranfield.metrics.notation", "MeasuresLike")

ANY_LABELS = "documents, nuggets, support, claims, correctness, rubrics"
MODULE = __name__


def audited_labels() -> list[str]:
    """The kinds of labels that can be audited."""
    return [*audited_kinds()]


def panel_labels() -> list[str]:
    """The kinds of labels that a panel can give."""
    return [name for name, kind in audited_kinds().items() if kind.panel]


def policy_names() -> Sequence[str]:
    """The policies for labels that differ."""
    return POLICY_NAMES


def families_of(pairs: Sequence[str]) -> dict[str, str]:
    """The family of each run, as it is typed.

    >>> families_of(["run7=qwen"])
    {'run7': 'qwen'}
    """
    if wrong := [one for one in pairs if "=" not in one]:
        raise InputError(f"{wrong[0]!r}; expected RUN=FAMILY, such as run7=qwen")
    return dict(one.rsplit("=", 1) for one in pairs)


CheckedModel = Annotated[str, Option("The model whose labels to check.", metavar="NAME")]
JudgeOfSample = Annotated[str, Option("Who judges the sample.", metavar="NAME", complete="assessor")]
SampleSize = Annotated[int, Option("The number of documents to draw, or of topics with --unit topic.", min=2)]
SampledLabels = Annotated[
    str,
    Option(f"Which labels: {ANY_LABELS} or comparisons.", metavar="LABELS", complete=f"{MODULE}:audited_labels"),
]
Strata = Annotated[Literal["grade", "topic"], Option("Draw within the model's grades, or within topics.")]
SampleUnit = Annotated[Literal["pair", "topic"], Option("Draw single documents, or whole topics, as AP and nDCG need.")]
SeedOfSample = Annotated[Rng, seed_option("Random seed of the sample.")]

AuditedLabels = Annotated[
    str,
    Option(
        f"Which labels: {ANY_LABELS}, comparisons or preferences.",
        metavar="LABELS",
        complete=f"{MODULE}:audited_labels",
    ),
]
Human = Annotated[
    str | None,
    Option(
        "The person to compare it with. [default: the choice of `store labels`]", metavar="NAME", complete="assessor"
    ),
]
HumanPolicy = Annotated[
    str | None,
    Option(
        "What counts where labels of people differ: median-low, max, ... [default: the choice of `store"
        " labels`; without one, labels that differ are refused]",
        metavar="NAME",
        complete=f"{MODULE}:policy_names",
    ),
]
AuditMeasures = Annotated[MeasuresLike | None, MEASURES_OPTION]
Families = Annotated[
    Mapping[str, str] | None,
    Option(
        "The family of models that a run uses; may be repeated.",
        "--declare",
        metavar="RUN=FAMILY",
        typed=list[str] | None,
        parse=families_of,
    ),
]
Family = Annotated[
    str | None,
    Option(
        "The family of the model that labelled. Its own names, and a panel's judges, count as well.", metavar="NAME"
    ),
]
SeedOfIntervals = Annotated[Rng, seed_option("Random seed of the intervals.")]

ModelOfSample = Annotated[
    str | None, Option("The model whose sample to use. [default: of the newest sample]", metavar="NAME")
]
SampleNumber = Annotated[int | None, Option("The number of the sample. [default: the newest]", min=1, metavar="N")]
RelevantCounts = Annotated[
    Mapping[str, int] | str | PathLike[str] | None,
    Option(
        "How many documents of each topic are relevant, lines of qid and number: R needs that.",
        metavar="FILE",
        typed=Path | None,
        exists=True,
        dir_okay=False,
    ),
]
JudgedTopicsOnly = Annotated[
    bool,
    Option("Estimate for the topics whose part of the sample is judged whole, no others.", "--judged-topics-only"),
]

PanelJudges = Annotated[
    Sequence[str],
    Option("A model whose labels count; repeat it.", "--judge", metavar="NAME", complete="assessor", typed=list[str]),
]
PanelName = Annotated[str, Option("The name of the panel's labels.", metavar="NAME", complete="assessor")]
PanelLabels = Annotated[
    str, Option(f"Which labels: {ANY_LABELS} or comparisons.", metavar="LABELS", complete=f"{MODULE}:panel_labels")
]
PanelMethod = Annotated[
    Literal["majority", "mean", "dawid-skene"],
    Option("The commonest label, the nearest to the mean, or by how often each judge errs."),
]
