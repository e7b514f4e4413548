"""CHANGES.md: what changed since a release, by name, and the scores of the runs of both."""

from collections.abc import Iterator

from cranfield.analysis.changes import ContentChanges, content_changes
from cranfield.features.publishing.markup import line, table
from cranfield.features.publishing.publication import PublishOptions
from cranfield.selection import Labellers
from cranfield.store.store import Store
from cranfield.text import counted

CHANGES = "CHANGES.md"
NAMED = 1000  # of a kind that are named


def changes_text(store: Store, options: PublishOptions) -> str:
    """The file; runs are named only where they are published."""
    changes = content_changes(store, [options.since], labellers=Labellers(policy=options.policy), own_choices=True)
    return "\n".join([f"# Changes since {line(options.since)}", "", *_lines(changes, options)]) + "\n"


def _lines(changes: ContentChanges, options: PublishOptions) -> Iterator[str]:
    kinds = [row for row in changes.counts if options.runs or row["what"] != "run"]
    if not kinds:
        yield "Nothing has changed."
    for row in kinds:
        several = changes.changes_of_kind(row["what"], row["change"])
        yield f"## {counted(len(several), row['what'])} {row['change']}"
        yield ""
        yield from (f"- {line(one.name)}" + (f": {line(one.detail)}" if one.detail else "") for one in several[:NAMED])
        if len(several) > NAMED:
            yield f"- and {len(several) - NAMED:,} more"
        yield ""
    if options.runs and changes.systems and changes.scores:
        topics = counted(changes.systems.topics, "topic")
        yield f"## Scores of the common runs on the {topics} in both versions, by the labels of each version"
        yield ""
        rows = [{**row, **{name: f"{row[name]:.4f}" for name in ("a", "b", "change")}} for row in changes.scores]
        yield table([{line(changes.a) if name == "a" else "now" if name == "b" else name: value
                      for name, value in row.items()} for row in rows])  # fmt: skip
