"""The options of `model audit` and `model panel`."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cranfield.errors import InputError
from cranfield.features.models.extension import audited_kinds
from cranfield.lazy import lazy_type
from cranfield.options import MEASURES_OPTION, Option, Rng, seed_option
from cranfield.selection import POLICY_NAMES

if TYPE_CHECKING:
    from cranfield.metrics.notation import MeasuresLike
else:
    MeasuresLike = lazy_type("cranfield.metrics.notation", "MeasuresLike")

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


CheckedModel = Annotated[str, Option("Model whose labels to check.", metavar="NAME")]
JudgeOfSample = Annotated[str, Option("Person who judges the sample.", metavar="NAME", complete="assessor")]
SampleSize = Annotated[int, Option("Number of documents to draw, or of topics with --unit topic.", min=2)]
SampledLabels = Annotated[
    str,
    Option(f"Kind of labels: {ANY_LABELS} or comparisons.", metavar="LABELS", complete=f"{MODULE}:audited_labels"),
]
Strata = Annotated[Literal["grade", "topic"], Option("Strata of the sample: the model's grades, or topics.")]
SampleUnit = Annotated[
    Literal["pair", "topic"], Option("Unit of the sample: single documents, or whole topics (AP and nDCG need topics).")
]
SeedOfSample = Annotated[Rng, seed_option("Random seed of the sample.")]

AuditedLabels = Annotated[
    str,
    Option(
        f"Kind of labels: {ANY_LABELS}, comparisons or preferences.",
        metavar="LABELS",
        complete=f"{MODULE}:audited_labels",
    ),
]
Human = Annotated[
    str | None,
    Option(
        "Person whose labels are compared with the model's. [default: the choice of `store labels`]",
        metavar="NAME",
        complete="assessor",
    ),
]
HumanPolicy = Annotated[
    str | None,
    Option(
        "Policy for documents that people labelled differently: median-low, max, ... [default: the choice of"
        " `store labels`; without a choice, such labels are an error]",
        metavar="NAME",
        complete=f"{MODULE}:policy_names",
    ),
]
AuditMeasures = Annotated[MeasuresLike | None, MEASURES_OPTION]
Families = Annotated[
    Mapping[str, str] | None,
    Option(
        "Family of the model that a run uses; may be repeated.",
        "--declare",
        metavar="RUN=FAMILY",
        typed=list[str] | None,
        parse=families_of,
    ),
]
Family = Annotated[
    str | None,
    Option("Family of the model that labelled, in addition to its own names and its panel's judges.", metavar="NAME"),
]
SeedOfIntervals = Annotated[Rng, seed_option("Random seed of the intervals.")]

ModelOfSample = Annotated[
    str | None, Option("Model whose sample to use. [default: the model of the newest sample]", metavar="NAME")
]
SampleNumber = Annotated[int | None, Option("Number of the sample. [default: the newest]", min=1, metavar="N")]
RelevantCounts = Annotated[
    Mapping[str, int] | str | PathLike[str] | None,
    Option(
        "File with the number of relevant documents of each topic (lines of qid and number), which R needs.",
        metavar="FILE",
        typed=Path | None,
        exists=True,
        dir_okay=False,
    ),
]
JudgedTopicsOnly = Annotated[
    bool,
    Option(
        "Estimate only for the topics whose part of the sample is fully judged.",
        "--judged-topics-only",
    ),
]

PanelJudges = Annotated[
    Sequence[str],
    Option(
        "Model whose labels to combine; repeat for each model.",
        "--judge",
        metavar="NAME",
        complete="assessor",
        typed=list[str],
    ),
]
PanelName = Annotated[str, Option("Name for the panel's labels.", metavar="NAME", complete="assessor")]
PanelLabels = Annotated[
    str, Option(f"Kind of labels: {ANY_LABELS} or comparisons.", metavar="LABELS", complete=f"{MODULE}:panel_labels")
]
PanelMethod = Annotated[
    Literal["majority", "mean", "dawid-skene"],
    Option(
        "How to combine labels: majority (the most common label), mean (the label nearest to the mean) or "
        "dawid-skene (by estimated error rates)."
    ),
]
