"""Mean scores of the systems with intervals, and two of them compared by topic, by chosen measures and labels."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from cranfield.analysis.comparison import comparison_as_json, comparison_of, outcomes_under_pool, settings_of
from cranfield.analysis.evaluation import JUDGED_DEPTH, evaluation
from cranfield.analysis.outcomes import CompareSetting, outcome_sentence, worst_case_bounds_note
from cranfield.analysis.pool_model import find_pool
from cranfield.arrays import WhichTopics
from cranfield.call_view import CallView, newest_pool_depth
from cranfield.errors import CranfieldError, InputError
from cranfield.formats.text_tables import format_cell
from cranfield.metrics.evaluate import score_runs
from cranfield.metrics.forecast.outcomes import Outcome
from cranfield.metrics.measure import Measure
from cranfield.metrics.notation import parse_measures
from cranfield.metrics.significance.pairs import CORRECTIONS, why_no_interval
from cranfield.metrics.significance.tests import TESTS
from cranfield.metrics.significance.titles import P_TEST_TITLES
from cranfield.report.blocks import Block, Facts, Text, paragraph_blocks
from cranfield.report.by_topic import TopicScoreGrid, comparison_html, score_map, scores, topic_score_grid
from cranfield.store.runs import run_info
from cranfield.store.store import Store
from cranfield.text import format_p_value, format_signed, measures_in
from cranfield.view import View
from cranfield.web.language import Language, translatable
from cranfield.web.look.labels import WHOSE, choice_parameter, labellers_in
from cranfield.web.look.view import (
    LONGEST,
    MEASURE,
    RUN,
    LookView,
    Parameter,
    Query,
    QueryError,
    Row,
    address,
    has_runs,
    link_line,
    short_text,
)

MOST = 12  # measures at once
TOO_MANY_MEASURES = translatable("%(value)s is too long; expected at most %(most)s measures")


def _measures(store: Store, text: str) -> tuple[Measure, ...]:
    """Measures that come with cranfield: an address loads no module."""
    names = measures_in(text)
    if len(text) > LONGEST or len(names) > MOST:
        raise QueryError(TOO_MANY_MEASURES, value=short_text(text), most=MOST)
    if wrong := next((name for name in names if ":" in name), None):
        raise QueryError(translatable("unknown measure %(name)s"), name=short_text(wrong))
    try:
        return parse_measures(names, store.collection.min_relevant)
    except CranfieldError as error:
        raise QueryError(str(error)) from None


def measures(default: Sequence[str]) -> Parameter:
    """The parameter of several measures."""
    return Parameter("measures", translatable("Measures"), _measures, lambda store: ",".join(default))


TOPICS = choice_parameter("topics", translatable("Topics that count"), list(WhichTopics))


def view_and_notes(store: Store, query: Query, pool: int | None = None) -> tuple[View, list[Block]]:
    """The runs and judgments that a query is about, and what a reader should know of them."""
    notes: list[str] = []
    view = CallView.view_of_store(store, labellers_in(query), pool=pool, tell=notes.append)
    view = view.select_topics(WhichTopics(query["topics"]), common_option=f"“{TOPICS.label}: common”")
    _ = view.judged
    return view, paragraph_blocks(notes)


def titles(store: Store) -> dict[str, str]:
    """The titles of the topics."""
    return {topic.qid: topic.title for topic in store.topics()}


def topic_links(qids: Sequence[str]) -> list[str]:
    """The addresses of topics."""
    return [address("topic", topic=qid) for qid in qids]


MEASURES = ("AP", "nDCG@10", "P@10", "Judged@10")


def _evaluation(store: Store, query: Query) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What `cranfield evaluate` says."""
    judged = CallView.view_of_store(store, labellers_in(query), topics=WhichTopics(query["topics"])).scored_blocks
    depth = newest_pool_depth(store) or JUDGED_DEPTH
    return evaluation(score_runs(judged, query["measures"], depth), query["measures"])


def _score_rows(store: Store, query: Query) -> Sequence[Row]:
    return _evaluation(store, query)[0]


def _document(store: Store, query: Query) -> object:
    return _evaluation(store, query)[1]


