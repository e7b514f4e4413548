"""Several judges as one assessor: their labels combined by majority, by mean, or by Dawid and Skene's model.

The last one estimates of each judge how often it gives which grade where another is right, and of each unit how likely
each grade is, in turn until neither changes: a judge that errs weighs less, whichever way it errs. It knows no truth
but what the judges have in common: judges that share a mistake are believed.

A panel is an assessor of a kind of its own, whose labels count as those of models do: what judges and which method it
is made of is its setting, which does not change.
A unit gets a label where more than half of the judges have one, and cannot be judged otherwise.

Source: Dawid and Skene, Maximum likelihood estimation of observer error-rates using the EM algorithm, Applied
Statistics 28(1), 1979.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.rankings import Floats
from cranfield.errors import InputError
from cranfield.features.models.audited import PanelKind, PanelLabel, Unit
from cranfield.features.models.calls import ModelSetting, StoredPrompt, keep_setting, setting_of
from cranfield.features.models.extension import audited_kinds
from cranfield.judging.agreement.agreement import LabelMatrix, agreement_by_pair, overall_agreement
from cranfield.judging.labels.policies import POLICIES
from cranfield.store.decoding import decode_json_column
from cranfield.store.log import assessors
from cranfield.store.store import Store, sha256
from cranfield.text import counted, join_words

RULES = {"majority": "majority-tie-low", "mean": "mean-rounded"}  # of the policies for people's labels
DAWID_SKENE = "dawid-skene"
METHODS = (*RULES, DAWID_SKENE)
COEFFICIENTS = ("raw agreement", "Krippendorff alpha ordinal")
UNORDERED = ("raw agreement", "Krippendorff alpha nominal")
PAIR_COEFFICIENTS = ("raw agreement", "Cohen kappa", "Cohen kappa quadratic")
STEPS, STILL = 1000, 1e-10  # of the estimate at most, and how little its likelihood changes at the end, relatively


class Judge(NamedTuple):
    """A judge of a panel: how many labels it gave and failed to give, and the share that are the panel's, too.

    `accuracy` is the estimate of how often it is right; NaN where the method makes none.
    """

    judge: str
    labels: int
    failed: int
    with_panel: float
    accuracy: float


class JudgesAgree(NamedTuple):
    """How far judges agree; `cranfield agreement` has the intervals."""

    judges: Sequence[str]
    coefficient: str
    units: int
    value: float


@dataclass(frozen=True)
class Panel:
    """What a panel says: how many units it labelled, could not, and said anew; its judges and their agreement."""

    labels: str
    assessor: str
    method: str
    judges: Sequence[Judge]
    agreement: Sequence[JudgesAgree]
    labelled: int
    undecided: int
    new: int


class TrueGrades(NamedTuple):
    """The probability of each class (units, classes), and how often each judge is right."""

    probability: Floats
    accuracy: Floats


def dawid_skene(votes: Floats, scale: Sequence[int]) -> TrueGrades:
    """The classes of units by the votes of judges (units, judges), NaN where there is none.

    >>> votes = np.array([[1.0, 1, 0], [0, 0, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]])
    >>> truth = dawid_skene(votes, [0, 1])
    >>> truth.probability.argmax(axis=1).tolist(), truth.accuracy.round(2).tolist()
    ([1, 0, 1, 0, 1], [1.0, 1.0, 0.4])
    """
    vote = (votes[:, :, None] == np.asarray(scale, float)).astype(float)  # (units, judges, classes)
    probability = vote.sum(axis=1) / vote.sum(axis=(1, 2))[:, None]
    last = -np.inf
    for _ in range(STEPS):
        prior = probability.mean(axis=0)
        errors = np.einsum("uk,ujl->jkl", probability, vote)
        total = errors.sum(axis=2, keepdims=True)
        errors = np.divide(errors, total, out=np.zeros_like(errors), where=total > 0)
        with np.errstate(divide="ignore"):
            logs = np.log(prior) + np.einsum("ujl,jkl->uk", vote, np.maximum(np.log(errors), -1e6))
        most = logs.max(axis=1, keepdims=True)
        weight = np.exp(logs - most)
        likelihood = float((most[:, 0] + np.log(weight.sum(axis=1))).sum())
        probability = weight / weight.sum(axis=1, keepdims=True)
        if likelihood - last <= STILL * abs(likelihood):
            break
        last = likelihood
    return TrueGrades(probability, np.einsum("k,jkk->j", probability.mean(axis=0), errors))


def combine(votes: Floats, scale: Sequence[int], method: str) -> tuple[list[int], Floats]:
    """The grade of each unit, and how often each judge is right by the estimate, else NaN.

    >>> combine(np.array([[0.0, 1, 2], [2, 2, 0]]), [0, 1, 2], "majority")[0]
    [0, 2]
    >>> combine(np.array([[0.0, 1, 2], [2, 2, 0]]), [0, 1, 2], "mean")[0]
    [1, 1]
    """
    if method == DAWID_SKENE:
        estimate = dawid_skene(votes, scale)
        return [scale[place] for place in estimate.probability.argmax(axis=1)], estimate.accuracy
    rule, rows = POLICIES[RULES[method]], [row[~np.isnan(row)].astype(int).tolist() for row in votes]
    grades = [rule.grade(row, tuple(scale)) for row in rows]
    return [grade for grade in grades if grade is not None], np.full(votes.shape[1], np.nan)


def panel(
    store: Store, judges: Sequence[str], assessor: str, *, method: str = "majority", labels: str = "documents"
) -> Panel:
    """Combine the labels of judges and record them as a panel's; what is as it was is not recorded again."""
    kinds = {name: one.panel for name, one in audited_kinds().items() if one.panel}
    if labels not in kinds:
        raise InputError(f"a panel cannot combine labels of {labels!r}; expected {join_words([*kinds], 'or')}")
    kind: PanelKind = kinds[labels]
    scale = list(kind.scale(store))
    if method == "mean" and not kind.ordered:
        raise InputError(f"{labels} have no mean; use majority or dawid-skene")
    setting = _check(store, judges, assessor, method, kind.task)
    ballots = {name: kind.labels(store, name) for name in judges}
    units = sorted({unit for one in ballots.values() for unit in one}, key=str)
    votes = np.array([[_number(ballots[name].get(unit)) for name in judges] for unit in units]).reshape(-1, len(judges))
    enough = (~np.isnan(votes)).sum(axis=1) * 2 > len(judges)
    if not enough.any():
        raise InputError(f"none of the {labels} were labelled by most of {join_words(judges)}")
    grades, accuracy = combine(votes[enough], scale, method)
    panel_labels = _labels(units, votes, enough, grades, judges)
    earlier = kind.labels(store, assessor)
    new = {unit: one for unit, one in panel_labels.items() if unit not in earlier or earlier[unit] != one.grade}
    with store.writing():
        keep_setting(store, setting)
        kind.record(store, assessor, new)
    topics = kind.topics(store, units)
    order = sorted(range(len(units)), key=lambda at: (topics[units[at]], str(units[at])))
    rows = [(topics[units[at]], str(units[at])) for at in order]
    matrix = LabelMatrix(tuple(judges), rows, votes[order], tuple(scale), store.collection.min_relevant)
    consensus = np.array([_number(panel_labels[unit].grade) for unit in units])
    return Panel(
        labels, assessor, method,
        judges=[_judge(name, ballots[name], votes[:, at], consensus, accuracy[at]) for at, name in enumerate(judges)],
        agreement=_agreement(matrix, kind.ordered),
        labelled=len(grades), undecided=len(units) - len(grades), new=len(new),
    )  # fmt: skip


