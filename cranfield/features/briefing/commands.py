"""`assessor`: what assessors practise on, and how they did; what they ask, and the answers."""

from typing import Annotated
from uuid import uuid4

import typer

from cranfield.cli import completion, in_python
from cranfield.cli.common_options import Printer, StorePath
from cranfield.cli.tables import note, say
from cranfield.store.reading import Reading
from cranfield.text import counted


@in_python("judging.set_practice_topic")
def practice(
    path: StorePath,
    qid: Annotated[str, typer.Argument(metavar="QID", help="The topic to practise on."), completion.TOPICS],
    *,
    gold: Annotated[
        str,
        typer.Option(metavar="NAME", help="Who gave the right grades; her notes say why."),
        completion.ASSESSORS,
    ],
) -> None:
    """Let assessors practise on a topic before their first one: the grades of one person are right.

    After each document they see the right grade and the note that came with it. What they give counts for nothing; how
    they did is shown by `cranfield assessor results`. Assign the topic to nobody.

    Example: cranfield assessor practice track.db 1 --gold kim

    Example: cranfield assessor practice track.db 2 --gold kim
    """
    from cranfield.features.briefing.store import set_gold
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        number = set_gold(store, qid, gold)
    say(f"practice: {counted(number, 'document')} of topic {qid}, by the grades of {gold}")


@in_python("judging.list_practice_results")
def results(path: StorePath, *, printer: Printer, reading: Reading) -> None:
    """Show how assessors did while they practised: how many of their grades were right, too high and too low.

    JSON: [{"assessor", "documents", "right", "above", "below"}].

    Example: cranfield assessor results track.db

    Example: cranfield assessor results track.db --format json
    """
    from cranfield.features.briefing import store as own

    with reading.store(path) as store:
        rows = own.results(store)
    printer.emit(rows)


@in_python("judging.list_questions")
def questions(path: StorePath, *, printer: Printer, reading: Reading) -> None:
    """List what assessors asked about topics, with the answers.

    JSON: [{"id", "at", "qid", "assessor", "question", "answer"}].

    Example: cranfield assessor questions track.db

    Example: cranfield assessor questions track.db --format json
    """
    from cranfield.features.briefing import store as own

    with reading.store(path) as store:
        rows = [one._asdict() for one in own.questions(store)]
    printer.emit(rows)


@in_python("judging.answer_question")
def answer(
    path: StorePath,
    number: Annotated[int, typer.Argument(metavar="ID", min=1, help="Its number in `assessor questions`.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The answer.")],
) -> None:
    """Answer a question. Everybody who judges its topic sees both, without the name of who asked.

    Example: cranfield assessor answer track.db 1 "A cause alone is partly relevant."

    Example: cranfield assessor answer track.db 2 "Yes, if it names the place."
    """
    from cranfield.features.briefing import store as own
    from cranfield.store.store import Store

    with Store.open(path, tell=note) as store:
        question = own.answer(store, number, text, uuid4().hex)
    say(f"question {number} on topic {question.qid}: answered")
