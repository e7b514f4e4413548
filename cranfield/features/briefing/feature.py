"""Briefing: practice before an assessor's first topic, and questions to the organiser with their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cranfield.extension import Extension
from cranfield.hooks import Commands, Functions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TextIO

    from cranfield.store.store import Store
    from cranfield.web.open_sessions import JudgingRole
    from cranfield.web.organise.section import OrganiserSection


class BriefingExtension(Extension):
    """Brief assessors before they judge, and answer their questions."""

    name = "briefing"
    commands = (Commands("Judge", "commands", "assessor", "practice results questions answer"),)
    functions = (
        Functions("judging", "functions", "set_practice_topic list_practice_results list_questions answer_question"),
    )
    tables = ("tables:TABLES",)

    def roles(self) -> Sequence[JudgingRole]:
        from cranfield.features.briefing.pages import PRACTICE, QUESTIONS
        from cranfield.features.briefing.store import has_practice, topic_questions
        from cranfield.web.open_sessions import JudgingRole

        return (
            JudgingRole("practice", "practise", page=PRACTICE, with_judging=True, comes_first=has_practice),
            JudgingRole(
                "questions",
                "ask the organiser questions",
                page=QUESTIONS,
                with_judging=True,
                notes_on_topic=topic_questions,
            ),
        )

    def before_judging(self, store: Store, assessor: str, source: TextIO, target: TextIO, width: int) -> bool:
        from cranfield.features.briefing.lines import practise_in_lines

        return practise_in_lines(store, assessor, source, target, width)

    def organiser_pages(self) -> Mapping[str, OrganiserSection]:
        from cranfield.features.briefing.pages import BRIEFING

        return {"briefing": BRIEFING}
