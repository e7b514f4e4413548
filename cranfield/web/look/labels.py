"""Whose labels a page counts: the parameters that choose, and what the page says while nothing is chosen."""

from collections.abc import Sequence

from cranfield.judging.labels.choice import MAX_NAMES, Undecided, resolve_labellers
from cranfield.report.blocks import Block, Text
from cranfield.selection import POLICY_NAMES, LabelledBy, Labellers
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import counted, join_words
from cranfield.web.look.view import Parameter, Query, QueryError, link_line, short_text


def choice(name: str, label: str, choices: Sequence[str]) -> Parameter:
    """One of a few words, by default the first."""

    def read(store: Store, text: str) -> str:
        if text not in choices:
            raise QueryError(f"{name} is {short_text(text)}; expected one of {', '.join(choices)}")
        return text

    return Parameter(name, label, read, lambda store: choices[0], lambda store: choices)


LABELS = choice("labels", "Labels by", [LabelledBy.all.value, LabelledBy.people.value, LabelledBy.models.value])


def _labeller(store: Store, text: str) -> str | None:
    if text and text not in assessors(store):
        raise QueryError(f"no assessor {short_text(text)} in this store")
    return text or None


def _policy(store: Store, text: str) -> str | None:
    if text and text not in POLICY_NAMES:
        raise QueryError(f"policy is {short_text(text)}; expected one of {', '.join(POLICY_NAMES)}")
    return text or None


ASSESSOR = Parameter(
    "assessor",
    "Labels of one assessor",
    _labeller,
    choices=lambda store: ["", *(name for name, kind in assessors(store).items() if kind != "repeat")],
    nothing="all",
)
POLICY = Parameter(
    "policy", "Where labels differ", _policy, choices=lambda store: ["", *POLICY_NAMES], nothing="not chosen"
)
WHOSE = (LABELS, ASSESSOR, POLICY)


def labellers_in(query: Query) -> Labellers:
    """Whose labels a query chooses."""
    return Labellers(query["assessor"], LabelledBy(query["labels"]), query["policy"])


def label_parameters(query: Query) -> dict[str, str]:
    """The parameters of an address that choose labels, for the addresses of other pages."""
    return {one.name: query.explicit[one.name] for one in WHOSE if one.name in query.explicit}


def label_choice_blocks(
    store: Store, query: Query, undecided: Undecided, shown: str = "", noun: str = "document"
) -> list[Block]:
    """Whose labels differ, what the page shows instead of their grades, and links that choose; else the choice."""
    if not undecided.items:
        labellers = labellers_in(query)
        counting = resolve_labellers(store, labellers)
        recorded = ", the store's choice" if counting != labellers else ""
        if counting.assessor is not None:
            return [Text(f"Grades by {counting.assessor}{recorded}.")]
        if counting.policy is not None:
            return [Text(f"Grades by the policy {counting.policy}{recorded}.")]
        return [Text(f"Grades by {counting.kind}.")] if counting.kind is not LabelledBy.all else []
    several = counted(len(undecided.items), noun)
    few = [*undecided.names[:MAX_NAMES], *(["others"] if len(undecided.names) > MAX_NAMES else [])]
    has = "has" if len(undecided.items) == 1 else "have"
    text = f"{several} {has} different labels by {join_words(few)}, and nothing says which count"
    return [Text(f"{text}{shown and f'; {shown}'}. Choose:"), choice_links(query, undecided.names)]


def choice_links(query: Query, names: Sequence[str]) -> Block:
    """Links to the same page by the labels of one assessor, or by a policy."""
    by_name = [(f"labels by {name}", query.address(assessor=name)) for name in names[:MAX_NAMES]]
    return link_line([*by_name, *((f"policy {name}", query.address(policy=name)) for name in POLICY_NAMES)])
