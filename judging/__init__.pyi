"""The names of this package and their modules, for type checkers and for `lazy_getattr`, which loads them."""

from cranfield.commands.agreement import measure_agreement as measure_agreement
from cranfield.commands.assessors import invite_assessor as invite_assessor
from cranfield.commands.assessors import list_invitations as list_invitations
from cranfield.commands.assessors import revoke_invitations as revoke_invitations
from cranfield.commands.differences import compare_judgments as compare_judgments
from cranfield.commands.judging import assign_topics as assign_topics
from cranfield.commands.judging import choose_labels as choose_labels
from cranfield.commands.judging import explain_label as explain_label
from cranfield.commands.judging import list_disagreements as list_disagreements
from cranfield.commands.judging import progress as progress
from cranfield.commands.rehearsal import rehearse as rehearse
from cranfield.commands.transfers import export_bundle as export_bundle
from cranfield.commands.transfers import export_page as export_page
from cranfield.commands.transfers import import_bundle as import_bundle
from cranfield.features.briefing.functions import answer_question as answer_question
from cranfield.features.briefing.functions import list_practice_results as list_practice_results
from cranfield.features.briefing.functions import list_questions as list_questions
from cranfield.features.briefing.functions import set_practice_topic as set_practice_topic
from cranfield.features.preferences.functions import export_preferences as export_preferences
from cranfield.features.preferences.functions import list_preferences as list_preferences

__all__: list[str]
