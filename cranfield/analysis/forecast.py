"""How complete the judgments of a view are: the forecast as table rows, sentences and the JSON document."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.analysis.contributors import add_judged_share_below_depth, with_contributors
from cranfield.analysis.reusability import (
    depth_of,
    group_runs_by_unit,
    refuse_active_learning,
    refuse_other_than_depth,
    require_contributors,
)
from cranfield.arrays.rankings import Qrels
from cranfield.call_view import CallView
from cranfield.errors import InputError
from cranfield.metrics.forecast.forecaster import MAX_UNEXPLAINED
from cranfield.pooling.forecast import Forecast, TopicForecast, forecast, relevance_in_order
from cranfield.selection import Labellers
from cranfield.store.log import assessors, read_events
from cranfield.store.store import Store
from cranfield.view import View

N_RECENT = 50  # judgments of a topic, the last of which say whether relevant documents are still found
FIT = ("c", "s", "first", "last", "residual")


def stored_relevance_in_order(
    store: Store, qrels: Qrels, min_relevant: int, labellers: Labellers
) -> dict[str, list[bool]]:
    """Relevance in the order of a store's judgment log, by topic."""
    whose = {name for name, kind in assessors(store).items() if labellers.kind.counts(kind)}
    if labellers.assessor is not None:
        whose &= {labellers.assessor}
    labelled = [event for event in read_events(store) if event.kind == "label" and event.assessor in whose]
    pairs = [(event.qid, event.docno) for event in labelled]
    names = zip(qrels.topics.names[qrels.topic].tolist(), qrels.docnos.names[qrels.document].tolist(), strict=True)
    return relevance_in_order(pairs, dict(zip(names, (qrels.grade >= min_relevant).tolist(), strict=True)))


def rows(forecast: Forecast, by_depth: bool = False) -> list[dict[str, Any]]:
    """One row per topic."""
    has_log = any(topic.recent_of is not None for topic in forecast.topics)
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
            **({"still finding": f"{topic.recent} of {topic.recent_of}"} if has_log else {}),
            **(_depth_forecast(topic) if by_depth else {}),
        }
        for topic in forecast.topics
    ]


def _depth_forecast(topic: TopicForecast) -> dict[str, str | None]:
    """The forecast beyond the pool's depth, and the back-test of the second half of the depths."""
    next_, test = topic.prediction, topic.back_test
    return {
        "forecast": next_ and f"{next_.predicted:.0f}",
        "back-test": test and f"{test.predicted:.0f}, {test.observed} found",
    }


def forecast_title(forecast: Forecast) -> str:
    """The title of the table."""
    many = sum(topic.level != "" for topic in forecast.topics)
    return f"{forecast.about}; {many} of {len(forecast.topics)} topics have many relevant documents"


def lines(forecast: Forecast) -> list[str]:
    """Return the back-test, the forecast and Chao's lower bound as sentences."""
    text = []
    if forecast.back_test is not None and forecast.prediction is not None and forecast.fit is not None:
        test, next_ = forecast.back_test, forecast.prediction
        text.append(
            f"Back-test: depths 1-{test.first - 1} predict {test.predicted:.0f} new relevant documents for depths"
            f" {test.first}-{test.last}; the pool has {test.observed}."
        )
        text.append(
            f"Forecast: depths {next_.first}-{next_.last} would find {next_.predicted:.0f} more"
            f" (n + 1 = {forecast.fit.c:.1f} p^{forecast.fit.s:.3f})."
            " If the two numbers of the back-test are far apart, do not trust this forecast."
        )
    else:
        text.append(
            f"No forecast by depth: a pool of depth {forecast.depth} is too shallow to fit and test a power law."
        )
    bound = forecast.bound
    text.append(
        f"Chao's lower bound: of the {bound.found} relevant documents, {bound.by_one} were found by only one"
        f" {forecast.unit}, and {bound.by_two} by exactly two. If {forecast.unit}s search independently, there are at"
        f" least {bound.estimate:.0f} relevant documents."
    )
    return text


def forecast_as_json(forecast: Forecast, to: int) -> dict[str, Any]:
    """Return the JSON document."""
    fit = forecast.fit
    return {
        "depth": forecast.depth,
        "to": to,
        "runs": forecast.runs,
        "teams": forecast.teams,
        "teams_given": forecast.teams_given,
        "new": list(forecast.new),
        "fit": fit
        and {"c": fit.c, "s": fit.s, "first": fit.depths[0], "last": fit.depths[1], "residual": fit.residual},
        **_predictions(forecast),
        "bound": forecast.bound._asdict(),
        "topics": [topic._asdict() | _predictions(topic) for topic in forecast.topics],
    }


def _predictions(forecast: Forecast | TopicForecast) -> dict[str, Any]:
    ahead, test = forecast.prediction, forecast.back_test
    return {
        "prediction": ahead and {name: value for name, value in ahead._asdict().items() if name != "observed"},
        "back_test": test and test._asdict(),
    }


def _refuse_unexplained(view: View, depth: int) -> None:
    """Refuse judgments of which a pool to the inferred depth of these runs is only a part."""
    who = require_contributors(view)
    if who.known_by != "judgments":
        return
    judged = view.blocks.joined
    pooled = np.isin(judged.tags, list(who.runs))[judged.ranking // len(judged.qids)]
    explained = len(np.unique(judged.judgment[pooled & (judged.rank <= depth)]))
    lack, n_judged = add_judged_share_below_depth(who, view, depth).lack, len(judged.qrels_grade)
    if not lack and n_judged - explained > MAX_UNEXPLAINED * n_judged:
        lack = (
            f"{n_judged - explained:,} of {n_judged:,} judged documents are not among the first {depth} documents of"
            " the runs that are assumed to be pooled"
        )
    if lack:
        remedy = "give the pool's depth with --depth K, or estimate the missing documents with --draw N OUT"
        raise InputError(f"no forecast: {lack}; {remedy}")


def forecast_of(
    view: CallView, depth: int | None = None, to: int | None = None, last: int = N_RECENT
) -> tuple[View, Forecast, int]:
    """The view of a view with its contributors, its forecast, and how deep that goes."""
    refuse_active_learning(view, depth, "a forecast by depth does not apply to it")
    refuse_other_than_depth(view, depth)
    view = with_contributors(view, depth)
    deep, least = depth_of(view, depth), view.min_relevant
    if depth is None:
        _refuse_unexplained(view, deep)
    members = group_runs_by_unit(view.run_info, require_contributors(view).runs, "team")
    order = view.read_from_store(
        lambda store: stored_relevance_in_order(store, view.qrels, least, view.setting.labellers), None
    )
    prediction = forecast(view.runs, view.qrels, members, deep, to=to, min_relevant=least, order=order, last=last)
    return view, prediction, to or 2 * deep
