"""What the organiser sees of models' labels: a verdict on each model and kind of labels, and one audit in full."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from cranfield.errors import CranfieldError, InputError, UndecidedError
from cranfield.features.models.analysis.audit import ModelAudit, as_document, audit, bias_row
from cranfield.features.models.extension import audited_kinds
from cranfield.report.blocks import Block, Cell, TableBlock, Text, rounded_cell
from cranfield.report.table import signed_cell
from cranfield.selection import MODELS
from cranfield.store.log import assessors
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.labels import NOT_A_CHOICE, POLICY, choice_links
from cranfield.web.look.page_text import page_text
from cranfield.web.look.view import LookView, Parameter, Query, QueryError, Row, address, link_line, short_text

SIGNS = {True: "yes", False: "no", None: "not known"}
INTRODUCTION = translatable(
    "People's labels of the same items show what a model's labels can be used for: the order of the runs, mean scores,"
    " or single labels."
)


def model_names(store: Store) -> list[str]:
    """Return the models and panels that have labels of their own."""
    return [name for name, kind in assessors(store).items() if kind in MODELS]


def labelled_kinds(store: Store, model: str) -> list[str]:
    """Return the kinds of labels that a model gave."""
    return [name for name, kind in audited_kinds().items() if kind.panel and kind.panel.labels(store, model)]


def _kind(store: Store, text: str) -> str:
    if text not in audited_kinds():
        raise QueryError(NOT_A_CHOICE, name="of", value=short_text(text), choices=", ".join(audited_kinds()))
    return text


def _model(store: Store, text: str) -> str:
    if text not in model_names(store):
        raise QueryError(translatable("no model %(name)s in this store"), 404, name=short_text(text))
    return text


def _person(store: Store, text: str) -> str:
    if text not in _people(store):
        raise QueryError(translatable("no person %(name)s in this store"), 404, name=short_text(text))
    return text


def _people(store: Store) -> list[str]:
    return [name for name, kind in assessors(store).items() if kind not in (*MODELS, "repeat")]


def _first_kind(store: Store) -> str:
    return next((kind for model in model_names(store) for kind in labelled_kinds(store, model)), "documents")


KIND = Parameter("of", translatable("Labels of"), _kind, _first_kind, lambda store: [*audited_kinds()])
MODEL = Parameter("model", translatable("Model"), _model, lambda store: next(iter(model_names(store)), ""), model_names)
PERSON = Parameter(
    "assessor",
    translatable("Compared with labels by"),
    _person,
    choices=lambda store: ["", *_people(store)],
    nothing=translatable("all people"),
)
CHOICE = (PERSON, POLICY)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    """One row per model and kind of labels."""
    return [
        {name: row[name] for name in ("model", "labels", "items", "kappa", "people", "verdict")}
        for row in _verdicts(store, query)
    ]


def _verdicts(store: Store, query: Query) -> list[dict[str, Any]]:
    return [
        {"model": model, "labels": kind, "undecided": (), **_verdict(store, query, model, kind)}
        for model in model_names(store)
        for kind in labelled_kinds(store, model)
    ]


def _verdict(store: Store, query: Query, model: str, kind: str) -> dict[str, Any]:
    unknown = {"items": None, "kappa": None, "people": ""}
    try:
        found = audit(store, model, human=query["assessor"], policy=query["policy"], labels=kind)
    except UndecidedError as error:
        verdict = query.language.gettext("not known: different labels by %(names)s", names=", ".join(error.names))
        return {**unknown, "verdict": verdict, "undecided": error.names}
    except CranfieldError as error:
        reason = error.message if isinstance(error, InputError) else str(error)
        return {**unknown, "verdict": query.language.gettext("not known: %(reason)s", reason=page_text(reason).text)}
    kappa = found.kappa
    people = found.people_line.removeprefix("compared with ")
    return {
        "items": found.items,
        "kappa": kappa.value if kappa else None,
        "people": people,
        "verdict": found.verdict,
    }


def _parts(store: Store, query: Query) -> Sequence[Block]:
    rows = _verdicts(store, query)
    if not rows:
        return [Text(translatable("No model has given labels yet."))]
    chosen = {one.name: query.explicit[one.name] for one in CHOICE if one.name in query.explicit}
    undecided = list(dict.fromkeys(name for row in rows for name in row["undecided"]))
    cells = [
        {
            "model": visible_line(row["model"]),
            "labels": Cell(row["labels"], href=address("audit", of=row["labels"], model=row["model"], **chosen)),
            "items": row["items"],
            "kappa": rounded_cell(row["kappa"]),
            "verdict": Cell(
                row["verdict"],
                below=row["people"] and query.language.gettext("compared with %(people)s", people=row["people"]),
            ),
        }
        for row in rows
    ]
    caption = translatable(
        "Models and what their labels can be used for. items: number that people labelled as well; kappa: quadratic"
        " kappa with people"
    )
    differ = query.language.gettext(
        "Different labels by %(names)s, and no choice is recorded. Choose:", names=", ".join(undecided)
    )
    return [
        Text(INTRODUCTION),
        *([Text(differ), choice_links(query, undecided)] if undecided else []),
        TableBlock("models", caption, cells, cards=True),
    ]


def _has_models(store: Store) -> bool:
    return bool(model_names(store))


MODEL_LABELS = LookView(
    translatable("Model labels"),
    _rows,
    CHOICE,
    _parts,
    entry=translatable("Model labels"),
    heavy=True,
    has_data=_has_models,
)


def _audit(store: Store, query: Query) -> ModelAudit:
    if query["model"] is None:
        raise QueryError(translatable("no model has labels in this store"), 404)
    return audit(store, query["model"], human=query["assessor"], policy=query["policy"], labels=query["of"])


def _rows_audit(store: Store, query: Query) -> Sequence[Row]:
    return [bias_row(one) for one in _audit(store, query).runs]


def _document_audit(store: Store, query: Query) -> object:
    return as_document(_audit(store, query))


def _parts_audit(store: Store, query: Query) -> Sequence[Block]:
    found = _audit(store, query)
    people = f"{found.people_line[:1].upper()}{found.people_line[1:]}."
    return [
        link_line([(translatable("All models"), address("models"))], query.language),
        Text(found.verdict),
        TableBlock(
            "uses",
            translatable("Uses of the labels"),
            [{"use": use.use, "usable": SIGNS[use.usable], "reason": use.why} for use in found.uses],
        ),
        Text(people),
        Text(translatable("Agreement"), 2),
        _agreement_table(found, query.language),
        Text(translatable("Labels by people and by the model"), 2),
        _confusion_table(found, query.language),
        Text(translatable("Labels that are too high"), 2),
        *_bias_blocks(found, query.language),
        *_run_blocks(found, query.language),
    ]


def _agreement_table(found: ModelAudit, language: Language) -> TableBlock:
    ceiling = {one.coefficient: one.interval for one in found.ceiling}
    rows = [
        {
            "coefficient": one.coefficient,
            "with people": _interval_cell(one.interval),
            "between people": _interval_cell(ceiling[one.coefficient]) if ceiling else Cell("-"),
        }
        for one in found.agreement
    ]
    caption = language.gettext(
        "Agreement with 95%% intervals. Items: %(items)s. Topics: %(topics)s", items=found.items, topics=found.topics
    )
    return TableBlock("agreement", caption, rows)


def _interval_cell(one: Any) -> Cell:
    cell = rounded_cell(one.value)
    return cell if one.why or cell.value is None else cell._replace(below=f"{one.low:.2f} to {one.high:.2f}")


def _confusion_table(found: ModelAudit, language: Language) -> TableBlock:
    grades = sorted({grade for pair in found.grades for grade in pair})
    rows = [
        {"people": f"{a}"} | {language.gettext("model %(grade)s", grade=b): found.grades.get((a, b), 0) for b in grades}
        for a in grades
    ]
    return TableBlock(
        "labels", translatable("Number of items by people's label (rows) and the model's label (columns)"), rows
    )


def _bias_blocks(found: ModelAudit, language: Language) -> list[Block]:
    rows = [
        {"items by": one.by or language.gettext("all"), "group": one.group if one.by else "", "items": one.items}
        | {"over": _signed_interval(one.over, one.low, one.high)}
        for one in found.over
    ]
    caption = translatable("over: the model's mean label minus people's mean label, with its 95% interval")
    return [TableBlock("over", caption, rows)] if rows else [Text(translatable("These labels have no order."))]


def _run_blocks(found: ModelAudit, language: Language) -> list[Block]:
    if not found.runs:
        return []
    rows = [
        {
            "run": visible_line(one.run),
            "measure": one.measure,
            "bias": signed_cell(one.bias.bias),
            "own": _signed_interval(one.bias.own, one.bias.low, one.bias.high, 4),
            "p": rounded_cell(one.bias.p, 4),
            "favoured": language.gettext("yes") if one.favoured else language.gettext("no"),
        }
        for one in found.runs
    ]
    caption = translatable(
        "bias: score by the model's labels minus score by people's labels; own: bias beyond the bias of a judge whose"
        " errors do not depend on the run"
    )
    return [Text(translatable("Runs"), 2), TableBlock("runs", caption, rows)]


def _signed_interval(value: float, low: float, high: float, decimals: int = 2) -> Cell:
    cell = signed_cell(value, decimals)
    return cell if isnan(low) else cell._replace(below=f"{low:+.{decimals}f} to {high:+.{decimals}f}")


def _heading(store: Store, query: Query) -> str:
    if not query["model"]:
        return query.language.gettext("Audit")
    kind = query.language.look_up(query["of"])
    return query.language.gettext("Labels of %(kind)s by %(model)s", kind=kind, model=query["model"])


AUDIT = LookView(
    translatable("Audit of a model"), _rows_audit, (KIND, MODEL, *CHOICE), _parts_audit, _document_audit, _heading,
    entry=translatable("Model labels"), heavy=True, has_data=_has_models,
)  # fmt: skip
VIEWS: Mapping[str, LookView] = {"models": MODEL_LABELS, "audit": AUDIT}
