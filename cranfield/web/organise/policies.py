"""The policies to choose from if labels differ; where the command line asks, the page asks."""

from collections.abc import Mapping

from cranfield.errors import InputError
from cranfield.judging.labels.choice import resolve_policy, undecided_pairs
from cranfield.judging.labels.policies import applicable_policies
from cranfield.store.label_choice import recorded_labellers
from cranfield.store.store import Store
from cranfield.text import counted, visible_line
from cranfield.web.look.labels import POLICY
from cranfield.web.look.page_text import page_text
from cranfield.web.organise.download import Choice
from cranfield.web.policy_titles import policy_title


def policy_question(store: Store) -> str:
    """Why the policy has to be chosen, with the number of documents that it decides; empty if it need not be.

    The command line asks in the same cases: labels differ, or a model's labels are no better than chance, and no choice
    is on record.
    """
    if _recorded_choice_title(store):
        return ""
    if number := len(undecided_pairs(store).items):
        differ = f"{counted(number, 'document')} {'has' if number == 1 else 'have'} different labels"
        return f"{differ}; the policy decides which label counts."
    try:
        resolve_policy(store)
    except InputError as error:
        return f"{page_text(error.message).text.rstrip('.')}."
    return ""


def publication_question(store: Store) -> str:
    """The question of a published folder, which also asks where the choice on record is an assessor."""
    if assessor := recorded_labellers(store).assessor:
        return f"The recorded choice is {visible_line(assessor)}; a published folder needs a policy."
    return policy_question(store)


def policy_options(store: Store) -> Mapping[str, str]:
    """The choice on record first, if there is one; then the policies, "primary" first."""
    words = _recorded_choice_title(store)
    first = {"": f"the recorded choice: {words}"} if words else {}
    return first | {name: policy_title(name) for name in applicable_policies(store)}


def publishable_policies(store: Store) -> Mapping[str, str]:
    """The options without a recorded assessor, whom a published folder cannot declare as its policy."""
    options = policy_options(store)
    return {name: words for name, words in options.items() if name or not recorded_labellers(store).assessor}


def _recorded_choice_title(store: Store) -> str:
    recorded = recorded_labellers(store)
    if recorded.assessor:
        return f"labels of {visible_line(recorded.assessor)}"
    return policy_title(recorded.policy) if recorded.policy else ""


POLICY_CHOICE = Choice("policy", POLICY.label, policy_options, question=policy_question)
PUBLISHED_POLICY = POLICY_CHOICE._replace(options=publishable_policies, question=publication_question)
