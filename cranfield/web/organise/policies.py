"""The policies to choose from if labels differ; where the command line asks, the page asks."""

from collections.abc import Mapping

from cranfield.errors import InputError
from cranfield.judging.labels.choice import resolve_policy, undecided_pairs
from cranfield.judging.labels.policies import applicable_policies
from cranfield.report.blocks import as_sentence
from cranfield.store.label_choice import recorded_labellers
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import ENGLISH, Language
from cranfield.web.look.labels import POLICY
from cranfield.web.look.page_text import page_text
from cranfield.web.organise.choosing import choice_title
from cranfield.web.organise.download import Choice
from cranfield.web.policy_titles import policy_title
from cranfield.web.translated_blocks import page_message


def policy_question(store: Store, language: Language = ENGLISH) -> str:
    """Why the policy has to be chosen, with the number of documents that it decides; empty if it need not be.

    The command line asks in the same cases: labels differ, or a model's labels are no better than chance, and no choice
    is on record.
    """
    recorded = recorded_labellers(store)
    if recorded.assessor or recorded.policy:
        return ""
    if number := len(undecided_pairs(store).items):
        return language.ngettext(
            "%(num)s document has different labels; the policy decides which label counts.",
            "%(num)s documents have different labels; the policy decides which label counts.",
            number,
        )
    try:
        resolve_policy(store)
    except InputError as error:
        return page_message(language, as_sentence(page_text(error.message).text))
    return ""


def publication_question(store: Store, language: Language = ENGLISH) -> str:
    """The question of a published folder, which also asks where the choice on record is an assessor."""
    if assessor := recorded_labellers(store).assessor:
        name = visible_line(assessor)
        return language.gettext("The recorded choice is %(name)s; a published folder needs a policy.", name=name)
    return policy_question(store, language)


def policy_options(store: Store, language: Language = ENGLISH) -> Mapping[str, str]:
    """The choice on record first, if there is one; then the policies, "primary" first."""
    recorded = recorded_labellers(store)
    options = {name: policy_title(name, language) for name in applicable_policies(store)}
    if recorded.assessor or recorded.policy:
        title = language.gettext("the recorded choice: %(choice)s", choice=choice_title(recorded, language))
        return {"": title, **options}
    return options


def publishable_policies(store: Store, language: Language = ENGLISH) -> Mapping[str, str]:
    """The options without a recorded assessor, whom a published folder cannot declare as its policy."""
    options = policy_options(store, language)
    return {name: words for name, words in options.items() if name or not recorded_labellers(store).assessor}


POLICY_CHOICE = Choice("policy", POLICY.label, policy_options, question=policy_question)
PUBLISHED_POLICY = POLICY_CHOICE._replace(options=publishable_policies, question=publication_question)
