"""How far assessors agree on labels of a kind: what that means, a map of pairs, and tables by pair and by topic."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan

import numpy as np
from markupsafe import Markup

from cranfield.analysis.labels import DOCUMENTS, kinds_of_labels, label_readers
from cranfield.judging.agreement import AGREEMENTS
from cranfield.judging.agreement.agreement import (
    CAUTION,
    Coefficient,
    LabelMatrix,
    agreement_by_pair,
    agreement_of_topics,
)
from cranfield.judging.agreement.base import OVERLAP, PREVALENCE
from cranfield.judging.agreement.meaning import ALPHA, agreement_meaning, describe_agreement
from cranfield.judging.labels.pairs import matrix_of_store
from cranfield.judging.planning.label_work import possible_label_work
from cranfield.report.blocks import Block, Cell, Html, TableBlock, Text, rounded_cell
from cranfield.report.table import pair_map
from cranfield.selection import LabelledBy
from cranfield.store.store import Store
from cranfield.text import visible_line
from cranfield.web.language import Language, translatable
from cranfield.web.look.labels import NOT_A_CHOICE, choice_parameter
from cranfield.web.look.page_text import remedy_links
from cranfield.web.look.view import LookView, Parameter, Query, QueryError, Row, address, short_text

CAPTION = translatable(
    "Agreement on %(kind)s by pair, on the items that both assessors labelled, with 95%% intervals in small print"
)
DOCUMENTS_CAPTION = translatable(
    "Agreement by pair, on the documents that both assessors labelled, with 95% intervals in small print"
)
RESAMPLES = 1000
FEW_TOPICS = 10  # topics of the table of low agreement
MAP_NOTE = translatable(
    "In the map, 1 is full agreement, and 0 is the agreement expected by chance. A dash marks a pair that has no"
    " labels in common, or whose alpha is undefined."
)
NOBODY = {
    "document": translatable("No document has been labelled by two people yet."),
    "item": translatable("No item has been labelled by two people yet."),
}


NO_ITEMS = translatable("There are no answers yet, so nobody has labelled any.")


def _kind(store: Store, text: str) -> str:
    if text not in kinds_of_labels():
        raise QueryError(NOT_A_CHOICE, name="of", value=short_text(text), choices=", ".join(kinds_of_labels()))
    return text


KIND = Parameter("of", translatable("Labels of"), _kind, lambda store: DOCUMENTS, lambda store: kinds_of_labels())
LABELLERS = choice_parameter(
    "labels", translatable("Labels by"), [LabelledBy.people.value, LabelledBy.all.value, LabelledBy.models.value]
)


def compared_matrix(store: Store, kind: str = DOCUMENTS, whose: LabelledBy = LabelledBy.people) -> LabelMatrix:
    """Return the labels of a kind, with what each grade means."""
    if kind != DOCUMENTS:
        return label_readers()[kind](store, None, whose)
    names: dict[float, str] = {
        grade: f"{grade} ({name})" if name else f"{grade}" for grade, name in store.collection.grades.items()
    }
    return replace(matrix_of_store(store, None, whose), grade_names=names)


def is_compared(matrix: LabelMatrix) -> bool:
    """Return whether two assessors labelled anything in common."""
    return len(matrix.assessors) > 1 and bool(matrix.has_two_labels.any())


def noun_of_kind(kind: str) -> str:
    """Return what one labelled item is called on pages."""
    return "document" if kind == DOCUMENTS else "item"


def _matrix_of_query(store: Store, query: Query) -> LabelMatrix:
    return compared_matrix(store, query["of"], LabelledBy(query["labels"]))


def _agreement_rows(store: Store, query: Query) -> Sequence[Row]:
    matrix = _matrix_of_query(store, query)
    coefficients = agreement_by_pair(matrix, None, RESAMPLES) if len(matrix.assessors) > 1 else []
    return [
        {"assessor": one.assessors[0], "and": one.assessors[1], "documents": one.units, "coefficient": one.coefficient,
         "value": one.interval.value, "low": one.interval.low, "high": one.interval.high,
         "no interval": one.interval.why}
        for one in coefficients
    ]  # fmt: skip


def _parts(store: Store, query: Query) -> Sequence[Block]:
    matrix, kind = _matrix_of_query(store, query), query["of"]
    if kind != DOCUMENTS and not matrix.assessors and not possible_label_work(store):
        return [Text(NO_ITEMS), *remedy_links("import answers", query.language)]
    return agreement_blocks(matrix, kind, query.language)


def agreement_blocks(matrix: LabelMatrix, kind: str, language: Language) -> list[Block]:
    """The meaning of the coefficient, the map of pairs, and the tables."""
    noun = noun_of_kind(kind)
    if not is_compared(matrix):
        return [Text(NOBODY[noun])]
    first, *others = describe_agreement(agreement_meaning(matrix), matrix.assessors, noun, matrix.grade_names)
    names = [
        it.name for it in AGREEMENTS.values() if it.brief and (kind == DOCUMENTS or it not in (OVERLAP, PREVALENCE))
    ]
    pairs = agreement_by_pair(matrix, names, RESAMPLES)
    return [
        Text(first),
        Text(" ".join(others)),
        Text(MAP_NOTE),
        Html(_map_of_pairs(pairs, kind, language)),
        _pair_table(pairs, kind, language),
        *_missing_intervals(pairs, language),
        *([Text(CAUTION)] if kind == DOCUMENTS else []),
        *_low_topics(matrix, kind, language),
    ]


def _map_of_pairs(pairs: Sequence[Coefficient], kind: str, language: Language) -> Markup:
    alphas = {one.assessors: one.interval.value for one in pairs if one.coefficient == ALPHA}
    names = list(dict.fromkeys(name for two in alphas for name in two))
    values = np.full((len(names), len(names)), np.nan)
    for (one, other), value in alphas.items():
        first, second = names.index(one), names.index(other)
        values[first, second] = values[second, first] = value
    title = language.gettext("Alpha by pair: %(kind)s", kind=language.look_up(kind))
    return pair_map(f"map-{kind}", title, language.gettext("assessor"), [visible_line(name) for name in names], values)


def _pair_table(pairs: Sequence[Coefficient], kind: str, language: Language) -> TableBlock:
    noun = noun_of_kind(kind)
    rows: dict[tuple[str, ...], dict[str, object]] = {}
    for one in pairs:
        pair: dict[str, object] = {
            "assessors": ", ".join(map(visible_line, one.assessors)),
            f"{noun}s": one.units,
        }
        rows.setdefault(one.assessors, pair)[one.coefficient] = _coefficient_cell(one, language)
    heads = {it.name: it.heading or it.name for it in AGREEMENTS.values()}
    key = "pairs" if kind == DOCUMENTS else f"pairs-{kind}"
    caption = (
        language.look_up(DOCUMENTS_CAPTION)
        if kind == DOCUMENTS
        else language.gettext(CAPTION, kind=language.look_up(kind))
    )
    return TableBlock(key, caption, list(rows.values()), heads=heads)


def _coefficient_cell(one: Coefficient, language: Language) -> Cell:
    value, low, high, *_ = one.interval
    if isnan(value):
        return Cell("undefined")
    interval = language.gettext("no interval") if one.interval.why else f"{low:.2f} to {high:.2f}"
    return Cell(f"{value:.2f}", value, below=interval)


def _missing_intervals(pairs: Sequence[Coefficient], language: Language) -> list[Block]:
    """Why values have no intervals, and for which pairs if not for all."""
    known = [one for one in pairs if not isnan(one.interval.value)]
    by_reason: dict[str, dict[str, None]] = {}
    for one in known:
        if one.interval.why:
            by_reason.setdefault(one.interval.why, {})[", ".join(map(visible_line, one.assessors))] = None
    everybody = {one.assessors for one in known}
    return [
        Text(language.gettext("No interval: %(reason)s.", reason=reason))
        if len(names) == len(everybody)
        else Text(language.gettext("No interval for %(pairs)s: %(reason)s.", pairs="; ".join(names), reason=reason))
        for reason, names in by_reason.items()
    ]


def _low_topics(matrix: LabelMatrix, kind: str, language: Language) -> list[Block]:
    """The topics on which fewest pairs of labels are the same."""
    noun = noun_of_kind(kind)
    shares = [one for one in agreement_of_topics(matrix, ["raw agreement"]) if one.interval.value < 1]
    lowest = sorted(shares, key=lambda one: (one.interval.value, -one.units))[:FEW_TOPICS]
    rows = [
        {"topic": Cell(one.topic, href=address("topic", topic=one.topic)), f"{noun}s": one.units}
        | {"same label": rounded_cell(one.interval.value)}
        for one in lowest
    ]
    caption = language.gettext(
        "Topics with the lowest agreement on %(kind)s. same label: share of label pairs that are equal",
        kind=language.look_up(kind),
    )
    return [TableBlock(f"low-{kind}", caption, rows)] if rows else []


PAIRS = LookView(
    translatable("Agreement by pair"), _agreement_rows, (KIND, LABELLERS), _parts, heavy=True,
    entry=translatable("Agreement"), is_in_menu=False,
)  # fmt: skip
