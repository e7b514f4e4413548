"""The runs of a task scored: results once they are out, and a leaderboard that tells little before.

A leaderboard over a set of topics shows one measure as a mean in coarse steps, so each score tells at most log2(V)
bits, where V is the number of values it can have. All scores of all teams share one budget of bits. The set is not part
of the final results.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from cranfield.arrays.join import join_runs_with_common_topics
from cranfield.arrays.rankings import Qrels, Runs
from cranfield.call_view import CallView
from cranfield.errors import CranfieldError, InputError, StoreError, UndecidedError
from cranfield.features.tasks.checking import CheckedRun
from cranfield.features.tasks.description import SharedTask
from cranfield.features.tasks.results import TaskResults
from cranfield.features.tasks.rules import rules_of
from cranfield.features.tasks.sent_files import NOTHING_SENT, SentFile, check_file
from cranfield.features.tasks.store import description_text, leaderboard_topics, phase, task_of
from cranfield.features.tasks.submissions import BoardScore, bits_told, run_name, scores_of, submission_of
from cranfield.features.tasks.withdrawing import withdrawn_lines
from cranfield.formats import read_runs
from cranfield.formats.files import parse_byte_size
from cranfield.judging.labels.choice import (
    choose_labels,
    decided_labels,
    labelling_assessors,
    require_decided_labellers,
)
from cranfield.metrics.evaluate import score
from cranfield.metrics.notation import parse_measures
from cranfield.report.blocks import Section
from cranfield.selection import Labellers
from cranfield.store.rounds import Round, round_named, rounds
from cranfield.store.store import Store
from cranfield.text import counted


def results_of(store: Store, name: str | None = None) -> TaskResults:
    """The results of the runs that stand, without the topics of the leaderboard's set.

    Of several rounds those of one, by its name, or of the last that has runs: without what was judged before it.
    """
    own = scored_round(store, name)
    if own:
        store = store.select(replace(store.selection, round=own.name), store.left_out)
    number = (own or rounds(store)[-1]).number
    results = replace(_results(store), withdrawn=tuple(withdrawn_lines(store, number)))
    _ = results.trust  # while the store is open
    return results


def scored_round(store: Store, name: str | None = None) -> Round | None:
    """The round that results are of: by its name, or else the last that has runs; None where there is only one."""
    if name is not None:
        return round_named(store, name)
    some = [one for one in rounds(store) if one.number in scored_rounds(store)]
    return some[-1] if some and len(rounds(store)) > 1 else None


def scored_rounds(store: Store) -> set[int]:
    """The numbers of the rounds that have runs."""
    return {number for (number,) in store.rows("SELECT DISTINCT coalesce(round, 1) FROM run")}


def _results(store: Store) -> TaskResults:
    task = task_of(store)
    if not store.rows("SELECT 1 FROM run LIMIT 1"):
        raise StoreError("the collection has no runs; add the submitted runs with `cranfield task close`")
    labellers = require_decided_labellers(store)
    view = CallView.view_of_store(store, labellers)
    if board_topics := set(leaderboard_topics(store, task)):
        view = view.restrict_topics(
            np.array([at for at, qid in enumerate(view.judged.qids) if qid not in board_topics], int)
        )
    results = TaskResults.from_judged(view.judged, view.run_info, task.measures, rel=view.min_relevant)
    submissions = Counter(team for team, *_ in scores_of(store)) if board_topics else None
    return replace(results, view=view, submissions=submissions, labelled=_labelled(store, labellers))


def _labelled(store: Store, labellers: Labellers) -> str:
    """How many labels scored, of how many assessors and by which policy; pages for teams name no assessor."""
    labels = choose_labels(store, labellers)
    number = counted(len(labelling_assessors(store, labels)), "assessor")
    rule = f", policy {labellers.policy}" if labellers.policy else ""
    return f"{counted(len(labels.qrels), 'label')} by {'1 assessor' if labellers.assessor else number}{rule}"


def _results_for_teams(store: Store, name: str | None = None) -> TaskResults | None:
    """The results; None while there is nothing to score, or no label to score it by."""
    try:
        return results_of(store, name)
    except CranfieldError:
        return None


class TeamOverview(NamedTuple):
    """The results as a team sees them: a row a run, what a column is, and how far they can be trusted."""

    caption: str
    rows: list[dict[str, Any]]
    about: str
    trust: str
    withdrawn: Sequence[str] = ()


def overview_of(store: Store, team: str) -> TeamOverview | None:
    """The results as a team sees them: its runs, and others where the task names them; None while there are none."""
    results, names_all = _results_for_teams(store), task_of(store).names == "all"
    if results is None:
        return None
    rows = [row for row in results.overview() if names_all or row["team"] == team]
    own = scored_round(store)
    caption = f"Results{f' of round {own.name}' if own else ''}: means over all topics"
    withdrawn = _withdrawn_for(store, team, own)
    return TeamOverview(caption, rows, results.p_caption, results.trust.sentence(names_all), withdrawn)


def _withdrawn_for(store: Store, team: str, own: Round | None) -> Sequence[str]:
    number = (own or rounds(store)[-1]).number
    return withdrawn_lines(store, number, None if task_of(store).names == "all" else team)


def run_sections(store: Store, team: str, tag: str, round: int = 0) -> Sequence[Section]:
    """The page of a run of a team; nothing while there are no results."""
    one, names = submission_of(store, team, tag, round), {own.number: own.name for own in rounds(store)}
    results = _results_for_teams(store, names[one.round] if len(names) > 1 else None)
    return () if results is None else results.sections(run_name(store, one), task_of(store).names == "all")


def leaderboard_value(
    runs: Runs, qrels: Qrels, measure: str, topics: Sequence[str], *, step: float, rel: int = 1
) -> float:
    """Score a run as the leaderboard shows it.

    Parameters
    ----------
    runs : Runs
        One run.
    qrels : Qrels
        The judgments.
    measure : str
        The name of a measure from 0 to 1.
    topics : sequence of str
        The topics of the leaderboard's set. A topic without documents or judgments counts as 0.
    step : float
        The step to which the mean is rounded.
    rel : int
        The lowest grade that is relevant.

    Returns
    -------
    float
        The mean over the topics, from 0 to 1, as a multiple of the step.
    """
    selected_qrels = qrels.rows(np.isin(qrels.topics.names, np.array([*topics], object))[qrels.topic])
    values = score(join_runs_with_common_topics(runs, selected_qrels), parse_measures([measure], rel))
    return round_to_step(float(np.nan_to_num(values).sum() / len(topics)), step)


def round_to_step(mean: float, step: float) -> float:
    """Round a mean to the nearest step from 0 to 1.

    >>> round_to_step(0.4737, 0.05), round_to_step(1.2, 0.05), round_to_step(-0.1, 0.05)
    (0.45, 1.0, 0.0)
    """
    return round(round(min(max(mean, 0.0), 1.0) / step) * step, 6)


def score_on_board(store: Store, content: bytes) -> BoardScore | None:
    """The leaderboard's score of the run in a file.

    None if it scores none, no topic of its set is judged, or labels differ and the organiser chose none.
    """
    task = task_of(store)
    try:
        qrels = decided_labels(store).qrels
    except UndecidedError:  # the organiser reads it with the results; a team can do nothing about it
        return None
    topics = leaderboard_topics(store, task)
    if not {*topics} & {*qrels.qids}:
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder, "run")
        path.write_bytes(content)
        runs = read_runs(path)
    rel, measure = store.collection.min_relevant, task.measures[0]
    return BoardScore(leaderboard_value(runs, qrels, measure, topics, step=task.step, rel=rel), task.board_values)


class CheckedUpload(NamedTuple):
    """What was found in an upload, what the file is, and its score on the leaderboard, if it has one."""

    run: CheckedRun
    file: SentFile
    score: BoardScore | None


def check_upload(store: Store, content: bytes, team: str, tag: str, most: str) -> CheckedUpload:
    """What is found in a file that a team sent; what holds no run is an error like others."""
    try:
        run, file = check_file(tag or "run", rules_of(store, team, tag), parse_byte_size(most), content)
    except InputError as error:
        return CheckedUpload(CheckedRun.from_error(error), NOTHING_SENT, None)
    return CheckedUpload(run, file, None if run.errors else score_on_board(store, content))


class Leaderboard(NamedTuple):
    """What a team sees of how all teams stand."""

    caption: str
    rows: Sequence[Mapping[str, Any]]
    note: str


def has_leaderboard(store: Store) -> bool:
    """Whether teams see a leaderboard now."""
    task = task_of(store)
    return bool(task.topic_set) or (task.leaderboard == "after" and phase(store) == "results")


def leaderboard(store: Store, team: str) -> Leaderboard | None:
    """The leaderboard as a team sees it; None while there is none to see."""
    task, out = task_of(store), phase(store) == "results"
    if not has_leaderboard(store):
        return None
    if task.leaderboard == "after":
        results = _results_for_teams(store)
        if results is None:
            return Leaderboard("", [], "")
        table = [_hide_names(row, team, task, out) for row in results.overview()]
        lines = [f"{results.p_caption}.", *_withdrawn_for(store, team, scored_round(store))]
        return Leaderboard("All runs, best first", table, " ".join(lines))
    scores = scores_of(store)
    best = {name: max(mean for one, _, mean in scores if one == name) for name, *_ in scores}
    rows = [
        {"rank": 1 + sum(other > mean for other in best.values()), "team": name, str(task.measures[0]): mean}
        | {"submissions scored": sum(one == name for one, *_ in scores)}
        for name, mean in sorted(best.items(), key=lambda one: (-one[1], one[0] != team))
    ]
    topics = len(leaderboard_topics(store, task))
    note = (
        f"Each score is the best of at most {task.scored} submissions from a team, rounded to steps of {task.step:g}."
        f" It is a mean over {topics} topics that are not in the results. All scores together have revealed at most"
        f" {bits_told(store):.0f} of {task.bits} bits about the labels; a submission that would exceed the limit is"
        " not scored."
    )
    return Leaderboard("Teams, best first", [_hide_names(row, team, task, out) for row in rows], note)


def is_public(store: Store) -> bool:
    """Whether anybody may read the leaderboard: the task says so, and its results are out."""
    if not description_text(store):
        return False
    return task_of(store).public == "results" and phase(store) == "results"


def public_leaderboard(store: Store) -> Leaderboard:
    """The results as anybody sees them: with names if the task shows all names, otherwise without.

    Parameters
    ----------
    store : Store
        The store of a task whose results are public.

    Returns
    -------
    Leaderboard
        The rows of all runs, the best first; no rows if nothing is scored.
    """
    results, task = _results_for_teams(store), task_of(store)
    if results is None:
        return Leaderboard("", [], "")
    lines = [f"{results.p_caption}.", *_withdrawn_for(store, "", scored_round(store))]
    rows = [_hide_names(row, "", task, out=True) for row in results.overview()]
    rows = [{**row, "team": row["team"].replace("another team", "-")} for row in rows]
    return Leaderboard(
        f"All runs, best first: means over {counted(len(results.judged.qids), 'topic')}", rows, " ".join(lines)
    )


def _hide_names(row: Mapping[str, Any], team: str, task: SharedTask, out: bool) -> dict[str, Any]:
    """A row without what names another team, unless the task names all, and its results are out."""
    if row["team"] == team or (out and task.names == "all"):
        return dict(row)
    return {**row, "team": "another team", **({"run": "-"} if "run" in row else {})}