def _parts(store: Store, query: Query) -> Sequence[Block]:
    view, notes = view_and_notes(store, query)
    topics = topic_score_grid(view, query["measures"][0], titles(store))
    score_blocks, score_topics = scores(view, query["measures"]).blocks, score_map(topics, topic_links(topics.qids))
    return [*notes, *score_blocks, Text(translatable("By topic"), 2), score_topics]


SYSTEMS = LookView(
    translatable("Systems"),
    _score_rows,
    [measures(MEASURES), TOPICS, *WHOSE],
    _parts,
    _document,
    entry=translatable("Systems"),
    heavy=True,
    has_data=has_runs,
)


ALPHA, SEED, ZEROS = 0.05, 0, "wilcox"  # as `cranfield compare` has them by default
TEST = choice_parameter(
    "test", translatable("Test"), [name for name, test in TESTS.items() if not test.whole]
)._replace(title_of=lambda name, language: language.look_up(TESTS[name].title))


class _Comparison(NamedTuple):
    """The scores by topic, which two runs are compared, and what `cranfield compare` says of this pair."""

    by_topic: TopicScoreGrid
    runs: tuple[int, int]
    document: dict[str, Any]

    @property
    def tags(self) -> tuple[str, str]:
        """The names of both."""
        return self.by_topic.tags[self.runs[0]], self.by_topic.tags[self.runs[1]]

    @property
    def topics(self) -> list[Row]:
        """One row per topic, the largest difference first, undefined ones last."""
        results = self.by_topic
        rows = [
            {"query_id": qid, "title": title, "first": first, "second": second, "difference": first - second}
            for qid, title, first, second in zip(
                results.qids, results.titles, *results.scores[list(self.runs)].tolist(), strict=True
            )
        ]
        return sorted(rows, key=lambda row: (isnan(row["difference"]), -row["difference"]))


def _run(name: str, label: str, nothing: str) -> Parameter:
    """A run; by default one of the best two."""
    return RUN._replace(name=name, label=label, default=lambda store: "", choices=_or_none, nothing=nothing)


def _or_none(store: Store) -> list[str]:
    return ["", *run_info(store)]


def _comparison_and_notes(store: Store, query: Query) -> tuple[_Comparison, Sequence[Block]]:
    view, notes = view_and_notes(store, query)
    notes += paragraph_blocks(view.partial_answers)
    measure, test = query["measure"], query["test"]
    topics = topic_score_grid(view, measure, titles(store))
    runs = _two_runs(topics, query["first"], query["second"])
    first, second = topics.tags[runs[0]], topics.tags[runs[1]]
    setting = CompareSetting(baseline=second, test=test)
    settings = settings_of(setting)
    try:
        table = comparison_of(view.judged, (measure,), setting)
    except CranfieldError as error:  # one topic
        return _Comparison(topics, runs, settings | {"baseline": second, "pairs": []}), [
            *notes,
            *paragraph_blocks([str(error)]),
        ]
    compared = outcomes_under_pool(view, view.judged, (measure,), table, setting, pool=find_pool(view))
    notes += paragraph_blocks([*compared.notes, *filter(None, [worst_case_bounds_note(compared, "")])])
    is_shown = (compared.table["run_a"] == first).to_numpy()
    pair = comparison_as_json(compared.table[is_shown], settings, second)
    [outcome] = [
        outcome for outcome, is_pair in zip(compared.families[str(measure)].outcomes, is_shown, strict=True) if is_pair
    ]
    if outcome.outcome in (Outcome.UNDECIDED, Outcome.UNJUDGED):
        notes += paragraph_blocks([outcome_sentence(outcome, pair["pairs"][0]["difference"])])
    return _Comparison(topics, runs, pair), notes


def _two_runs(topics: TopicScoreGrid, first: str | None, second: str | None) -> tuple[int, int]:
    """The places of two runs; those not given are the best of the others."""
    if len(topics.tags) < 2 or (first is not None and first == second):
        raise InputError("a comparison needs two different runs")
    others = [tag for tag in topics.tags if tag not in (first, second)]
    one = first or others.pop(0)
    return topics.tags.index(one), topics.tags.index(second or others.pop(0))


def _rows_compare(store: Store, query: Query) -> Sequence[Row]:
    return _comparison_and_notes(store, query)[0].topics


