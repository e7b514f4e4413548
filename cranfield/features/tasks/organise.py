"""The organiser's page of a task: its phase, its teams and their links, and what was submitted."""

from collections.abc import Mapping
from typing import Any

from cranfield.errors import StoreError
from cranfield.features.tasks.description import PHASE_WORDS, TEMPLATE, change_of_phase
from cranfield.features.tasks.description_facts import description_facts
from cranfield.features.tasks.store import (
    begin_phase,
    describe,
    description_text,
    invite_team,
    phase,
    revoke_team,
    task_dates,
    task_of,
)
from cranfield.features.tasks.submissions import equal_priorities, submission_rows, take_runs, team_rows
from cranfield.features.tasks.unsettled import unsettled_lines
from cranfield.features.tasks.withdrawing import decide_request, request_rows, withdrawal_requests
from cranfield.report.blocks import TableBlock, as_sentence
from cranfield.store.store import Store
from cranfield.web.language import Language, translatable
from cranfield.web.look.page_text import page_text
from cranfield.web.look.view import has_rows
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest, parse_name_field
from cranfield.web.translated_blocks import translate_cells


def _values(request: SectionRequest) -> Mapping[str, Any]:
    if not description_text(request.store):
        return {"task": None, "template": TEMPLATE}
    task = task_of(request.store)
    current_phase, teams, rows = phase(request.store), team_rows(request.store), submission_rows(request.store)
    tables = list[TableBlock]()
    requests = withdrawal_requests(request.store)
    if requests:
        caption = translatable("Requests to withdraw a run after the task closed, newest first")
        tables.append(TableBlock("requests", caption, request_rows(request.store), cards=True))
    if teams:
        tables.append(TableBlock("teams", translatable("Teams"), teams, filter=translatable("teams")))
    if rows:
        caption = translatable("Submissions, newest first")
        shown = [row | {"received": f"{row['received']} UTC"} for row in reversed(rows)]
        tables.append(TableBlock("submissions", caption, shown, filter=translatable("submissions"), cards=True))
    return {
        "task": task,
        "described": [description_facts(task, task_dates(request.store), request.language)],
        "waiting": [one for one in requests if one.waits],
        "phase": current_phase,
        "about": request.language.look_up(PHASE_WORDS[current_phase]),
        "phases": {name: request.language.look_up(words) for name, words in PHASE_WORDS.items()},
        "typed": request.field("team"),
        "blocks": [translate_cells(request.language, one, "terms", "state", "kind") for one in tables],
    }


def _phase(store: Store, fields: Fields, base: str, language: Language) -> Done:
    new = fields.get("phase", "")
    if new not in PHASE_WORDS:
        raise StoreError(f"no phase {new!r:.60}; available: {', '.join(PHASE_WORDS)}")
    before = begin_phase(store, new, fields.get("reason", "").strip())
    ends = new in ("closed", "results")
    same = [f"{language.translate_message(text)}." for text in equal_priorities(store)] if ends else []
    names = take_runs(store) if ends else []
    added = language.ngettext(
        "Added %(num)s run to the collection.", "Added %(num)s runs to the collection.", len(names)
    )
    taken = [added] if names else []
    lines = [page_text(line) for line in unsettled_lines(store)] if ends else []
    unfinished = [as_sentence(language.translate_message(line.text)) for line in lines]
    begun = language.translate_message(as_sentence(change_of_phase(before, new)))
    links = dict.fromkeys(link for line in lines for link in line.links)
    return Done(" ".join([begun, *taken, *same, *unfinished]), remedies=tuple(links))


def _invite(store: Store, fields: Fields, base: str, language: Language) -> Done:
    name = parse_name_field(fields.get("team", ""))
    token = invite_team(store, name, fields.get("contact", "").strip())
    note = language.gettext("This is the new link for %(name)s. Copy it now, because it is shown only once.", name=name)
    return Done(note, f"{base}/team/enter/{token}", name)


def _revoke(store: Store, fields: Fields, base: str, language: Language) -> Done:
    name = parse_name_field(fields.get("revoke", ""))
    number = revoke_team(store, name)
    return Done(
        language.ngettext("%(num)s link of %(name)s revoked.", "%(num)s links of %(name)s revoked.", number, name=name)
    )


def _describe(store: Store, fields: Fields, base: str, language: Language) -> Done:
    task = describe(store, fields.get("text", "").replace("\r\n", "\n"))
    return Done(language.gettext("The task %(name)s was added. Invite the teams next.", name=task.name))


def _decide(store: Store, fields: Fields, base: str, language: Language) -> Done:
    team, _, tag = fields.get("request", "").partition("/")
    decision = fields.get("decision", "")
    if decision not in ("grant", "refuse"):
        raise StoreError(f"the decision is {decision!r:.60}; expected grant or refuse")
    one = decide_request(store, team, tag, grant=decision == "grant", reason=fields.get("reason", ""))
    words = language.gettext(
        "The request from %(team)s to withdraw run %(run)s is %(state)s.",
        team=one.team,
        run=one.tag,
        state=language.look_up(one.state),
    )
    return Done(words)


ACTIONS = {
    "task-describe": _describe,
    "task-phase": _phase,
    "task-invite": _invite,
    "task-revoke": _revoke,
    "task-decide": _decide,
}
FORMS = {name: Form(act, "task", "task") for name, act in ACTIONS.items()}
TASK = OrganiserSection(
    translatable("Task"),
    "tasks/organise.html",
    _values,
    entry=translatable("Task"),
    forms=FORMS,
    has_data=has_rows("task"),
)
