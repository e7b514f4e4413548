"""How much is done, how long the rest takes, how far assessors agree, and what is unusual or needs attention."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from cranfield import hooks
from cranfield.analysis.labels import DOCUMENTS, kinds_of_labels
from cranfield.judging.planning.checks import CHECKS, Check, Finding
from cranfield.judging.planning.forecast import WorkForecast, forecast_work
from cranfield.judging.planning.label_work import (
    LabelWork,
    label_work,
    label_work_notes,
    labeller_rows,
    possible_label_work,
)
from cranfield.judging.planning.overview import (
    DISAGREEMENTS,
    Attention,
    Working,
    absence_notes,
    disagreement_notes,
    label_notes,
    topic_notes,
    working_people,
)
from cranfield.judging.planning.progress import Progress, pool_progress_row, progress_of
from cranfield.judging.planning.sections import pace_rows, topic_states
from cranfield.report.blocks import TableBlock, rounded_cell
from cranfield.store.invitations import invitations
from cranfield.store.log import assessors, last_signs
from cranfield.store.pools import newest_pool_to_judge
from cranfield.store.store import Store
from cranfield.web.language import Language, translatable
from cranfield.web.look.agreement import agreement_blocks, compared_matrix, is_compared
from cranfield.web.look.judging import (
    NOBODY_JUDGES,
    labelled_pool_text,
    labelling_table,
    people_rows,
    people_table,
)
from cranfield.web.look.page_text import set_up_link
from cranfield.web.look.view import address, has_only_unranked_runs, has_rows
from cranfield.web.organise.section import OrganiserSection, SectionRequest, ViewTable, view_table

LACKING_TEXTS = {  # by the step of the set-up
    "documents": translatable("Documents cannot be judged yet, because the collection has no documents."),
    "topics": translatable("Documents cannot be judged yet, because the collection has no topics."),
    "runs": translatable("Documents cannot be judged yet, because the collection has no runs."),
    "pool": translatable("Documents cannot be judged yet, because the collection has no pool."),
}
MOST = 12  # lines of what needs attention; the pages behind have all


def _values(request: SectionRequest) -> Mapping[str, Any]:
    store, moment = request.store, request.moment
    state = progress_of(store)
    pace = pace_rows(state)
    forecast, people = forecast_work(state, moment, pace), working_people(last_signs(store), state.kinds, pace, moment)
    possible = possible_label_work(store)
    work = label_work(store, moment, possible)
    lines = list(_attention_lines(request, state, people, label_work_notes(work, possible)))
    row = pool_progress_row(store) if newest_pool_to_judge(store) else None
    is_whole_pool = row is not None and state.others and not state.planned
    done = _done_in_pool(row, request.language) if row and is_whole_pool else _done_in_work(forecast, request.language)
    judges = bool(done.documents) or not possible
    lacking = find_lacking_step(store)
    return {
        "lacking": LACKING_TEXTS[lacking] if lacking else "",
        "remedy": set_up_link(lacking) if lacking else None,
        "collection": store.collection.name,
        "judges": judges,
        "documents": done.documents,
        "given": done.given,
        "done_share": f"{done.given / done.documents:.0%}" if done.documents else "",
        "of": done.text,
        "pool": labelled_pool_text(row, request.language) if row and not is_whole_pool else "",
        "hours": done.left,
        "days": forecast.date_in_words,
        "without": forecast.reasons_in_words,
        "lines": [(one.text, _attention_address(one)) for one in lines[:MOST]],
        "more": len(lines) - MOST,
        "label_work": [_done_in_label_work(one, request.language) for one in work],
        "tables": [
            *(
                [
                    ViewTable(
                        "people",
                        people_table(people_rows(store, state, moment), moment, done.empty_note, request.language),
                    )
                ]
                if judges
                else []
            ),
            *([ViewTable("labelling", labelling_table(labeller_rows(work), moment, request.language))] if work else []),
        ],
    }


def find_lacking_step(store: Store) -> str:
    """Return the first missing step of the set-up that judging needs; empty if none is missing.

    A pool is made from runs, so a store with runs lacks only the pool, even if it has no texts of documents.
    """
    if newest_pool_to_judge(store) or has_only_unranked_runs(store):
        return ""
    if store.last_row_number("run"):
        return "pool"
    return next((step for step in ("document", "topic") if not store.count_added(step)), "run") + "s"


def _done_in_label_work(work: LabelWork, language: Language) -> Mapping[str, Any]:
    """A kind of labels: how much of it people have labelled, and what is left."""
    share = f"{100 * work.labelled_by_people // work.items}%" if work.items else ""
    numbers = {"people": f"{work.labelled_by_people:,}", "models": f"{work.labelled_by_models:,}"}
    text = (
        language.ngettext(
            "%(people)s of %(num)s item by people, %(models)s only by models",
            "%(people)s of %(num)s items by people, %(models)s only by models",
            work.items,
            **numbers,
        )
        if work.labelled_by_models
        else language.ngettext(
            "%(people)s of %(num)s item by people", "%(people)s of %(num)s items by people", work.items, **numbers
        )
    )
    return {
        "title": language.look_up(work.task.capitalize()),
        "items": work.items,
        "given": work.labelled_by_people,
        "share": share,
        "of": text,
    }


class _Done(NamedTuple):
    """The documents to judge, those done, both in words, and what is left; `empty_note` stands for an empty table."""

    documents: int
    given: int
    text: str
    left: str
    empty_note: str = NOBODY_JUDGES


def _done_in_work(forecast: WorkForecast, language: Language) -> _Done:
    if not forecast.total:
        return _Done(0, 0, language.gettext("there are no documents to judge yet"), "")
    text = language.ngettext(
        "%(given)s of %(num)s label by people",
        "%(given)s of %(num)s labels by people",
        forecast.total,
        given=format(forecast.given, ","),
    )
    return _Done(forecast.total, forecast.given, text, forecast.hours_in_words)


def _done_in_pool(row: Mapping[str, Any], language: Language) -> _Done:
    """The newest pool, which each person judges whole where no topic is assigned, whatever models labelled."""
    documents, given = row["documents"], row["people"]
    unlabelled = language.ngettext(
        "%(num)s document without a human label", "%(num)s documents without a human label", documents - given
    )
    left = unlabelled if given < documents else language.gettext("nothing is left")
    empty_note = language.ngettext(
        "No topic is assigned, so each assessor judges the whole pool (%(num)s document).",
        "No topic is assigned, so each assessor judges the whole pool (%(num)s documents).",
        documents,
    )
    return _Done(documents, given, labelled_pool_text(row, language), left, empty_note)


def _now(request: SectionRequest) -> Mapping[str, Any]:
    """Who is judging at this moment."""
    signs = last_signs(request.store)
    for name, at in hooks.collect_from_extensions(lambda extension: extension.last_signs(request.store).items()):
        signs[name] = max(at, signs.get(name, ""))
    people = working_people(signs, assessors(request.store), (), request.moment)
    return {"now": ", ".join(one.assessor for one in people if one.now) or request.language.gettext("nobody")}


def _attention_lines(
    request: SectionRequest, state: Progress, people: list[Working], notes: Iterator[Attention]
) -> Iterator[Attention]:
    topics = topic_notes(topic_states(request.store, request.moment))
    yield from (one for one in topics if one.about != "pool")
    yield from hooks.collect_from_extensions(lambda extension: extension.attention(request.store))
    yield from notes
    links = invitations(request.store)
    yield from absence_notes(people, links, request.moment)
    yield from disagreement_notes(state, links, request.moment)
    yield from label_notes(state)


def _attention_address(one: Attention) -> str:
    """Where something can be done about it."""
    if one.about == DISAGREEMENTS:
        return address("disputes")
    return f"/organise/{one.about}" + (f"#{quote(one.place)}" if one.place else "")


OVERVIEW = OrganiserSection(
    translatable("Judging"),
    "organise_overview.html",
    _values,
    entry=translatable("Overview"),
    heavy=True,
    live=_now,
    group=translatable("Overview"),
)


TABLES = {
    "agreement": translatable("No document has been labelled by two people yet."),
    "repeats": translatable(
        "No documents are shown twice; to repeat documents, set Repeats when you share out topics."
    ),
    "drift": translatable("No topic has nine labels yet."),
}


def _values_agreement(request: SectionRequest) -> Mapping[str, Any]:
    """Each kind of labels that two people gave, and what else is known of labels of documents, if there are any."""
    store = request.store
    every = {kind: compared_matrix(store, kind) for kind in kinds_of_labels()}
    compared = {kind: matrix for kind, matrix in every.items() if is_compared(matrix)}
    tables = [
        ViewTable(
            "pairs",
            agreement_blocks(matrix, kind, request.language),
            {"of": kind},
            request.language.gettext("Agreement on %(kind)s", kind=request.language.look_up(kind)),
        )
        for kind, matrix in (compared or {DOCUMENTS: every[DOCUMENTS]}).items()
    ]
    if DOCUMENTS in compared or not compared:
        tables += [view_table(store, name, empty, request.language) for name, empty in TABLES.items()]
    return {"tables": tables}


def _has_two_labellers(store: Store) -> bool:
    return sum(kind in ("human", "model", "panel") for kind in assessors(store).values()) > 1


AGREEING = OrganiserSection(
    translatable("Agreement"),
    "organise_tables.html",
    _values_agreement,
    entry=translatable("Agreement"),
    heavy=True,
    has_data=_has_two_labellers,
)


def _values_checks(request: SectionRequest) -> Mapping[str, Any]:
    state = progress_of(request.store)
    checks = [(_check_row(check, request.language), list(check.find(state))) for check in CHECKS.values()]
    return {
        "found": [(about, _findings_table(about, rows, request.language)) for about, rows in checks if rows],
        "nothing": [about for about, rows in checks if not rows],
        "has_labels": any(state.labels(name) for name in state.standing),
    }


def _check_row(check: Check, language: Language) -> dict[str, str]:
    texts = {"title": check.title, "rule": check.rule, "reasons": check.reasons}
    return {"name": check.name, **{part: language.look_up(text) for part, text in texts.items()}}


def _findings_table(about: Mapping[str, str], rows: Sequence[Finding], language: Language) -> TableBlock:
    return TableBlock(f"{about['name']}-found", "", [_finding_row(one, language) for one in rows])


def _finding_row(finding: Finding, language: Language) -> dict[str, Any]:
    return {
        "assessor": finding.assessor,
        "topic": finding.topic or language.gettext("all"),
        "found": language.translate_message(finding.found),
        "labels": rounded_cell(finding.labels, 0),
    }


CHECKED = OrganiserSection(
    translatable("What is unusual"),
    "organise_checks.html",
    _values_checks,
    entry=translatable("Unusual"),
    heavy=True,
    has_data=has_rows("judgment_event"),
)
