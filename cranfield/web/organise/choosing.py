"""Whose labels count if assessors disagree: the choice in force, and the form that records another one."""

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield.errors import InputError
from cranfield.judging.labels.choice import undecided_pairs
from cranfield.judging.labels.policies import applicable_policies
from cranfield.judging.labels.recorded import record_label_choice
from cranfield.report.blocks import TableBlock
from cranfield.selection import Labellers
from cranfield.store.assignments import first_assessors
from cranfield.store.label_choice import LabelChoice, label_choices
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import ENGLISH, Language, translatable
from cranfield.web.look.times import time_cell
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest
from cranfield.web.policy_titles import policy_title

MAX_REASON_CHARS = 500
POLICY, ASSESSOR = "policy", "assessor"  # a field is "policy max" or "assessor ada"


def choice_title(labellers: Labellers, language: Language = ENGLISH) -> str:
    """Return what pages call a recorded choice.

    >>> choice_title(Labellers("ada")), choice_title(Labellers(policy="max")), choice_title(Labellers())
    ('labels of ada', 'highest label', 'no choice')
    """
    if labellers.assessor:
        return language.gettext("labels of %(name)s", name=visible_line(labellers.assessor))
    return policy_title(labellers.policy, language) if labellers.policy else language.gettext("no choice")


def parse_choice(field: str) -> Labellers:
    """Read the field of the form; empty withdraws the choice.

    >>> parse_choice("policy max").policy, parse_choice("assessor ada lovelace").assessor, parse_choice("").assessor
    ('max', 'ada lovelace', None)
    """
    kind, _, name = field.partition(" ")
    if field and (kind not in (POLICY, ASSESSOR) or not name):
        raise InputError(f"the choice is {field!r:.60}; expected an entry of the list")
    return Labellers(name if kind == ASSESSOR else None, policy=name if kind == POLICY else None)


def _values(request: SectionRequest) -> Mapping[str, Any]:
    store, made = request.store, label_choices(request.store)
    recorded = made[-1].labellers if made else Labellers()
    in_force = f"{ASSESSOR} {recorded.assessor}" if recorded.assessor else ""
    in_force = f"{POLICY} {recorded.policy}" if recorded.policy else in_force
    policies = dict.fromkeys([*applicable_policies(store), *filter(None, [recorded.policy])])
    listed = [name for name, kind in assessors(store).items() if kind != "repeat"]
    people = dict.fromkeys([*listed, *filter(None, [recorded.assessor])])
    rows = [_choice_row(one, request) for one in reversed(made)]
    return {
        "state": _state_text(store, recorded, request.language),
        "follows_assignments": not in_force and bool(first_assessors(store)),
        "policies": {f"{POLICY} {name}": policy_title(name, request.language) for name in policies},
        "people": {f"{ASSESSOR} {name}": name for name in people},
        "chosen": request.field("choice", in_force),
        "reason": request.field("reason"),
        "newest": _newest_number(made),
        "longest": MAX_REASON_CHARS,
        "choices": TableBlock("choices", translatable("Recorded choices, newest first"), rows) if rows else None,
    }


def _newest_number(choices: Sequence[LabelChoice]) -> int:
    return choices[-1].number if choices else 0


def _choice_row(one: LabelChoice, request: SectionRequest) -> dict[str, Any]:
    title = choice_title(one.labellers, request.language)
    return {"choice": title, "recorded": time_cell(one.at, request.moment, language=request.language),
            "reason": visible_line(one.reason)}  # fmt: skip


def _state_text(store: Store, recorded: Labellers, language: Language) -> str:
    if recorded.assessor or recorded.policy:
        return language.gettext("The recorded choice: %(choice)s.", choice=choice_title(recorded, language))
    if not (number := len(undecided_pairs(store).items)):
        return language.gettext("No choice is recorded, and no document needs one.")
    return language.ngettext(
        "No choice is recorded, and %(num)s document needs one.",
        "No choice is recorded, and %(num)s documents need one.",
        number,
    )


def _record(store: Store, fields: Fields, base: str, language: Language) -> Done:
    if "choice" not in fields:
        raise InputError("the field choice is missing; expected an entry of the list")
    chosen, reason = parse_choice(fields["choice"]), fields.get("reason", "").strip()
    if len(reason) > MAX_REASON_CHARS:
        raise InputError(f"the reason has {len(reason):,} characters; expected at most {MAX_REASON_CHARS}")
    with store.writing():  # another program cannot record a choice between the check and the record
        made = label_choices(store)
        recorded, last_reason = (made[-1].labellers, made[-1].reason) if made else (Labellers(), "")
        if chosen != recorded or reason not in ("", last_reason):
            if fields.get("newest", newest := str(_newest_number(made))) != newest:
                typed = {"choice": fields["choice"], "reason": reason}
                return Done(_newer_choice_text(recorded, language), wrong=True, fields=typed)
            record_label_choice(store, assessor=chosen.assessor, policy=chosen.policy, reason=reason)
    return Done(language.gettext("Recorded: %(choice)s.", choice=choice_title(chosen, language)))


def _newer_choice_text(recorded: Labellers, language: Language) -> str:
    if not (recorded.assessor or recorded.policy):
        return language.gettext(
            "The recorded choice was withdrawn after you opened this page. Send the form again to record yours."
        )
    return language.gettext(
        '"%(choice)s" was recorded after you opened this page. Send the form again to replace it.',
        choice=choice_title(recorded, language),
    )


CHOOSING = OrganiserSection(
    translatable("Whose labels count"), "organise_choice.html", _values, entry=translatable("Disagreements")
)
CHOOSE = Form(_record, after="choice", back="choice")
