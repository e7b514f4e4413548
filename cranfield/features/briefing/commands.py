"""`assessor`: what assessors practise on, and how they did; what they ask, and the answers."""

from cranfield.cli.build import command, show_lines, show_table
from cranfield.features.briefing.functions import (
    answer_question,
    list_practice_results,
    list_questions,
    set_practice_topic,
)

practice = command(set_practice_topic, show_lines, "judging")
results = command(list_practice_results, show_table, "judging")
questions = command(list_questions, show_table, "judging")
answer = command(answer_question, show_lines, "judging")
