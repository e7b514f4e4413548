"""What the organiser sees of generated answers: scores, two runs compared, what runs lose without their own nuggets."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

import numpy as np

from cranfield.analysis.comparison import comparison_as_json, comparison_of, settings_of
from cranfield.analysis.evaluation import Evaluation, ScoreSetting, evaluation, evaluation_with_notes
from cranfield.analysis.outcomes import CompareSetting
from cranfield.analysis.reusability import ReusabilitySetting
from cranfield.call_view import CallView
from cranfield.charts.intervals import IntervalRow, Quartiles, axis_span, quartiles
from cranfield.charts.svg.intervals import box_plot_svg, interval_chart
from cranfield.errors import CranfieldError, InputError, UndecidedError
from cranfield.features.answers.judging.progress import LABEL_KINDS
from cranfield.features.answers.measures import ANSWER_MEASURES
from cranfield.features.answers.store.answers import answer_runs, stored_answers, topic_ids_with_answers
from cranfield.features.answers.store.nuggets import current_nuggets
from cranfield.features.answers.subjects import GeneratedAnswers
from cranfield.features.answers.topic_view import TOPIC_ANSWERS
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.reusability.leave_one_out import run_rank
from cranfield.metrics.significance.pairs import mean_intervals
from cranfield.report.blocks import (
    Block,
    Cell,
    Facts,
    Figure,
    Figures,
    TableBlock,
    Text,
    as_cell,
    as_sentence,
    paragraph_blocks,
)
from cranfield.report.by_topic import TopicScoreGrid, comparison_html, order_best_first, order_grid, score_map
from cranfield.selection import LabelledBy
from cranfield.store.store import Store
from cranfield.text import measures_in
from cranfield.web.language import Language, translatable
from cranfield.web.look.labels import WHOSE, choice_parameter, labellers_in
from cranfield.web.look.page_text import remedy_links
from cranfield.web.look.scores import TEST, TOO_MANY_MEASURES, facts_of_pair, titles, topic_links
from cranfield.web.look.view import (
    PAGE,
    LookView,
    Parameter,
    Query,
    QueryError,
    Row,
    address,
    flatten_row,
    link_line,
    page_of_rows,
    short_text,
)

COLUMN_NAMES = (  # of tables of answers, for the catalogue of texts
    translatable("citations"),
    translatable("make nuggets"),
    translatable("nugget"),
    translatable("nuggets"),
    translatable("vital"),
)
MOST = 12  # measures at once
NO_ANSWERS = translatable("There are no answers yet.")
LABELLED_MEASURES = {  # the measures of pages that name none, by the kind of labels that they need
    "nuggets": ("V_strict", "A"),
    "support": ("SupportP",),
    "claims": ("Faithful", "CtxR"),
    "correctness": ("Correct",),
    "rubrics": ("Rubric",),
    "comparisons": ("WinRate",),
}


def has_answers(store: Store) -> bool:
    """Return whether a store has generated answers."""
    return store.has_rows("answer")


def labelled_measures(store: Store) -> list[str]:
    """Return the measures for which a store has labels; those of nuggets if it has no labels at all."""
    names = [
        name
        for kind, several in LABELLED_MEASURES.items()
        if LABEL_KINDS[kind].log.counts(store)
        for name in several
        if kind != "claims" or _has_claims(store, name)
    ]
    return names or list(LABELLED_MEASURES["nuggets"])


def _has_claims(store: Store, name: str) -> bool:
    """Whether claims that a measure needs have labels: those of answers, or those of reference answers."""
    from cranfield.features.answers.store.labels import current_claims

    own = {claim.number for claim in current_claims(store) if (claim.answer is None) == (name == "CtxR")}
    return any(one.item[1] in own for one in LABEL_KINDS["claims"].log.current(store))


def _measures(store: Store, text: str) -> tuple[Measure, ...]:
    """Measures of answers."""
    names = measures_in(text)
    if len(names) > MOST:
        raise QueryError(TOO_MANY_MEASURES, value=short_text(text), most=MOST)
    if wrong := next((name for name in names if ":" in name), None):
        raise QueryError(translatable("unknown measure %(name)s"), name=short_text(wrong))
    try:
        return parse_measures(names, of="answers")
    except CranfieldError as error:
        raise QueryError(str(error)) from None


def _measure(store: Store, text: str) -> Measure:
    return _measures(store, text)[0]


MEASURE_TITLES = {
    "V_strict": translatable("vital nuggets in full"),
    "V": translatable("vital nuggets"),
    "A_strict": translatable("nuggets in full"),
    "A": translatable("nuggets"),
    "W_strict": translatable("weighted nuggets in full"),
    "W": translatable("weighted nuggets"),
    "SupportP": translatable("supported citations"),
    "SupportR": translatable("supported sentences"),
    "CitePrecision": translatable("precise citations"),
    "CiteRecall": translatable("entailed sentences"),
    "CtxP": translatable("precision of contexts"),
    "CtxR": translatable("recall of contexts"),
    "Faithful": translatable("faithful statements"),
    "AnsRel": translatable("relevance of the answer"),
    "Correct": translatable("correctness"),
    "CorrectP": translatable("correct statements"),
    "CorrectR": translatable("correct claims found"),
    "Rubric": translatable("rubric by weight"),
    "RubricShare": translatable("rubric without weights"),
    "WinRate": translatable("comparisons won"),
}


def _measure_title(name: str, language: Language) -> str:
    """What the form calls a measure: its name, and what it measures in a few words."""
    words = MEASURE_TITLES.get(name, "")
    return f"{name}: {language.look_up(words)}" if words else name


MEASURES = Parameter("measures", translatable("Measures"), _measures, lambda store: ",".join(labelled_measures(store)))
MEASURE = Parameter(
    "measure",
    translatable("Measure"),
    _measure,
    lambda store: labelled_measures(store)[0],
    lambda store: [str(one) for one in ANSWER_MEASURES],
    title_of=_measure_title,
)
NUGGETS = choice_parameter(
    "nuggets", translatable("Nuggets by"), ["people, otherwise models", *(one.value for one in LabelledBy)]
)
COMPLETE = choice_parameter("labelled-topics-only", translatable("Only fully labelled topics"), ["no", "yes"])


def _subject(query: Query) -> GeneratedAnswers:
    nuggets = query["nuggets"] if query["nuggets"] in [one.value for one in LabelledBy] else None
    is_complete = "labelled-topics-only" in query.values and query["labelled-topics-only"] == "yes"
    return GeneratedAnswers(nuggets, is_complete)


def _evaluate(store: Store, query: Query) -> tuple[Evaluation, list[str]]:
    """What `cranfield evaluate --answers` says."""
    notes: list[str] = []
    view = CallView.view_of_store(store, labellers_in(query), tell=notes.append)
    setting = ScoreSetting(query["measures"])
    scored = evaluation_with_notes(view, setting, _subject(query).score(view, setting))
    return scored, [*notes, *scored.notes]


def _tables(store: Store, query: Query) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    scored, _ = _evaluate(store, query)
    return evaluation(scored.scores, scored.measures, topic_mask=scored.topic_mask)


def _rows(store: Store, query: Query) -> Sequence[Row]:
    return _tables(store, query)[0]


def _document(store: Store, query: Query) -> object:
    return _tables(store, query)[1]


PARAMETERS = (MEASURES, COMPLETE, NUGGETS, *WHOSE)


def _parts(store: Store, query: Query) -> Sequence[Block]:
    refused = _why_not(store, query.language, lambda: _evaluate(store, query))
    if isinstance(refused, list):
        return refused
    scored, notes = refused
    grid = _grid(scored, titles(store))
    return [
        *paragraph_blocks(notes),
        *_score_blocks(scored, store, query.language),
        Text(translatable("By topic"), 2),
        score_map(grid, topic_links(grid.qids)),
    ]


def _why_not(store: Store, language: Language, compute: Callable[[], Any]) -> Any:
    """What is computed; the blocks that say why it cannot be, with the page that helps."""
    if not has_answers(store):
        return [Text(NO_ANSWERS), *remedy_links("import answers", language)]
    try:
        return compute()
    except UndecidedError:
        raise
    except InputError as error:
        reason = as_sentence(error.message.partition(";")[0])
        is_labelled = LABEL_KINDS["nuggets"].log.counts(store)
        missing = [] if is_labelled else [Text(translatable("Answers have scores once they have labels."))]
        links = [
            (translatable("Invite somebody to label"), "/organise/links"),
            (translatable("Progress"), "/"),
        ]
        return [Text(reason), *missing, link_line(links, language)]


def _grid(scored: Evaluation, titles: Mapping[str, str], at: int = 0) -> TopicScoreGrid:
    """The scores by topic, the best run first."""
    scores, measure = scored.scores, scored.measures[at]
    means = scores.means(scored.measures, scored.topic_mask)[:, at]
    return order_grid(scores.tags, scores.qids, measure, means=means, scores=scores.values[..., at], titles=titles)


def _score_blocks(scored: Evaluation, store: Store, language: Language) -> list[Block]:
    """The runs by all measures, with intervals over topics."""
    scores, measures = scored.scores, scored.measures
    means = scores.means(measures, scored.topic_mask)
    ends = [_interval_ends(scored, means, at) for at in range(len(measures))]
    order, about = order_best_first(scores.tags, means[:, 0]), answer_runs(store)
    teams = {info.team for info in about.values()} != set(about)
    fives = quartiles(np.where(scored.topic_mask, scores.values[..., 0], np.nan))
    span = axis_span(scores.values[..., 0].ravel().tolist())
    rows = [
        {
            "run": Cell(scores.tags[run], below=about[scores.tags[run]].team if teams else ""),
            "rank": run_rank(means[:, 0], run),
            **{
                str(measure): as_cell(float(means[run, at]))._replace(below=_span_words(ends[at], run))
                for at, measure in enumerate(measures)
            },
            language.gettext("%(measure)s by topic", measure=measures[0]): Cell("-")
            if isnan(fives[run].median)
            else Cell("", picture=box_plot_svg(fives[run], span)),
        }
        for run in order
    ]
    caption = language.ngettext(
        "Means over %(num)s topic, sorted by %(measure)s, with 95%% confidence intervals. Boxes: quartiles of"
        " %(measure)s over topics",
        "Means over %(num)s topics, sorted by %(measure)s, with 95%% confidence intervals. Boxes: quartiles of"
        " %(measure)s over topics",
        int(scored.topic_mask.any(axis=0).sum()),
        measure=measures[0],
    )
    estimates = [
        IntervalRow(scores.tags[run], float(means[run, 0]), float(ends[0][0][run]), float(ends[0][1][run]))
        for run in order
        if not isnan(means[run, 0])
    ]
    about_figure = language.gettext(
        "%(measure)s, best run first. Lines: 95%% confidence intervals over topics.", measure=measures[0]
    )
    title = language.gettext("%(measure)s of each run", measure=measures[0])
    chart = interval_chart("runs", estimates, str(measures[0]), title, about_figure)
    figure = [Figures([Figure("runs", chart, about_figure)])] if estimates else []
    return [*figure, TableBlock("scores-table", caption, rows, filter=translatable("runs"))]


def _box_cell(five: Quartiles, span: tuple[float, float]) -> Cell:
    return Cell("-") if isnan(five.median) else Cell("", picture=box_plot_svg(five, span))


def _interval_ends(scored: Evaluation, means: Any, at: int) -> tuple[Any, Any]:
    """The ends of the intervals of means by a measure; NaN for a run without a mean."""
    values = np.where(scored.topic_mask, scored.scores.values[..., at], np.nan)
    ends = mean_intervals(values, scored.measures[at].range)
    known = ~np.isnan(means[:, at])
    return np.where(known, ends[0], np.nan), np.where(known, ends[1], np.nan)


def _span_words(ends: tuple[Any, Any], run: int) -> str:
    low, high = float(ends[0][run]), float(ends[1][run])
    return "" if isnan(low) else f"{low:.3f} to {high:.3f}"


SYSTEMS = LookView(
    translatable("Systems by their answers"),
    _rows,
    PARAMETERS,
    _parts,
    _document,
    entry=translatable("Systems"),
    heavy=True,
    stands_for="systems",
    has_data=has_answers,
)


class _Compared(NamedTuple):
    """Two runs, the pair as `cranfield compare --answers` has it, and the scores by topic."""

    tags: tuple[str, str]
    document: dict[str, Any]
    grid: TopicScoreGrid
    notes: list[str]

    @property
    def runs(self) -> tuple[int, int]:
        """The places of both in the scores by topic."""
        return self.grid.tags.index(self.tags[0]), self.grid.tags.index(self.tags[1])

    @property
    def topics(self) -> list[Row]:
        """One row per topic, the largest difference first, undefined ones last."""
        one, other = (self.grid.scores[run].tolist() for run in self.runs)
        rows = [
            {"query_id": qid, "title": title, "first": first, "second": second, "difference": first - second}
            for qid, title, first, second in zip(self.grid.qids, self.grid.titles, one, other, strict=True)
        ]
        return sorted(rows, key=lambda row: (isnan(row["difference"]), -row["difference"]))


def _run(store: Store, text: str) -> str:
    if text not in answer_runs(store):
        raise QueryError(translatable("no run of answers %(name)s in this store"), 404, name=short_text(text))
    return text


def _run_parameter(name: str, label: str, nothing: str) -> Parameter:
    return Parameter(name, label, _run, choices=lambda store: ["", *answer_runs(store)], nothing=nothing)


FIRST = _run_parameter("first", translatable("First run"), translatable("the best"))
SECOND = _run_parameter("second", translatable("Second run"), translatable("the next best"))
COMPARED = (FIRST, SECOND, MEASURE, TEST, NUGGETS, *WHOSE)


def _compare(store: Store, query: Query) -> _Compared:
    notes: list[str] = []
    view = CallView.view_of_store(store, labellers_in(query), tell=notes.append)
    measure, subject = query["measure"], _subject(query)
    silent_view = CallView.view_of_store(store, labellers_in(query))
    score_setting = ScoreSetting([measure])
    scored = evaluation_with_notes(silent_view, score_setting, subject.score(silent_view, score_setting))
    grid = _grid(scored, titles(store))
    first, second = _two_runs(grid, query["first"], query["second"])
    setting = CompareSetting([str(measure)], baseline=second, test=query["test"])
    scores = subject.score_topics(view, setting)
    settings = settings_of(setting)
    try:
        table = comparison_of(scores, None, setting)
    except CranfieldError as error:  # one topic
        return _Compared((first, second), settings | {"baseline": second, "pairs": []}, grid, [*notes, str(error)])
    pair = comparison_as_json(table[table["run_a"] == first], settings, second)
    return _Compared((first, second), pair, grid, notes)


def _two_runs(grid: TopicScoreGrid, first: str | None, second: str | None) -> tuple[str, str]:
    """Two runs; those not given are the best of the others."""
    if len(grid.tags) < 2 or (first is not None and first == second):
        raise InputError("a comparison needs two different runs")
    others = [tag for tag in grid.tags if tag not in (first, second)]
    return first or others.pop(0), second or others.pop(0)


def _rows_compared(store: Store, query: Query) -> Sequence[Row]:
    return _compare(store, query).topics


def _document_compared(store: Store, query: Query) -> object:
    pair = _compare(store, query)
    return pair.document | {"first": pair.tags[0], "second": pair.tags[1], "topics": pair.topics}


def _parts_compared(store: Store, query: Query) -> Sequence[Block]:
    pair = _why_not(store, query.language, lambda: _compare(store, query))
    if isinstance(pair, list):
        return pair
    first, second = pair.tags
    swap = link_line([(translatable("Swap the runs"), query.address(first=second, second=first))], query.language)
    return [
        Text(query.language.gettext("%(first)s and %(second)s", first=first, second=second), 2),
        *paragraph_blocks(pair.notes),
        Facts(facts_of_pair(pair.document, query.language)),
        swap,
        Text(translatable("By topic"), 2),
        comparison_html(pair.grid, pair.runs, topic_links(pair.grid.qids)),
    ]


COMPARE = LookView(
    translatable("Answers of two runs compared"),
    _rows_compared,
    COMPARED,
    _parts_compared,
    _document_compared,
    entry=translatable("Compare"),
    heavy=True,
    stands_for="compare",
    has_data=has_answers,
)


UNITS = choice_parameter("by", translatable("Leave out each"), ["run", "team", "kind"])
NUGGET_MEASURES = ("V_strict", "A")
LEFT_OUT = (UNITS, MEASURES._replace(default=lambda store: ",".join(NUGGET_MEASURES)), NUGGETS, *WHOSE)


def _leave_out(store: Store, query: Query, notes: list[str]) -> Any:
    view = CallView.view_of_store(store, labellers_in(query), tell=notes.append)
    setting = ReusabilitySetting(query["by"], measures=query["measures"])
    return _subject(query).leave_out_units(view, setting, None)


def _rows_left_out(store: Store, query: Query) -> Sequence[Row]:
    return list(_leave_out(store, query, []).rows)


def _document_left_out(store: Store, query: Query) -> object:
    return _leave_out(store, query, []).to_json()


def _parts_left_out(store: Store, query: Query) -> Sequence[Block]:
    notes: list[str] = []
    losses = _why_not(store, query.language, lambda: _leave_out(store, query, notes))
    if isinstance(losses, list):
        return [*paragraph_blocks(notes), *losses]
    caption = translatable(
        "Losses without the nuggets that come only from the own answers. unique: such nuggets; vital: vital ones among"
        " them; tau: rank correlation of all runs with and without them"
    )
    intro = translatable(
        "A new system has contributed no nuggets. Expect its score to be too low by about as much as these runs lose"
        " without their own nuggets."
    )
    rows = [flatten_row(row) for row in losses.rows]
    return [
        Text(f"{losses.title}."),
        *paragraph_blocks(notes),
        Text(intro),
        *([TableBlock("left-out", caption, rows)] if rows else []),
    ]


REUSABILITY = LookView(
    translatable("Runs without their own nuggets"),
    _rows_left_out,
    LEFT_OUT,
    _parts_left_out,
    _document_left_out,
    entry=translatable("Reusability"),
    heavy=True,
    stands_for="reusability",
    has_data=has_answers,
)


def _rows_runs(store: Store, query: Query) -> Sequence[Row]:
    """The runs that gave answers, in the order of their import."""
    answers = stored_answers(store)
    return [
        {
            "run": tag,
            "team": one.team,
            "kind": one.kind,
            "answers": len(own := [answer for answer in answers if answer.run == tag]),
            "sentences": sum(len(answer.sentences) for answer in own),
            "citations": sum(len(sentence.citations) for answer in own for sentence in answer.sentences),
            "file": one.file,
            "description": one.description,
        }
        for tag, one in answer_runs(store).items()
    ]


def _parts_runs(store: Store, query: Query) -> Sequence[Block]:
    rows = _rows_runs(store, query)
    if not rows:
        return [Text(NO_ANSWERS), *remedy_links("import answers", query.language)]
    part = page_of_rows(query, len(rows), what="runs")
    table = [flatten_row(row) for row in rows[part.first : part.last]]
    return [TableBlock("answer-runs", translatable("Runs of answers in the order of their import"), table), *part.links]


RUNS = LookView(
    translatable("Runs of answers"),
    _rows_runs,
    (PAGE,),
    _parts_runs,
    entry=translatable("Runs"),
    group=translatable("Collection"),
    has_data=has_answers,
    stands_for="runs",
    part_of="collection",
)


def _rows_topics(store: Store, query: Query) -> Sequence[Row]:
    """The topics that have answers, with their nuggets and the labels of these."""
    names = titles(store)
    nuggets = current_nuggets(store)
    counts: dict[str, int] = {}
    qid_of = {answer.number: answer.qid for answer in stored_answers(store)}
    for qid in qid_of.values():
        counts[qid] = counts.get(qid, 0) + 1
    labelled: dict[str, set[Any]] = {}
    for one in LABEL_KINDS["nuggets"].log.current(store):
        if one.kind == "label":
            labelled.setdefault(qid_of[one.item[0]], set()).add(one.item)
    rows = []
    for qid in topic_ids_with_answers(store):
        own = [one for one in nuggets if one.qid == qid]
        numbers = {one.number for one in own}
        done = sum(item[1] in numbers for item in labelled.get(qid, ()))
        rows.append(
            {"topic": qid, "title": names.get(qid, ""), "answers": counts[qid], "nuggets": len(own)}
            | {"vital": sum(one.importance == "vital" for one in own)}
            | {"labels": done, "of": counts[qid] * len(own)}
        )
    return rows


def _parts_topics(store: Store, query: Query) -> Sequence[Block]:
    rows = _rows_topics(store, query)
    if not rows:
        return [Text(translatable("No topic has answers yet.")), *remedy_links("import answers", query.language)]
    part = page_of_rows(query, len(rows), what="topics")
    table = [
        {**row, "topic": Cell(str(row["topic"]), href=address("topic", topic=row["topic"]))}
        for row in map(flatten_row, rows[part.first : part.last])
    ]
    caption = translatable(
        "Topics with answers. labels: pairs of an answer and a nugget that have a label; of: all such pairs"
    )
    return [TableBlock("answered-topics", caption, table, filter=translatable("topics")), *part.links]


TOPICS = LookView(
    translatable("Topics with answers"),
    _rows_topics,
    (PAGE,),
    _parts_topics,
    entry=translatable("Topics"),
    group=translatable("Collection"),
    part_of="topics",
    leads=True,
    has_data=has_answers,
)
VIEWS: Mapping[str, LookView] = {
    "answer-systems": SYSTEMS,
    "answer-compare": COMPARE,
    "answer-reusability": REUSABILITY,
    "answer-runs": RUNS,
    "answer-topics": TOPICS,
    "answers": TOPIC_ANSWERS,
}
