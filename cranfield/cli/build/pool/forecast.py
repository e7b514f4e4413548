"""pool forecast.

JSON: {"depth", "to", "runs", "teams", "new": [...], "fit": {"c", "s", "first", "last", "residual"},
"prediction": {"first", "last", "predicted", "low", "high"}, "back_test": the same and "observed",
"bound": {"found", "by_one", "by_two", "estimate", "low", "high"},
"topics": [{"query_id", "judged", "relevant", "share", "level", "by_one", "missing", "deeper_half", "recent",
"recent_of", "prediction", "back_test"}]}.

`new` has the relevant documents that depth 1, 2, ... brought; predictions are new relevant documents over the depths
`first` to `last`. `fit`, `prediction` and `back_test` are null where there are too few depths, of a topic where there
are fewer than 20 or fewer than 40 relevant documents; `recent` and `recent_of` where there is no log of judgments.
`missing` is Chao's lower bound less what was found.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.options import (
    Assessor,
    Confidence,
    Format,
    Labels,
    Output,
    PoolDepth,
    PoolNumber,
    SourcePaths,
    Teams,
)
from cranfield.cli.tables import TableFormat, emit, note, notes, say
from cranfield.store.whose import Whose

if TYPE_CHECKING:
    from cranfield.arrays.rankings import Qrels
    from cranfield.pooling.forecast.forecast import Forecast, TopicForecast

FIT = ("c", "s", "first", "last", "residual")


def forecast(
    paths: SourcePaths,
    depth: PoolDepth = None,
    to: Annotated[
        int | None, typer.Option(min=2, help="Forecast down to this depth; twice the pool's if not told.")
    ] = None,
    last: Annotated[int, typer.Option(min=1, help="How many of the last judgments of a topic to look at.")] = 50,
    confidence: Confidence = 0.95,
    topics: Annotated[
        bool, typer.Option("--topics", help="Forecast rich topics by depth, too, each with its back-test.")
    ] = False,
    teams: Teams = None,
    assessor: Assessor = None,
    labels: Labels = Whose.all,
    pool: PoolNumber = None,
    format: Format = TableFormat.table,
    output: Output = None,
) -> None:
    """Tell how complete the judgments are: what more depth would bring, what nobody found, which topics overflow.

    Look at the back-test first: the second half of the depths as the first half predicts it, beside what came. Then
    the topics: "many" and "too many" relevant ones among the judged ones mean that there are more; "missing" is how
    many at least no team found, if teams search independently of each other. --topics needs a pool of 20 depths and 40
    relevant documents of a topic: with less a power law says nothing.

    Example: cranfield pool forecast qrels.txt runs/*.gz --teams teams.tsv
    """
    from cranfield.analysis.contributors import settled
    from cranfield.analysis.reusability import contributors, depth_of, units
    from cranfield.pooling.forecast.forecast import forecast as look_ahead
    from cranfield.source import open_source

    source = open_source(paths, teams, assessor, labels, pool, note)
    source = settled(source, depth)
    who, depth = contributors(source), depth_of(source, depth)
    notes(who.notes)
    members = units(source.about, who.runs, "team")
    order = _order(paths, source.qrels, source.min_relevant, assessor, labels)
    found = look_ahead(source.runs, source.qrels, members, depth, to, source.min_relevant, order, last, confidence)
    emit(rows(found, topics), format, output, title=title(found), document=document(found, to or 2 * depth))
    if format is TableFormat.table and output is None:
        say("\n" + "\n".join(lines(found, confidence)))


def _order(
    paths: list[Path], qrels: Qrels, min_relevant: int, assessor: str | None, labels: Whose
) -> dict[str, list[bool]] | None:
    """What the log of a store's judgments says, in their order; None for plain files."""
    from cranfield.pooling.forecast.forecast import judged_order
    from cranfield.source import is_store
    from cranfield.store.log import assessors, events
    from cranfield.store.store import Store

    if not is_store(paths[0]):
        return None
    with Store.open(paths[0]) as store:
        whose = {name for name, kind in assessors(store).items() if labels.counts(kind) and assessor in (None, name)}
        told = [event for event in events(store) if event.kind == "label" and event.assessor in whose]
    pairs = [(event.qid, event.docno) for event in told]
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    return judged_order(pairs, dict(zip(names, (qrels.grade >= min_relevant).tolist(), strict=True)))


def rows(found: Forecast, by_depth: bool = False) -> list[dict[str, Any]]:
    """A row a topic."""
    logged = any(topic.recent_of is not None for topic in found.topics)
    return [
        {
            "topic": topic.query_id,
            "judged": topic.judged,
            "relevant": topic.relevant,
            "share": topic.share,
            "level": topic.level,
            "one team only": topic.by_one,
            "missing": round(topic.missing),
            "deeper half": topic.deeper_half,
            **({"still finding": f"{topic.recent} of {topic.recent_of}"} if logged else {}),
            **(_by_depth(topic) if by_depth else {}),
        }
        for topic in found.topics
    ]


def _by_depth(topic: TopicForecast) -> dict[str, str | None]:
    """What depths beyond the pool's would bring, and what the first half of the depths says of the second."""
    next_, test = topic.prediction, topic.back_test
    return {
        "forecast": next_ and f"{next_.predicted:.0f} [{next_.low:.0f}, {next_.high:.0f}]",
        "back-test": test and f"{test.predicted:.0f} [{test.low:.0f}, {test.high:.0f}], {test.observed} came",
    }


def title(found: Forecast) -> str:
    """What was looked at, in a line."""
    many = sum(topic.level != "" for topic in found.topics)
    return (
        f"{found.runs} runs of {found.teams} teams to depth {found.depth};"
        f" much is relevant in {many} of {len(found.topics)} topics"
    )


def lines(found: Forecast, confidence: float = 0.95) -> list[str]:
    """The forecast in sentences, its test before it."""
    text = []
    if found.back_test is not None and found.prediction is not None and found.fit is not None:
        test, next_ = found.back_test, found.prediction
        text.append(
            f"Back-test: from depths 1-{test.first - 1}, {test.predicted:.0f} [{test.low:.0f}, {test.high:.0f}] new"
            f" relevant documents were to be expected at {test.first}-{test.last}; {test.observed} came."
        )
        text.append(
            f"Forecast: depths {next_.first}-{next_.last} bring {next_.predicted:.0f}"
            f" [{next_.low:.0f}, {next_.high:.0f}] more (n + 1 = {found.fit.c:.1f} p^{found.fit.s:.3f},"
            f" {confidence:.0%} interval)."
        )
    else:
        text.append(f"No forecast by depth: {found.depth} depths are too few to fit and test a line.")
    bound = found.bound
    text.append(
        f"Chao's lower bound: {bound.by_one} of {bound.found} relevant documents were found by one team only and"
        f" {bound.by_two} by two; at least {bound.estimate:.0f} [{bound.low:.0f}, {bound.high:.0f}] are to be found by"
        f" teams like these, if they search independently."
    )
    return text


def document(found: Forecast, to: int) -> dict[str, Any]:
    """The JSON."""
    fit = found.fit
    return {
        "depth": found.depth,
        "to": to,
        "runs": found.runs,
        "teams": found.teams,
        "new": list(found.new),
        "fit": fit
        and {"c": fit.c, "s": fit.s, "first": fit.depths[0], "last": fit.depths[1], "residual": fit.residual},
        **_predictions(found),
        "bound": found.bound._asdict(),
        "topics": [topic._asdict() | _predictions(topic) for topic in found.topics],
    }


def _predictions(found: Forecast | TopicForecast) -> dict[str, Any]:
    ahead, test = found.prediction, found.back_test
    return {
        "prediction": ahead and {name: value for name, value in ahead._asdict().items() if name != "observed"},
        "back_test": test and test._asdict(),
    }
