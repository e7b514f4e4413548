"""pool estimate.

JSON: {"pool", "method", "confidence", "topics": [{"query_id", "sampled", "found", "relevant", "low", "high"}],
"scores": [{"run", "measure", "value", "variance", "low", "high"}]}.

`relevant` estimates the number of relevant documents in the sampled pool; `found` of them were drawn. By chance the
estimate may be slightly below `found`; its interval never is. A score is a mean over the topics of the pool, and its
variance is that of the sampling. `low` and `high` of AP are null where most topics have fewer than two relevant
documents in the sample.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.options import Assessor, Confidence, Format, Labels, Measures, Output, PoolNumber, StorePath
from cranfield.cli.tables import TableFormat, emit, note
from cranfield.store.labelled_by import LabelledBy

DEFAULT = ["AP", "P@10"]


def estimate(
    path: StorePath,
    number: PoolNumber = None,
    topics: Annotated[
        bool, typer.Option("--topics", help="Estimate the number of relevant documents per topic instead of scores.")
    ] = False,
    measure: Measures = None,
    confidence: Confidence = 0.95,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Estimate runs' scores from a sampled pool, or with --topics the number of relevant documents per topic.

    Estimates AP, AP@k and P@k as if all documents that the sample was drawn from were judged. The pool must have
    inclusion probabilities, have been able to draw every document, and be judged completely. Intervals cover the
    sampling error only. With few relevant documents the intervals of AP are wide, and there are none where most topics
    have fewer than two in the sample.

    Example: cranfield pool estimate track.db -m AP -m P@10
    """
    from cranfield.analysis.stored_pools import estimated
    from cranfield.errors import blaming
    from cranfield.metrics.notation.parse import parse_all
    from cranfield.store.store import Store

    with Store.open(path) as store, blaming(path):
        asked = parse_all(measure or DEFAULT, store.collection.min_relevant)
        pool, scores, of_topics, line, lack = estimated(store, number, asked, confidence, assessor, labels)
    for one in (line, None if topics else lack):
        if one:
            note(one)
    title = f"pool {pool.number}: {pool.method}, {len(pool.documents)} sampled documents; {confidence:.0%} intervals"
    head = {"pool": pool.number, "method": pool.method, "confidence": confidence}
    shown = of_topics if topics else scores
    emit(shown, format, output, title=title, document=head | {"topics": of_topics, "scores": scores})
