"""Erasing a person on a page: what would be lost, and the erasure, with the functions of the command line."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple
from warnings import catch_warnings, simplefilter

from cranfield import hooks
from cranfield.commands.stores import erase
from cranfield.errors import CranfieldError, InputError
from cranfield.features.organising.jobs import JobOutcome, browser_text
from cranfield.report.blocks import TableBlock
from cranfield.store.connection import DatabaseError
from cranfield.store.log import assessors
from cranfield.store.reading import OpenStores, Reading, SelectedPlace
from cranfield.store.store import Store
from cranfield.text import counted, visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.view import has_rows
from cranfield.web.organise.section import LONGEST, Fields, OrganiserSection, SectionRequest

PersonKind = Literal["assessor", "user"]
ASSESSOR: PersonKind = "assessor"
USER: PersonKind = "user"
MAX_REASON_CHARS = 500
TABLE_WORDS = {  # the rows of a table in which something is erased
    "assessor": translatable("name of the assessor"),
    "judgment_event": translatable("events with notes, reasons, marked passages and times"),
    "criterion": translatable("criteria of topics"),
    "origin": translatable("name in an imported bundle"),
    "release": translatable("releases with the name"),
    "impression": translatable("lists of the interaction log"),
    "question": translatable("questions about the work"),
    "message": translatable("messages"),
    "preference_event": translatable("preferences with reasons, notes and times"),
    "search_event": translatable("search queries"),
    "candidate_event": translatable("candidate topics with texts and reasons"),
    "nugget_edit": translatable("times of nugget edits"),
    "nugget_event": translatable("labels of nuggets with reasons, notes and times"),
    "support_event": translatable("labels of support with reasons, notes and times"),
    "comparison_event": translatable("answer comparisons with reasons, notes and times"),
    "correctness_event": translatable("labels of correctness with reasons, notes and times"),
    "rubric_event": translatable("labels of rubrics with reasons, notes and times"),
    "claim_event": translatable("labels of claims with reasons, notes and times"),
}


class ErasureRequest(NamedTuple):
    """Who is to be erased, and why."""

    kind: PersonKind
    name: str
    reason: str


class ErasureForecast(NamedTuple):
    """The rows that an erasure would change, as a table for a page; or why it is not possible."""

    table: TableBlock | None
    wrong: str = ""

    def translate_rows(self, language: Language) -> "ErasureForecast":
        """Return the table with what its rows say in a language."""
        if self.table is None:
            return self
        rows = [{**row, "erased": language.translate_message(row["erased"])} for row in self.table.rows]
        return self._replace(table=self.table._replace(rows=rows))


def erasure_request(fields: Fields) -> ErasureRequest:
    """Read the form; raise InputError if a field is invalid."""
    chosen, name, reason = fields.get("kind", ASSESSOR), fields.get("name", ""), fields.get("reason", "").strip()
    if (kind := next((one for one in (ASSESSOR, USER) if one == chosen), None)) is None:
        raise InputError(f"the kind of person is {chosen!r:.60}; expected {ASSESSOR} or {USER}")
    if not name:
        raise InputError("no person was chosen; choose one from the list")
    if len(name) > LONGEST:
        raise InputError(f"the name has {len(name):,} characters; expected at most {LONGEST}")
    if not reason:
        raise InputError("the reason is missing; give a reason that does not name the person")
    if len(reason) > MAX_REASON_CHARS:
        raise InputError(f"the reason has {len(reason):,} characters; expected at most {MAX_REASON_CHARS}")
    if name in reason:
        raise InputError("the reason contains the name; give a reason that does not name the person")
    return ErasureRequest(kind, name, reason)


def check_confirmation(request: ErasureRequest, typed: str) -> None:
    """Raise InputError unless the name was typed again."""
    if typed.strip() not in (request.name.strip(), visible_line(request.name)):
        raise InputError("the name typed to confirm is another one, so nothing was erased; start again")


def forecast_erasure(store: Store, request: ErasureRequest) -> ErasureForecast:
    """Work out what an erasure would change; nothing is kept of it."""
    try:
        with catch_warnings():
            simplefilter("ignore")
            result = erase(_place(store), request.kind, request.name, reason=request.reason, dry_run=True)
    except (CranfieldError, DatabaseError, OSError) as error:
        return ErasureForecast(None, _page_text(store, str(error)))
    rows = [{"erased": _table_words(row["table"]), "rows": row["rows"]} for row in result.rows()]
    return ErasureForecast(TableBlock("erased", translatable("Data to erase, with the number of rows"), rows))


def erase_person(store: Store, request: ErasureRequest) -> JobOutcome:
    """Erase a person's data."""
    result = erase(_place(store), request.kind, request.name, reason=request.reason)
    number = sum(row["rows"] for row in result.rows())
    (new,) = store.rows("SELECT name FROM erasure ORDER BY id DESC LIMIT 1")[0]
    kept = f"The labels are kept under the name {new}." if request.kind == ASSESSOR else "The lists are kept."
    message = f"The data of {visible_line(request.name)} were erased, in {counted(number, 'row')}. {kept}"
    return JobOutcome(message, [_page_text(store, note) for note in result.notes])


def _place(store: Store) -> SelectedPlace:
    return Reading(stores=OpenStores()).select_place(store)


def _page_text(store: Store, text: str) -> str:
    folder = Path(store.path).parent
    return browser_text(text.replace(f"{folder}/", "") if folder != Path() else text)


def _table_words(table: str) -> str:
    return TABLE_WORDS.get(table) or f"{table.replace('_', ' ')} rows"


def _values(request: SectionRequest) -> Mapping[str, Any]:
    store = request.store
    erased = {name for (name,) in store.rows("SELECT name FROM erasure")}
    people = [name for name, kind in assessors(store).items() if kind == "human" and name not in erased]
    kinds = dict(hooks.collect_from_extensions(lambda extension: extension.erasers().items()))
    return {
        "people": people,
        "has_users": USER in kinds and store.has_rows("impression"),
        "longest": MAX_REASON_CHARS,
        "asked": None,
        "forecast": None,
    }


ERASING = OrganiserSection(
    translatable("Erase a person's data"),
    "organising/erase.html",
    _values,
    entry=translatable("Deliver"),
    group=translatable("Results"),
    has_data=has_rows("topic"),
)
