"""Labels by models: asking for them (`cranfield model assess`), and auditing them (`cranfield model audit`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from cranfield.api.arguments import checked
from cranfield.api.keywords import adding, taking
from cranfield.errors import InputError, give_warning
from cranfield.features.models.options import AssessExportOptions, AssessRunOptions
from cranfield.options import ScopeOptions
from cranfield.view import Measures, StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.features.models.analysis.audit import ModelAudit
    from cranfield.features.models.asking.limits import AskingTally
    from cranfield.features.models.panel import Panel


@checked
@taking(AssessRunOptions)
def assess(store: StoreGiven, model: str, url: str, options: AssessRunOptions) -> AskingTally:
    """Ask a model to label the documents of a pool that it has not labelled; what came of it, and what it cost.

    The key is read from CRANFIELD_API_KEY or OPENAI_API_KEY. An answer without exactly one grade on the scale is
    recorded as "cannot judge". `price` is that of a million tokens, in and out; `budget` is of tokens or money, as
    "200000tokens" or "2.50usd". `repeat` asks again about so many graded documents, drawn at random. An adaptive pool
    grows as it is labelled, in topics that are not assigned.

    >>> from cranfield import Store
    >>> with Store.memory("binary") as store:
    ...     assess(store, "qwen3", "http://127.0.0.1:8000/v1", prompt="umbrela")
    Traceback (most recent call last):
    cranfield.errors.InputError: the prompt gives the grades 0, 1, 2, 3, the scale of the store is 0, 1; use the prompt
    basic, or map numbers to grades under [scale] in a prompt of your own
    """
    with store_open(store) as there:
        tally = options.assessment(there, model, url, options.repeat).run(options.limits)
    tally.refuse_errors_alone(url)
    return tally


@checked
@taking(AssessExportOptions)
def export_batch(store: StoreGiven, out: str | PathLike[str], model: str, options: AssessExportOptions) -> int:
    """Write what a model would be asked as a batch file of OpenAI's interface; how many requests, counted as sent."""
    with store_open(store) as there:
        return options.assessment(there, model, None).grow().write(Path(out), options.limit)


@checked
def import_batch(
    store: StoreGiven, path: str | PathLike[str], *, price: tuple[float, float] | None = None
) -> dict[str, int]:
    """Record the answers to a batch file: how many of each outcome, of which "ok" gave a label."""
    from cranfield.features.models.asking.assess import take_batch
    from cranfield.features.models.asking.limits import Price

    with store_open(store) as there:
        return dict(take_batch(there, Path(path), Price(*price) if price is not None else None).outcomes)


@checked
def list_prompts(*, name: str | None = None) -> DataFrame:
    """The prompts that models are asked with, or one of them: task, hash, scale, source.

    >>> list_prompts(name="umbrela")["scale"].tolist()
    ['0 = 0, 1 = 1, 2 = 2, 3 = 3']
    """
    import pandas as pd

    from cranfield.features.models.asking.prompt import prompt_files, prompt_row, read_prompt

    return pd.DataFrame([prompt_row(read_prompt(one)) for one in ([name] if name else prompt_files())])


@checked
def form_panel(
    store: StoreGiven,
    judges: Sequence[str],
    assessor: str,
    *,
    of: str = "documents",
    method: Literal["majority", "mean", "dawid-skene"] = "majority",
) -> Panel:
    """Combine the labels of several models into those of a panel, an assessor like a model; its judges and agreement.

    `of` is documents, nuggets, support, claims, correctness, rubrics or comparisons; only labels that are new or have
    changed are recorded.

    >>> from cranfield import Store
    >>> with Store.memory("labels") as store:
    ...     form_panel(store, ["qwen", "llama"], "panel")
    Traceback (most recent call last):
    cranfield.errors.InputError: 'qwen' is not an assessor of this store; a panel is of models, and a person's label
    counts before theirs
    """
    from cranfield.features.models.panel import panel

    with store_open(store) as there:
        return panel(there, judges, assessor, method=method, labels=of)


