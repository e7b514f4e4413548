"""The policies to choose from if labels differ: the names and the default of the command line."""

from collections.abc import Mapping

from cranfield.judging.labels.choice import undecided_pairs
from cranfield.judging.labels.policies import offered_policies
from cranfield.store.label_choice import recorded_choice
from cranfield.store.store import Store
from cranfield.text import counted, visible_line
from cranfield.web.look.labels import POLICY
from cranfield.web.organise.download import Choice


def policy_options(store: Store) -> Mapping[str, str]:
    """The choice on record first, if there is one; then the policies, "primary" first."""
    recorded = recorded_choice(store)
    whose = f"labels of {visible_line(recorded.assessor)}" if recorded.assessor else recorded.policy
    first = {"": f"the recorded choice: {whose}"} if whose else {}
    return first | {name: name for name in offered_policies(store)}


def publishable_policies(store: Store) -> Mapping[str, str]:
    """The options without a recorded assessor, whom a published folder cannot declare as its policy."""
    options = policy_options(store)
    return {name: words for name, words in options.items() if name or not recorded_choice(store).assessor}


def policy_hint(store: Store) -> str:
    """The number of documents whose label depends on the policy; empty if a choice is on record, or there are none."""
    number = 0 if "" in policy_options(store) else len(undecided_pairs(store).items)
    differ = f"{counted(number, 'document')} {'has' if number == 1 else 'have'} different labels"
    return f"{differ}; the policy decides which label counts." if number else ""


POLICY_CHOICE = Choice("policy", POLICY.label, policy_options, policy_hint)
PUBLISHED_POLICY = POLICY_CHOICE._replace(options=publishable_policies)
