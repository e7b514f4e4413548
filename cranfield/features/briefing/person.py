"""What briefing adds to the page of a person: practice, questions and messages."""

from collections.abc import Sequence
from urllib.parse import urlencode

from cranfield.features.briefing.messages import messages_to
from cranfield.features.briefing.store import questions, results
from cranfield.report.blocks import Block, Facts, TableBlock
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.person import PERSON_PARAMETER
from cranfield.web.look.view import LookView, Query, Row, link_line

MAX_MESSAGES = 20  # on a page


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return [one._asdict() for one in messages_to(store, query["assessor"] or "")]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    name = query["assessor"]
    if not name:
        return []
    asked = [one for one in questions(store) if one.assessor == name]
    waiting = sum(not one.answer for one in asked)
    return [
        Facts(
            [
                (translatable("Practice"), _practice_in_words(store, name, query.language)),
                (translatable("Questions"), _questions_in_words(len(asked), waiting, query.language)),
            ]
        ),
        link_line(
            [
                (translatable("Send a message"), f"/organise/message?{urlencode({'assessor': name})}"),
                *([(translatable("Answer questions"), "/organise/briefing")] if waiting else []),
            ],
            query.language,
        ),
        *_message_blocks(store, name, query.language),
    ]


def _practice_in_words(store: Store, name: str, language: Language) -> str:
    row = next((row for row in results(store) if row["assessor"] == name), None)
    if row is None:
        return language.gettext("no practice grades")
    return language.ngettext(
        "%(right)s of %(num)s document right, %(above)s graded too high, %(below)s graded too low",
        "%(right)s of %(num)s documents right, %(above)s graded too high, %(below)s graded too low",
        int(str(row["documents"])),
        **{key: row[key] for key in ("right", "above", "below")},
    )


def _questions_in_words(number: int, waiting: int, language: Language) -> str:
    if not number:
        return language.gettext("none")
    return language.gettext("%(number)s asked, %(waiting)s without an answer", number=number, waiting=waiting)


def _message_blocks(store: Store, name: str, language: Language) -> list[Block]:
    rows = [
        {
            "sent": f"{one.at[:16].replace('T', ' ')} UTC",
            "message": visible_line(one.text),
            "state": language.gettext("dismissed") if one.dismissed else language.gettext("on the judging page"),
        }
        for one in messages_to(store, name)[:MAX_MESSAGES]
    ]
    return [TableBlock("messages", translatable("Messages to this person, newest first"), rows)] if rows else []


BRIEFED_PERSON = LookView(
    translatable("Practice, questions and messages"),
    _rows,
    (PERSON_PARAMETER,),
    _parts,
    part_of="person",
    entry=translatable("Person"),
    is_in_menu=False,
)
