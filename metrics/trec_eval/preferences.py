"""The output of trec_eval for preferences (-R prefs, -R qrels_prefs)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cranfield.arrays.rankings import Runs
from cranfield.errors import InputError, MeasureError
from cranfield.formats.preferences import PreferenceLine
from cranfield.metrics.preferences.measures import MEASURES
from cranfield.metrics.preferences.scores import mean, rankings, scores
from cranfield.metrics.trec_eval.output import TrecEvalOptions, printed

ABOUT = ("runid", "num_q")
PREFERENCE_NICKNAMES: Mapping[str, Sequence[str]] = {"all_prefs": (*ABOUT, *MEASURES), "prefs": (*ABOUT, *list(MEASURES)[:6])}


def preference_lines(names: Sequence[str]) -> list[str]:
    """The measures that trec_eval prints for these names and nicknames, in its order.

    >>> preference_lines(["prefs_simp", "num_q"])
    ['num_q', 'prefs_simp']
    >>> preference_lines(["map"])
    Traceback (most recent call last):
    cranfield.errors.MeasureError: 'map' is not a measure of preferences; they are all_prefs, prefs, runid, num_q,
    prefs_num_prefs_poss, prefs_num_prefs_ful, prefs_num_prefs_ful_ret, prefs_simp, ...
    """
    known = [*ABOUT, *MEASURES]
    given = [single for name in names for single in PREFERENCE_NICKNAMES.get(name, (name,))]
    for name in given:
        if name not in known:
            few = ", ".join([*PREFERENCE_NICKNAMES, *known[:6]])
            raise MeasureError(f"{name!r} is not a measure of preferences; they are {few}, ...")
    return [name for name in known if name in given]


def preference_evaluation(
    runs: Runs, lines: Sequence[PreferenceLine], names: Sequence[str], settings: TrecEvalOptions
) -> Iterator[str]:
    """What trec_eval prints for one run, line by line."""
    ranked = rankings(runs, settings.most)
    measures = [name for name in names if name in MEASURES]
    found = list(scores(lines, ranked, measures, settings.complete))
    if not found:
        raise InputError(f"run {runs.tags[0]} retrieved nothing for a topic with preferences; with -c it scores 0")
    if settings.per_topic:
        for qid, values in found:
            yield from (printed(name, qid, value) for name, value in values.items())
    if settings.summary:
        about: dict[str, str | int] = {"runid": runs.tags[0], "num_q": len(found)}
        for name in names:
            value = about.get(name) or mean(name, [values[name] for _, values in found])
            yield printed(name, "all", value)
