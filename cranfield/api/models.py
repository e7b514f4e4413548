"""Labels by models: what `cranfield model audit draw`, `report` and `estimate` show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from cranfield.api.inputs import Measures, StoreGiven, store_open

if TYPE_CHECKING:
    from pandas import DataFrame

    from cranfield.analysis.labels.model_audit import ModelAudit


def model_audit_draw(
    store: StoreGiven,
    model: str,
    assessor: str,
    size: int,
    by: Literal["grade", "topic"] = "grade",
    unit: Literal["pair", "topic"] = "pair",
    seed: int = 0,
) -> DataFrame:
    """Draw a random sample of what a model labelled, for a person to judge; one row per document, with its stratum.

    >>> from cranfield import Store
    >>> with Store.memory("labels") as store:
    ...     model_audit_draw(store, "qwen", "ada", 20)
    Traceback (most recent call last):
    cranfield.errors.InputError: 'qwen' is not a model of this store; import labels with --kind model
    """
    import pandas as pd

    from cranfield.analysis.labels.model_estimate import draw_audit

    with store_open(store) as there:
        sample = draw_audit(there, model, assessor, size, by, unit, seed)
    rows = [{"sample": sample.number, "query_id": pair.qid, "doc_id": pair.docno, "stratum": pair.stratum}
            for pair in sample.pairs]  # fmt: skip
    return pd.DataFrame(rows)


def model_audit_report(
    store: StoreGiven,
    model: str,
    human: str | None = None,
    measures: Measures = ("AP", "nDCG@10"),
    families: Mapping[str, str] | None = None,
    family: str | None = None,
    seed: int = 0,
) -> ModelAudit:
    """What a model's labels can be used for: the `verdict`, and what it rests on.

    Labels are compared with people's on the documents that both labelled.

    `human` is a person; None is all people, by the policy primary. `families` says which family of models a run uses.
    """
    from cranfield.analysis.labels.model_audit import audit

    with store_open(store) as there:
        return audit(there, model, human, measures, families, family, seed)


def model_audit_estimate(
    store: StoreGiven, model: str | None = None, sample: int | None = None, measures: Measures = ()
) -> DataFrame:
    """What people would have said of everything that a model labelled, estimated from a judged sample.

    One row per quantity: `model` by the model's labels alone, `value` with `low` and `high` by both (95 %), `tuning`
    the weight of the model, `worth` how many times as many labels of people would be as exact without it.
    """
    import pandas as pd

    from cranfield.analysis.labels.model_estimate import estimate

    with store_open(store) as there:
        found = estimate(there, model, sample, measures)
    return pd.DataFrame(
        [{"run": one.run, "measure": one.measure, "model": one.model, **one.tuned._asdict()} for one in found.scores]
    )
