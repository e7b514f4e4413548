"""The organiser's page of a task: its phase, its teams and their links, and what was submitted."""

from collections.abc import Mapping
from typing import Any

from cranfield.errors import StoreError
from cranfield.features.tasks.description import PHASE_WORDS, change_of_phase
from cranfield.features.tasks.store import begin_phase, description_text, invite_team, phase, revoke_team, task_of
from cranfield.features.tasks.submissions import equal_priorities, submission_rows, take_runs, team_rows
from cranfield.features.tasks.unsettled import unsettled_lines
from cranfield.features.tasks.withdrawing import decide_request, request_rows, withdrawal_requests
from cranfield.report.blocks import TableBlock
from cranfield.store.store import Store
from cranfield.text import counted
from cranfield.web.organise.section import Done, Fields, Form, OrganiserSection, SectionRequest, name_in


def _values(request: SectionRequest) -> Mapping[str, Any]:
    if not description_text(request.store):
        return {"task": None}
    current_phase, teams, rows = phase(request.store), team_rows(request.store), submission_rows(request.store)
    tables = [TableBlock("teams", "Teams", teams, filter="teams")] if teams else []
    tables += (
        [TableBlock("submissions", "What was submitted, newest first", rows[::-1], filter="submissions")]
        if rows
        else []
    )
    requests = withdrawal_requests(request.store)
    if requests:
        caption = "Requests to withdraw a run after the close, newest first"
        tables.insert(0, TableBlock("requests", caption, request_rows(request.store)))
    return {
        "task": task_of(request.store),
        "waiting": [one for one in requests if one.waits],
        "phase": current_phase,
        "about": PHASE_WORDS[current_phase],
        "phases": PHASE_WORDS,
        "typed": request.field("team"),
        "blocks": tables,
    }


def _phase(store: Store, fields: Fields, base: str) -> Done:
    new = fields.get("phase", "")
    if new not in PHASE_WORDS:
        raise StoreError(f"no phase {new!r:.60}; available: {', '.join(PHASE_WORDS)}")
    before = begin_phase(store, new, fields.get("reason", "").strip())
    ends = new in ("closed", "results")
    same = [f"{text}." for text in equal_priorities(store)] if ends else []
    names = take_runs(store) if ends else []
    taken = [f"{counted(len(names), 'run')} taken into the collection."] if names else []
    unfinished = [f"{line}." for line in unsettled_lines(store)] if ends else []
    return Done(" ".join([f"{change_of_phase(before, new).capitalize()}.", *taken, *same, *unfinished]))


def _invite(store: Store, fields: Fields, base: str) -> Done:
    name = name_in(fields.get("team", ""))
    token = invite_team(store, name, fields.get("contact", "").strip())
    note = f"A link for {name}. It is shown once: copy it now."
    return Done(note, f"{base}/team/enter/{token}", name)


def _revoke(store: Store, fields: Fields, base: str) -> Done:
    name = name_in(fields.get("revoke", ""))
    return Done(f"{counted(revoke_team(store, name), 'link')} of {name} revoked.")


def _decide(store: Store, fields: Fields, base: str) -> Done:
    team, _, tag = fields.get("request", "").partition("/")
    decision = fields.get("decision", "")
    if decision not in ("grant", "refuse"):
        raise StoreError(f"the decision is {decision!r:.60}; expected grant or refuse")
    one = decide_request(store, team, tag, grant=decision == "grant", reason=fields.get("reason", ""))
    return Done(f"The withdrawal of run {one.tag} of {one.team} is {one.state}.")


ACTIONS = {"task-phase": _phase, "task-invite": _invite, "task-revoke": _revoke, "task-decide": _decide}
FORMS = {name: Form(act, "task", "task") for name, act in ACTIONS.items()}
TASK = OrganiserSection("Task", "tasks/organise.html", _values, entry="Task", forms=FORMS)