def _agreement(matrix: LabelMatrix, ordered: bool) -> list[JudgesAgree]:
    """Of all judges, and of every two; whether labels are `ordered` decides by which coefficients."""
    several = (COEFFICIENTS, PAIR_COEFFICIENTS) if ordered else (UNORDERED, PAIR_COEFFICIENTS[:2])
    together = overall_agreement(matrix, several[0], resamples=0) if len(matrix.assessors) > 2 else []
    both = [*together, *agreement_by_pair(matrix, several[1], resamples=0)]
    return [JudgesAgree(one.assessors, one.coefficient, one.units, one.interval.value) for one in both]


def _check(store: Store, judges: Sequence[str], assessor: str, method: str, task: str) -> ModelSetting:
    """What the panel is; an error where its name is taken, a judge is unknown, or is no model."""
    kinds = assessors(store)
    if method not in METHODS:
        raise InputError(f"method is {method!r}; expected {join_words(METHODS, 'or')}")
    if len(judges) < 2 or len(set(judges)) < len(judges) or assessor in judges:
        raise InputError("a panel needs at least two different judges, and a name that no judge has")
    for name in judges:
        if kinds.get(name) != "model":
            what = "is not a model" if name in kinds else "is not an assessor of this store"
            raise InputError(
                f"{name!r} {what}; a panel combines only models, because a person's label takes precedence over model"
                " labels"
            )
    content = json.dumps({"method": method, "judges": sorted(judges)}, ensure_ascii=False)
    prompt = StoredPrompt(sha256(content), "panel", "panel", version=1, content=content, source="")
    setting = setting_of(store, assessor, task)
    if (setting is None and assessor in kinds) or (setting is not None and setting.prompt.sha256 != prompt.sha256):
        is_ = f"a panel with {setting.prompt.content}" if setting and setting.model == "panel" else "somebody else"
        raise InputError(f"{assessor!r} is {is_}; give this panel another name with --assessor")
    return ModelSetting(assessor, task, "panel", prompt, {})