@checked
def draw_audit_sample(
    store: StoreGiven,
    model: str,
    assessor: str,
    size: int,
    *,
    of: str = "documents",
    by: Literal["grade", "topic"] = "grade",
    unit: Literal["pair", "topic"] = "pair",
    seed: int = 0,
) -> DataFrame:
    """Draw a random sample of what a model labelled, for a person to judge; one row per document, with its stratum.

    `of` nuggets, support, claims, correctness, rubrics or comparisons the sample is of topics, and one row per topic.

    >>> from cranfield import Store
    >>> from cranfield.models import draw_audit_sample
    >>> with Store.memory("labels") as store:
    ...     draw_audit_sample(store, "qwen", "ada", 20)
    Traceback (most recent call last):
    cranfield.errors.InputError: 'qwen' is not a model of this store; import labels with kind="model"
    """
    import pandas as pd

    from cranfield.features.models.analysis.estimate import draw_audit
    from cranfield.features.models.analysis.topics import draw_topics_of

    for name, value, one, other in (("by", by, "grade", "topic"), ("unit", unit, "pair", "topic")):
        if value not in (one, other):
            raise InputError(f"{name} is {value!r:.60}; expected {one} or {other}")
    with store_open(store) as there:
        if of != "documents":
            topics = draw_topics_of(there, of, model, assessor, size=size, seed=seed)
            return pd.DataFrame({"sample": topics.number, "query_id": topics.topics})
        sample = draw_audit(there, model, assessor, size, by=by, unit=unit, seed=seed)
    rows = [{"sample": sample.number, "query_id": pair.qid, "doc_id": pair.docno, "stratum": pair.stratum}
            for pair in sample.pairs]  # fmt: skip
    return pd.DataFrame(rows)


@checked
@adding("model audit report", ScopeOptions)
def audit(
    store: StoreGiven,
    model: str,
    *,
    of: str = "documents",
    human: str | None = None,
    policy: str | None = None,
    measures: Measures | None = None,
    families: Mapping[str, str] | None = None,
    family: str | None = None,
    seed: int = 0,
) -> ModelAudit:
    """Compare a model's labels with people's, and say what they can be used for.

    Parameters
    ----------
    store : path or Store
        The store.
    model : str
        The model or panel whose labels are audited.
    of : str, default "documents"
        The kind of labels: documents, nuggets, support, claims, correctness, rubrics, comparisons or preferences.
    human : str, optional
        The person whose labels count. By default the choice that `cranfield store labels` recorded, otherwise all
        people.
    policy : str, optional
        The policy that decides where labels of people differ.
    measures : measure, or iterable of measures, optional
        The measures of the runs.
    families : mapping of str to str, optional
        The family of models that each run uses.
    family : str, optional
        The family of the judge, next to its own names.
    seed : int, default 0
        Seed of the intervals.

    Returns
    -------
    ModelAudit
        The `verdict`, what it rests on, and whose labels counted (`people`, `policy`).

    Raises
    ------
    UndecidedError
        If labels of people differ and nothing was chosen.
    """
    from cranfield.features.models.analysis.audit import audit

    with store_open(store) as there:
        return audit(
            there,
            model,
            human=human,
            policy=policy,
            measures=measures,
            families=families,
            family=family,
            labels=of,
            seed=seed,
        )


@checked
@adding("model audit estimate", ScopeOptions)
def estimate_human_labels(
    store: StoreGiven,
    *,
    model: str | None = None,
    sample: int | None = None,
    measures: Measures = (),
    relevant: Mapping[str, int] | None = None,
    judged_topics_only: bool = False,
) -> DataFrame:
    """What people would have said of everything that a model labelled, estimated from a judged sample.

    One row per quantity: `model` by the model's labels alone, `value` with `low` and `high` by both (95%), `tuning`
    the weight of the model, `worth` how many times as many labels of people would be as exact without it. `relevant`
    is how many documents of each topic are relevant, for R; with `judged_topics_only` the sample may be judged in part.
    `why` says why `low` and `high` are NaN.
    """
    import pandas as pd

    from cranfield.features.models.analysis.estimate import without_interval
    from cranfield.features.models.analysis.topics import estimate_sample

    with store_open(store) as there:
        estimates = estimate_sample(
            there,
            model=model,
            number=sample,
            measures=measures,
            relevant=relevant,
            judged_topics_only=judged_topics_only,
        )
    for line in without_interval(estimates):
        give_warning(line)
    rows = [
        {"run": one.run, "measure": one.measure, "model": one.model, **one.estimate._asdict()}
        for one in estimates.scores
    ]
    return pd.DataFrame(rows)