def _document_compare(store: Store, query: Query) -> object:
    pair = _comparison_and_notes(store, query)[0]
    return pair.document | {"first": pair.tags[0], "second": pair.tags[1], "topics": pair.topics}


def _parts_compare(store: Store, query: Query) -> Sequence[Block]:
    pair, notes = _comparison_and_notes(store, query)
    first, second = pair.tags
    exchange = query.address(first=second, second=first)
    topics = comparison_html(pair.by_topic, pair.runs, topic_links(pair.by_topic.qids))
    swap = link_line([(translatable("Swap the runs"), exchange)], query.language)
    return [
        Text(query.language.gettext("%(first)s and %(second)s", first=first, second=second), 2),
        *notes,
        Facts(facts_of_pair(pair.document, query.language)),
        swap,
        Text(translatable("By topic"), 2),
        topics,
    ]


def facts_of_pair(document: dict[str, Any], language: Language) -> list[tuple[str, str]]:
    """The pair in words, with the digits of `cranfield compare`."""
    if not document["pairs"]:
        return []
    (pair,) = document["pairs"]
    corrected = (
        language.gettext("p corrected")
        if document["correction"] == "none"
        else language.gettext("p corrected, %(method)s", method=CORRECTIONS[document["correction"]].title)
    )
    runs = [
        language.gettext("%(measure)s of %(run)s", measure=pair["measure"], run=pair[run]) for run in ("run_a", "run_b")
    ]
    return [
        (runs[0], format_cell(pair["mean_a"])),
        (runs[1], format_cell(pair["mean_b"])),
        (translatable("mean difference"), format_signed(pair["difference"])),
        (translatable("95% interval"), _interval(pair, language)),
        (translatable("standardized difference"), format_signed(pair["effect"], 2)),
        (
            translatable("topics won, tied, lost"),
            language.gettext(
                "%(wins)s, %(ties)s, %(losses)s of %(topics)s",
                **{name: pair[name] for name in ("wins", "ties", "losses", "topics")},
            ),
        ),
        ("p", f"{format_p_value(pair['p'])} ({P_TEST_TITLES[pair['p_test'] or document['test']]})"),
        (
            corrected,
            language.gettext(
                "%(p)s, corrected for the comparisons of all runs with %(run)s",
                p=format_p_value(pair["p_corrected"]),
                run=pair["run_b"],
            ),
        ),
        *_judged(pair, language),
        (translatable("significant at 0.05"), language.look_up(_significance(pair))),
    ]


def _significance(pair: Mapping[str, Any]) -> str:
    """In words; only scores of rankings have outcomes, as only these leave documents unjudged."""
    tested = Outcome.SIGNIFICANT if pair["significant"] else Outcome.NOT_SIGNIFICANT
    outcome = str(pair.get("outcome", tested))
    return SIGNIFICANCE.get(outcome, outcome)


SIGNIFICANCE: Mapping[str, str] = {
    Outcome.SIGNIFICANT: translatable("yes"),
    Outcome.NOT_SIGNIFICANT: translatable("no (this does not show that the runs are equal)"),
}


def _judged(pair: dict[str, Any], language: Language) -> list[tuple[str, str]]:
    """The judged shares of both runs, where they are known."""
    shares = [pair.get("judged_a"), pair.get("judged_b")]
    if any(share is None or isnan(share) for share in shares):
        return []
    term = language.gettext("judged within the first %(number)s", number=pair["judged_cutoff"])
    return [(term, ", ".join(f"{share:.0%}" for share in shares))]


def _interval(pair: dict[str, Any], language: Language) -> str:
    if isnan(pair["low"]):
        return language.gettext("none: %(reason)s", reason=why_no_interval(pair["wins"] + pair["losses"]))
    low, high = format_signed(pair["low"]), format_signed(pair["high"])
    return language.gettext("%(low)s to %(high)s (paired t, not corrected)", low=low, high=high)


FIRST, SECOND = (
    _run("first", translatable("First run"), translatable("the best")),
    _run("second", translatable("Second run"), translatable("the next best")),
)
COMPARE = LookView(
    translatable("Two runs compared"),
    _rows_compare,
    [FIRST, SECOND, MEASURE, TEST, TOPICS, *WHOSE],
    _parts_compare,
    _document_compare,
    entry=translatable("Compare"),
    has_data=has_runs,
    heavy=True,
)
