"""The collection: what is in the store and what is unfinished; and its runs, whose they are, what they contributed."""

from collections.abc import Sequence
from pathlib import Path

from cranfield.analysis.collections import overview
from cranfield.charts.labels import shorten
from cranfield.charts.svg.markup import join_markup
from cranfield.judging.planning.progress import pool_progress_row
from cranfield.report.blocks import Block, Cell, Html, TableBlock, Text
from cranfield.report.facts import ReportSubject, assessor_rows, collection
from cranfield.store import open_pools
from cranfield.store.corpus import text_lengths
from cranfield.store.history import LABEL_CHOICE, Happening, history
from cranfield.store.log import assessors, guidelines, tallies
from cranfield.store.names import find_missing_names
from cranfield.store.pools import pool_numbers, pool_record
from cranfield.store.runs import run_info, sizes_of_runs
from cranfield.store.store import Store
from cranfield.text import format_moment
from cranfield.web.guidelines import guidelines_markup
from cranfield.web.language import Language, translatable
from cranfield.web.look.judging import labelled_pool_text
from cranfield.web.look.view import (
    PAGE,
    LookView,
    Query,
    Row,
    address,
    flatten_row,
    has_only_unranked_runs,
    has_rows,
    link_line,
    page_of_rows,
    table_blocks,
)
from cranfield.web.policy_titles import name_policies

ALL_LABELLED = translatable("People have labelled every document of the newest pool.")
LONGEST = 160  # characters of the names of imported files
PLACES = [
    (translatable("Documents"), address("documents")),
    (translatable("Topics"), address("topics")),
    (translatable("Runs"), address("runs")),
]


def _collection_rows(store: Store, query: Query) -> Sequence[Row]:
    return overview(store).rows


def _document(store: Store, query: Query) -> object:
    return overview(store).document


def _parts(store: Store, query: Query) -> Sequence[Block]:
    subject = ReportSubject(
        [Path(store.path)], None, "", store.collection, store.counts(), unknown=find_missing_names(store)
    )
    rows = assessor_rows(tallies(store), assessors(store), sorted(store.collection.grades))
    caption = translatable("Current labels by assessor and grade; hours: active time, if recorded")
    text = guidelines(store)
    judging = [
        Text(translatable("Unfinished"), 2),
        *map(Text, _left_to_do(store, query.language) or [ALL_LABELLED]),
        Text(translatable("Documents"), 2),
        Text(_text_lengths(store, query.language)),
        Text(translatable("Pools"), 2),
        *table_blocks(
            "pools",
            translatable("Pools, the newest last"),
            _pools(store),
            translatable("No pool has been built yet."),
            query.language,
        ),
        Text(translatable("Judging"), 2),
        *(
            [TableBlock("assessors", caption, rows)]
            if rows
            else [Text(translatable("No document has been judged yet."))]
        ),
    ]
    is_judged = bool(rows) or bool(store.last_row_number("pool")) or not has_only_unranked_runs(store)
    return [
        *collection(subject).blocks,
        link_line(PLACES if is_judged else [*PLACES, (translatable("Progress"), "/")], query.language),
        *(judging if is_judged else [Text(translatable("Documents"), 2), Text(_text_lengths(store, query.language))]),
        Text(translatable("Imports and removals"), 2),
        *table_blocks(
            "history",
            translatable("Imports and removals, oldest first"),
            _history(store, query.language),
            translatable("Nothing has been imported yet."),
            query.language,
        ),
        Text(translatable("Guidelines"), 2),
        Html(join_markup([f'<div class="guidelines">{guidelines_markup(text)}</div>']))
        if text
        else Text(translatable("There are no guidelines for assessors yet.")),
    ]


