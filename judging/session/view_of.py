"""The view of a session: what its parts amount to on the screen, every text made safe."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.judging.labels.evidence import loaded
from cranfield.judging.labels.pairs import pair_of
from cranfield.judging.session.assessor_state import AssessorState
from cranfield.judging.session.on_screen import OnScreen
from cranfield.judging.session.pace import Pace
from cranfield.judging.session.repeats import bare
from cranfield.judging.session.view import (
    CriterionShown,
    PastDecision,
    Position,
    RecentDecision,
    View,
    in_words,
    safe_document,
    safe_topic,
)
from cranfield.judging.session.worklist import Worklist
from cranfield.store.events import Event
from cranfield.store.log import criteria
from cranfield.store.store import Store
from cranfield.text import visible, visible_line


def look(
    store: Store,
    assessor: str,
    grades: Mapping[int, str],
    work: Worklist,
    ledger: AssessorState,
    desk: OnScreen,
    pace: Pace,
) -> View:
    """What is on the screen now."""
    pair, draft = desk.pair, ledger.draft(desk.pair)
    total = work.counts(work.topics)
    last = ledger.done[-1] if ledger.done else None
    return View(
        topic=safe_topic(work.topics[pair[0]]) if pair else None,
        document=safe_document(desk.document) if desk.document else None,
        grades=grades,
        position=work.place(pair) if pair else Position(0, 0),
        overall=work.overall(pair) if pair else Position(0, sum(total)),
        counts=work.counts([pair[0]] if pair else []),
        total=total,
        last=decision_of(last, work, grades) if last and pair_of(last) != pair else None,
        can_undo=bool(ledger.done),
        can_redo=bool(ledger.undone),
        note=visible(draft.note),
        unsure=draft.unsure,
        evidence=tuple(visible(one.quote) for one in loaded(draft)),
        criteria=_diary(store, pair[0], assessor) if pair else (),
        terms=visible_line(desk.terms),
        docno_shown=desk.docno_shown,
        eta=pace.left(ledger.timed, total.remaining + total.later),
    )


def decision_of(event: Event, work: Worklist, grades: Mapping[int, str]) -> PastDecision:
    """A decision as it may be shown."""
    return PastDecision(visible_line(event.qid), work.place(pair_of(event)).number, in_words(event, grades))


def recalled(event: Event, work: Worklist, grades: Mapping[int, str], store: Store) -> RecentDecision:
    """A decision as it is listed."""
    title = store.document(bare(event.docno)).title
    return RecentDecision(decision_of(event, work, grades), visible_line(title), visible_line(event.note))


def _diary(store: Store, qid: str, assessor: str) -> tuple[CriterionShown, ...]:
    return tuple(CriterionShown(one.at[:10], visible_line(one.text)) for one in criteria(store, qid, assessor))
