"""Briefing: practice before an assessor's first topic, and questions to the organiser with their answers."""

from cranfield.hooks import Commands, Feature, Functions, Row

FEATURE = Feature(
    "briefing",
    "cranfield.features.briefing",
    commands=(Commands("Judge", "commands", "assessor", "practice results questions answer"),),
    functions=(
        Functions("judging", "functions", "set_practice_topic list_practice_results list_questions answer_question"),
    ),
    rows=(
        Row("judge.before", "lines:practise_in_lines"),
        Row("web.pages", "pages:PRACTICE", "practice"),
        Row("web.pages", "pages:QUESTIONS", "questions"),
        Row("web.before", "store:has_practice", "practice"),
        Row("web.topic", "store:of_topic", "questions"),
        Row("organise.sections", "pages:BRIEFING", "briefing"),
        Row("organise.forms", "pages:ANSWER", "answer"),
    ),
    tables=("tables:TABLES",),
)