def _left_to_do(store: Store, language: Language) -> list[str]:
    lines = (
        []
        if store.has("document")
        else [translatable("No corpus was imported, so documents have docnos but no texts.")]
    )
    if not store.count("pool"):
        return [*lines, translatable("No pool has been built yet.")]
    row = pool_progress_row(store)
    rest = language.gettext("Newest pool: %(state)s.", state=labelled_pool_text(row, language))
    return lines + [rest] * (row["people"] < row["documents"])


def _text_lengths(store: Store, language: Language) -> str:
    sizes = text_lengths(store)
    if sizes is None:
        return translatable("The store contains no document texts.")
    return language.ngettext(
        "%(num)s text, from %(shortest)s to %(longest)s characters, %(mean)s on average.",
        "%(num)s texts, from %(shortest)s to %(longest)s characters, %(mean)s on average.",
        sizes.texts,
        shortest=format(sizes.shortest, ","),
        longest=format(sizes.longest, ","),
        mean=format(sizes.mean, ",.0f"),
    )


def _pools(store: Store) -> list[Row]:
    rows: list[Row] = []
    for number in pool_numbers(store):
        pool, sizes = pool_record(store, number), open_pools.pool_sizes_by_topic(store, number)
        runs = pool.parameters.get("runs", [])
        about: Row = {
            "pool": Cell(f"{number}", href=address("pool", pool=number)),
            "method": pool.shown_method,
            "depth": pool.parameters.get("depth"),
            "runs": len(runs),
        }
        rows.append(
            {**about, "topics": len(sizes), "documents": sum(sizes.values()), "created": _time_cell(pool.created)}
        )
    return rows


def _history(store: Store, language: Language) -> list[Row]:
    return [
        {
            "number": _number_in_history(one, language),
            "at": _time_cell(one.at),
            "what": one.what,
            "name": _name_in_history(one, language),
            "holds": one.holds,
        }
        | {"reason": one.reason, "by": one.by}
        for one in history(store)
    ]


def _number_in_history(one: Happening, language: Language) -> str:
    """The number of a recorded choice in words; those of imports and removals are codes, which commands take."""
    number = one.number.rpartition(" ")[2]
    return language.gettext("choice %(number)s", number=number) if one.what == LABEL_CHOICE else one.number


def _name_in_history(one: Happening, language: Language) -> str:
    if one.what != LABEL_CHOICE:
        return shorten(one.name, LONGEST)
    if one.name.startswith("policy "):
        return name_policies(one.name, language)
    if (name := one.name.removeprefix("labels by ")) != one.name:
        return language.gettext("labels by %(name)s", name=shorten(name, LONGEST))
    return language.gettext("no choice")


def _time_cell(time: str) -> Cell:
    return Cell(format_moment(time), kind="whole")


COLLECTION = LookView(
    translatable("Collection"),
    _collection_rows,
    parts=_parts,
    document=_document,
    heading=lambda store, query: store.collection.name,
    entry=translatable("Contents"),
    group=translatable("Collection"),
)


def _run_rows(store: Store, query: Query) -> Sequence[Row]:
    sizes = sizes_of_runs(store)
    return [
        {"run": tag, "team": one.team, "kind": one.kind, "pooled": one.pooled, "depth": one.depth}
        | {"topics": sizes[tag][0], "documents": sizes[tag][1], "file": one.file, "description": one.description}
        for tag, one in run_info(store).items()
    ]


def _parts_runs(store: Store, query: Query) -> Sequence[Block]:
    rows = _run_rows(store, query)
    if not rows:
        return [Text(translatable("There are no runs yet."))]
    part = page_of_rows(query, len(rows), what="runs")
    table = [flatten_row(row) for row in rows[part.first : part.last]]
    return [
        TableBlock(
            "runs", translatable("Runs in the order of their import; documents: number of retrieved documents"), table
        ),
        *part.links,
    ]


RUNS = LookView(
    translatable("Runs"),
    _run_rows,
    (PAGE,),
    _parts_runs,
    entry=translatable("Runs"),
    group=translatable("Collection"),
    has_data=has_rows("run"),
)
