"""`topics`: topics in development, which are tried, and kept or dropped.

JSON of `topics list --candidates`: [{"topic", "title", "author", "state", "judged", "relevant", "reason", "sets"}].
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.build import command, show_lines
from cranfield.cli.common_options import StorePath
from cranfield.cli.tables import escaping_streams, print_note, say
from cranfield.features.collecting.finding import functions
from cranfield.text import counted

if TYPE_CHECKING:
    from cranfield.store.store import Store

Author = Annotated[
    str,
    typer.Option("--assessor", metavar="NAME", help="Person who develops the topic and judges its documents."),
    completion.ASSESSORS,
]


class CandidateOptions(NamedTuple):
    """What is listed: topics, or sets of them."""

    candidates: Annotated[
        bool, typer.Option("--candidates", help="List single topics, including topics in development.")
    ] = False


def list_candidates(options: CandidateOptions, store: Store) -> list[dict[str, object]]:
    """One row per topic, including topics in development."""
    from cranfield.features.collecting.finding.development import topic_rows

    return topic_rows(store)


@in_python("topics.propose")
def try_(
    path: StorePath,
    what: Annotated[
        str,
        typer.Argument(metavar="QID|FILE", help="Topic in development, or a file of new topics."),
        completion.name_completer("topic in development"),
    ],
    *,
    assessor: Author,
) -> None:
    """Add topics in development, or judge documents for one of them.

    Pass a file to add topics, or a topic's id to judge 25 documents for it. The first 10 documents come from a search,
    and the others are similar to the relevant ones. The command does not show pools, runs or scores. After 25
    documents, it reports whether the topic has no, few, some or many relevant documents. To end the development, use
    `topics keep` or `topics drop`.

    Example: cranfield topics try track.db ideas.tsv --assessor ada

    Example: cranfield topics try track.db 7 --assessor ada
    """
    from cranfield.errors import InputError, file_named_in_errors
    from cranfield.features.collecting.finding.development import candidates, propose
    from cranfield.formats import read_topics
    from cranfield.store.store import Store

    with Store.open(path, tell=print_note) as store:
        if not Path(what).is_file():
            if what not in {one.topic.qid for one in candidates(store)}:
                raise InputError("neither a file nor a topic in development", what)
            _judge(store, what, assessor)
            return
        with file_named_in_errors(Path(what)), store.writing():
            topics = read_topics(Path(what))
            for topic in topics:
                propose(store, topic, assessor)
    say(f"{counted(len(topics), 'topic')} in development, by {assessor}")


def _judge(store: Store, qid: str, assessor: str) -> None:
    """Show documents and read grades, until 25 are judged, or q or nothing is typed."""
    from cranfield.features.collecting.finding.development import candidate, label, next_document, summary
    from cranfield.judging.session.view import safe_document, safe_topic
    from cranfield.text import visible_line

    grades, one = store.collection.grades, candidate(store, qid, assessor)
    scale = ", ".join(f"{grade} {visible_line(meaning)}" for grade, meaning in grades.items())
    topic = safe_topic(one.topic)
    typing, _ = escaping_streams()
    say("\n".join(part for part in (topic.title, topic.description, topic.narrative) if part.strip()))
    while docno := next_document(store, one):
        document = safe_document(store.document(docno))
        say(f"\n{len(one.labels) + 1}. {document.title}\n{document.text}\n\n{scale}; q stops")
        answer = typing.readline().strip()
        if answer in ("", "q"):
            break
        if answer.removeprefix("-").isdecimal() and int(answer) in grades:
            label(store, qid, assessor, docno, grade=int(answer))
            one = candidate(store, qid, assessor)
        else:
            print_note(f"{answer[:20]!r} is not a grade of this store")
    say(summary(store, one))


keep = command(functions.keep, show_lines, "topics")
drop = command(functions.drop, show_lines, "topics")
