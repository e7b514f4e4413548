"""Whose labels a page counts: the parameters that choose, and what the page says while nothing is chosen."""

from collections.abc import Sequence

from cranfield.judging.labels.choice import MAX_NAMES, Undecided, resolve_labellers
from cranfield.judging.labels.policies import applicable_policies
from cranfield.report.blocks import Block, Text
from cranfield.selection import POLICY_NAMES, LabelledBy, Labellers
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.web.language import Language, translatable
from cranfield.web.look.view import Parameter, Query, QueryError, link_line, short_text
from cranfield.web.policy_titles import policy_title

CHOICE_PAGE = "/organise/choice"  # the organiser's page that records whose labels count
NOT_A_CHOICE = translatable("%(name)s is %(value)s; expected one of %(choices)s")


def choice_parameter(name: str, label: str, choices: Sequence[str]) -> Parameter:
    """One of a few words, by default the first."""

    def read(store: Store, text: str) -> str:
        if text not in choices:
            raise QueryError(NOT_A_CHOICE, name=name, value=short_text(text), choices=", ".join(choices))
        return text

    return Parameter(name, label, read, lambda store: choices[0], lambda store: choices)


LABELS = choice_parameter(
    "labels", translatable("Labels by"), [LabelledBy.all.value, LabelledBy.people.value, LabelledBy.models.value]
)


def _labeller(store: Store, text: str) -> str | None:
    if text and text not in assessors(store):
        raise QueryError(translatable("no assessor %(name)s in this store"), name=short_text(text))
    return text or None


def _policy(store: Store, text: str) -> str | None:
    if text and text not in (offered := applicable_policies(store)):
        raise QueryError(NOT_A_CHOICE, name="policy", value=short_text(text), choices=", ".join(offered))
    return text or None


ASSESSOR = Parameter(
    "assessor",
    translatable("Labels of one assessor"),
    _labeller,
    choices=lambda store: ["", *(name for name, kind in assessors(store).items() if kind != "repeat")],
    nothing=translatable("all"),
)
POLICY = Parameter(
    "policy",
    translatable("Where labels differ"),
    _policy,
    choices=lambda store: ["", *applicable_policies(store)],
    nothing=translatable("the store's choice"),
    title_of=policy_title,
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
        text = _choice_in_words(query.language, counting, is_recorded=counting != labellers)
        return [Text(text)] if text else []
    language = query.language
    others = [language.gettext("others")] if len(undecided.names) > MAX_NAMES else []
    names = ", ".join([*undecided.names[:MAX_NAMES], *others])
    number = len(undecided.items)
    differ = (
        language.ngettext(
            "%(num)s topic has different labels, and no choice is recorded. Assessors: %(names)s.",
            "%(num)s topics have different labels, and no choice is recorded. Assessors: %(names)s.",
            number,
            names=names,
        )
        if noun == "topic"
        else language.ngettext(
            "%(num)s document has different labels, and no choice is recorded. Assessors: %(names)s.",
            "%(num)s documents have different labels, and no choice is recorded. Assessors: %(names)s.",
            number,
            names=names,
        )
    )
    sentences = [differ, language.look_up(shown), language.gettext("Choose:")]
    return [Text(" ".join(filter(None, sentences))), choice_links(query, undecided.names)]


KINDS_OF_LABELS = {
    LabelledBy.people: translatable("Only labels by people are counted."),
    LabelledBy.models: translatable("Only labels by models are counted."),
}


def _choice_in_words(language: Language, counting: Labellers, is_recorded: bool) -> str:
    """Whose grades the page shows; empty if all labels are counted."""
    if counting.assessor is not None:
        if is_recorded:
            return language.gettext("Grades by %(name)s, the store's choice.", name=counting.assessor)
        return language.gettext("Grades by %(name)s.", name=counting.assessor)
    if counting.policy is not None:
        title = policy_title(counting.policy, language)
        if is_recorded:
            return language.gettext("Grades by policy: %(name)s (the store's choice).", name=title)
        return language.gettext("Grades by policy: %(name)s.", name=title)
    return language.look_up(KINDS_OF_LABELS.get(counting.kind, ""))


def choice_links(query: Query, names: Sequence[str]) -> Block:
    """Links to the same page by the labels of one assessor, or by a policy."""
    language = query.language
    by_name = [
        (language.gettext("labels by %(name)s", name=name), query.address(assessor=name)) for name in names[:MAX_NAMES]
    ]
    by_policy = [(policy_title(name, language), query.address(policy=name)) for name in POLICY_NAMES]
    return link_line([*by_name, *by_policy, (language.gettext("record a choice for all pages"), CHOICE_PAGE)])
