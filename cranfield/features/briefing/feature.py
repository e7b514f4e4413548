"""Briefing: practice before an assessor's first topic, and questions to the organiser with their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.hooks import Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from cranfield.judging.planning.overview import Attention
    from cranfield.store.store import Store
    from cranfield.web.look.view import LookView
    from cranfield.web.open_sessions import JudgingRole
    from cranfield.web.organise.section import OrganiserSection


class BriefingExtension(Extension):
    """Brief assessors before they judge, and answer their questions."""

    name = "briefing"
    commands = (Commands("Judge", "commands", "assessor", "practice results questions answer"),)
    functions = (
        Functions("judging", "functions", "set_practice_topic list_practice_results list_questions answer_question"),
    )
    tables = ("tables:TABLES", "tables:MESSAGES")

    def roles(self) -> Sequence[JudgingRole]:
        from cranfield.features.briefing.message_pages import MESSAGES
        from cranfield.features.briefing.messages import open_messages
        from cranfield.features.briefing.pages import PRACTICE, QUESTIONS
        from cranfield.features.briefing.store import has_practice, topic_questions
        from cranfield.web.language import translatable
        from cranfield.web.open_sessions import JudgingRole

        return (
            JudgingRole(
                "practice", translatable("practise"), page=PRACTICE, with_judging=True, comes_first=has_practice
            ),
            JudgingRole(
                "questions",
                translatable("ask the organiser questions"),
                page=QUESTIONS,
                with_judging=True,
                notes_on_topic=topic_questions,
            ),
            JudgingRole(
                "messages",
                translatable("read the organiser's messages"),
                page=MESSAGES,
                with_judging=True,
                notices=open_messages,
            ),
        )

    def attention(self, store: Store) -> Sequence[Attention]:
        from cranfield.features.briefing.store import question_notes

        return question_notes(store)

    def before_judging(self, store: Store, assessor: str, source: TextIO, target: TextIO, width: int) -> bool:
        from cranfield.features.briefing.lines import practise_in_lines

        return practise_in_lines(store, assessor, source, target, width)

    def organiser_pages(self) -> Mapping[str, OrganiserSection]:
        from cranfield.features.briefing.message_pages import MESSAGE
        from cranfield.features.briefing.pages import BRIEFING

        return {"briefing": BRIEFING, "message": MESSAGE}

    def views(self) -> Mapping[str, LookView]:
        from cranfield.features.briefing.person import BRIEFED_PERSON

        return {"briefed": BRIEFED_PERSON}
