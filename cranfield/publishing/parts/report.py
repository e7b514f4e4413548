"""report.html: what the collection contains, the scores of its runs, and its reusability card."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cranfield.publishing.cards.publication import DRAFT
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing


def write_page(asked: Publishing) -> Sequence[PublishedTable]:
    from cranfield.analysis.reusability import MEASURES
    from cranfield.metrics.notation import parse_all
    from cranfield.report.facts import subject_of
    from cranfield.report.page import Asked, write_report

    subject = subject_of([Path(asked.store.path)])
    if asked.options.draft and subject.collection:
        subject = subject._replace(collection=subject.collection._replace(name=f"{DRAFT}: {subject.name}"))
    measures = parse_all(MEASURES, subject.source.min_relevant if subject.source else 1)
    by = "team" if subject.source and len({info.team for info in subject.source.about.values()}) > 1 else "run"
    made_by = f"cranfield report track.db report.html --by {by}"
    write_report(asked.within("report.html"), subject, Asked(measures, by, command=made_by))
    return []


REPORT_PART = Part("report", write_page)
