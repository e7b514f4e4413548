"""answers nuggets show.

JSON: [{"query_id", "nugget", "importance", "author", "by", "contributors", "support", "partial", "no", "failed"}]; `by`
is "people" or "models".
"""

from __future__ import annotations

from cranfield.cli.options import Assessor, Format, Labels, Nuggets, OnlyTopics, Output, StorePath
from cranfield.cli.tables import Display, TableFormat, emit, note
from cranfield.store.labelled_by import LabelledBy


def show(
    path: StorePath,
    topic: OnlyTopics = None,
    assessor: Assessor = None,
    labels: Labels = LabelledBy.all,
    nuggets: Nuggets = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """List the nuggets of each topic, how important they are, whose they are, and how many answers say them.

    A nugget that a model wrote counts as people's once a person has made it vital or okay, also if it was so before.
    The counts are of the labels that `cranfield evaluate --answers` uses.

    Example: cranfield answers nuggets show track.db --topic 1
    """
    from cranfield.analysis.answers.nuggets import nugget_rows
    from cranfield.store.store import Store

    with Store.open(path) as store:
        rows = nugget_rows(store, topic, assessor, labels, note, nuggets)
    emit(rows, format, output, display=Display({"query_id": "topic"}, spare=("contributors",)))