def names_of_judge(store: Store, assessor: str) -> set[str]:
    """What a judge is called: its name, that of its model, and of a panel those of its judges."""
    rows = store.rows(
        "SELECT s.model, p.task, p.content FROM model_setting s JOIN prompt p ON p.id = s.prompt"
        " WHERE s.assessor = (SELECT id FROM assessor WHERE name = ?)",
        [assessor],
    )
    names = {assessor}
    for model, task, content in rows:
        judges = (
            decode_json_column(dict, content, "prompt", model, "content").get("judges", ()) if task == "panel" else ()
        )
        names = names.union({model} if task != "panel" else (), *(names_of_judge(store, one) for one in judges))
    return names


def _number(grade: int | None) -> float:
    return np.nan if grade is None else float(grade)


def _labels(
    units: Sequence[Unit], votes: Floats, enough: Any, grades: Sequence[int], judges: Sequence[str]
) -> dict[Unit, PanelLabel]:
    """What the panel says of each unit."""
    rest, labels = iter(grades), {}
    for unit, row, has_label in zip(units, votes.tolist(), enough, strict=True):
        by = {name: int(vote) for name, vote in zip(judges, row, strict=True) if not isnan(vote)}
        why = "" if has_label else f"labels by {len(by)} of {counted(len(judges), 'judge')}"
        labels[unit] = PanelLabel(next(rest) if has_label else None, why, by)
    return labels


def _judge(name: str, grades: Mapping[Unit, int | None], votes: Floats, consensus: Floats, accuracy: float) -> Judge:
    both = ~np.isnan(votes) & ~np.isnan(consensus)
    alike = float((votes == consensus)[both].mean()) if both.any() else np.nan
    labels = sum(grade is not None for grade in grades.values())
    return Judge(name, labels, len(grades) - labels, alike, float(accuracy))


def as_document(result: Panel) -> dict[str, Any]:
    """The JSON."""
    return {
        "labels": result.labels, "assessor": result.assessor, "method": result.method, "labelled": result.labelled,
        "undecided": result.undecided, "new": result.new, "judges": [one._asdict() for one in result.judges],
        "agreement": [one._asdict() for one in result.agreement],
    }  # fmt: skip
