"""Writing a report: the page, or the card alone as Markdown or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from cranfield.arrays.which_topics import WhichTopics
from cranfield.errors import InputError
from cranfield.formats.whole_files import write_text
from cranfield.progress_bar import progress_bar
from cranfield.store.labelled_by import LabelledBy

from .page import Asked
from .subject import Subject


def check_suffix(out: Path) -> None:
    """Refuse a file that is not an .html, .md or .json."""
    if out.suffix not in WRITERS:
        raise InputError(f"a report is written as {', '.join(WRITERS)}", out)


def command(
    paths: Sequence[Path], by: str, depth: int | None, measures: Sequence[str] | None, teams: Path | None,
    protect: str | None, suffix: str, labels: LabelledBy = LabelledBy.all, pool: int | None = None,
    topics: WhichTopics = WhichTopics.all,
) -> str:  # fmt: skip
    """The command that makes the report, without the folders of this machine.

    >>> command([Path("/x/track.db")], "team", None, ["AP"], None, None, ".html")
    'cranfield report track.db OUT.html --by team -m AP'
    >>> command([Path("/x/qrels"), Path("/x/a"), Path("/x/b")], "run", 7, None, Path("/x/t.tsv"), "0.5", ".md")
    'cranfield report qrels RUNS... OUT.md --by run --depth 7 --teams t.tsv --protect 0.5'
    """
    import shlex

    words = [shlex.quote(paths[0].name), *(["RUNS..."] if len(paths) > 1 else []), f"OUT{suffix}", "--by", by]
    given: list[tuple[str, object]] = [("--depth", depth), ("--pool", pool)]
    given += [("-m", name) for name in measures or ()]
    given += [("--teams", teams and teams.name), ("--protect", protect)]
    given += [("--labels", None if labels is LabelledBy.all else labels.value)]
    given += [("--topics", None if topics is WhichTopics.all else topics.value)]
    words += [word for name, value in given if value is not None for word in (name, shlex.quote(str(value)))]
    return " ".join(["cranfield report", *words])


def write_report(out: Path, subject: Subject, asked: Asked, card_only: bool = False) -> None:
    """Write the report to a file, in the format that its suffix names."""
    write_text(out, WRITERS[out.suffix](subject, asked, card_only))


def _page(subject: Subject, asked: Asked, card_only: bool) -> str:
    from cranfield.report.page import page

    with progress_bar("making the report", None if card_only else 4) as advance:
        return page(subject, asked, card_only, advance)


def _markdown(subject: Subject, asked: Asked, card_only: bool) -> str:
    from cranfield.report.card_text import card_markdown
    from cranfield.report.page import card_for

    return card_markdown(card_for(subject, asked))


def _json(subject: Subject, asked: Asked, card_only: bool) -> str:
    from cranfield.formats.text_tables import as_json
    from cranfield.report.page import card_for

    return as_json(card_for(subject, asked).to_json())


WRITERS: Mapping[str, Callable[[Subject, Asked, bool], str]] = {".html": _page, ".md": _markdown, ".json": _json}
