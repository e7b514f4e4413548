"""What is measured: each task is one tool doing one thing, run in a process of its own.

`python -m benchmarks.tasks NAME ARGUMENTS...` prints one JSON line: the seconds of work, and some result to compare.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.file_shapes import SEVEN

THEIRS = {"map", "ndcg_cut_10", "P_10", "recip_rank", "Rprec", "bpref", "recall_1000"}


def load_modules() -> None:
    """Load what cranfield loads when first needed: imports are not work, of no tool."""
    import pandas  # noqa: F401
    import pyarrow.csv  # noqa: F401
    import scipy.special  # noqa: F401

    from cranfield.metrics import MEASURES  # noqa: F401
    from cranfield.store import qrels, runs  # noqa: F401


def cranfield_store(store: str) -> tuple[float, object]:
    """A store to seven measures."""
    from cranfield.arrays.join import JudgedRuns
    from cranfield.call_view import CallView
    from cranfield.metrics.evaluate import aggregate_scores, concatenate_scores, score_runs
    from cranfield.metrics.notation import parse_measures
    from cranfield.store.store import Store

    load_modules()
    start = time.perf_counter()
    measures = parse_measures(SEVEN)
    with Store.open(store) as there:
        judged = CallView.view_of_store(there).parts()
        assert isinstance(judged, JudgedRuns)  # a store has no blocks
        parts = [score_runs(part, measures) for part in judged]
    means = aggregate_scores(concatenate_scores(parts, judged.tags).values, measures)
    return time.perf_counter() - start, means[0, 0]


def cranfield_leave_one_out(qrels: str, *runs: str) -> tuple[float, object]:
    """Runs and qrels in memory to leave-one-run-out by AP at depth 100."""
    from cranfield.arrays.join import join_runs_and_qrels
    from cranfield.formats import read_qrels, read_runs
    from cranfield.metrics.reusability.leave_one_out import leave_one_out

    load_modules()
    read, judgments = read_runs(runs), read_qrels(qrels)
    start = time.perf_counter()
    judged = join_runs_and_qrels(read, judgments)
    reusability = leave_one_out(judged, {tag: [tag] for tag in judged.tags}, 100, measures=["AP"])
    return time.perf_counter() - start, reusability.summary["AP"].mean_change_percent


def pytrec_eval_files(qrels: str, *runs: str) -> tuple[float, object]:
    """Files to seven measures."""
    import pytrec_eval

    start = time.perf_counter()
    with open(qrels) as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), THEIRS)
    means = []
    for run in runs:
        with open(run) as file:
            scores = evaluator.evaluate(pytrec_eval.parse_run(file))
        means.append(sum(topic["map"] for topic in scores.values()) / len(scores))
    return time.perf_counter() - start, means[0]


def pytrec_eval_leave_one_out(qrels: str, left_out: str, *runs: str) -> tuple[float, object]:
    """The obvious loop for the first `left_out` runs: drop what only this run brought, evaluate everybody again."""
    import pytrec_eval

    with open(qrels) as file:
        judgments = pytrec_eval.parse_qrel(file)
    read = []
    for run in runs:
        with open(run) as file:
            read.append(pytrec_eval.parse_run(file))
    tops = [_tops(run) for run in read]
    start = time.perf_counter()
    changes = [_without(pytrec_eval, judgments, read, tops, number) for number in range(int(left_out))]
    return time.perf_counter() - start, changes


def _tops(run: dict[str, dict[str, float]]) -> set[tuple[str, str]]:
    tops = {q: sorted(d.items(), key=lambda item: (item[1], item[0]), reverse=True)[:100] for q, d in run.items()}
    return {(qid, docno) for qid, documents in tops.items() for docno, _ in documents}


def _without(pytrec_eval: Any, judgments: Any, read: Any, tops: Any, number: int) -> float:
    others = set().union(*(top for other, top in enumerate(tops) if other != number))
    unique = tops[number] - others
    pooled = {q: {d: g for d, g in grades.items() if (q, d) not in unique} for q, grades in judgments.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(pooled, {"map"})
    means: list[float] = [sum(t["map"] for t in evaluator.evaluate(run).values()) / len(judgments) for run in read]
    return means[number]


TASKS: dict[str, Callable[..., tuple[float, object]]] = {
    task.__name__: task
    for task in (cranfield_store, cranfield_leave_one_out, pytrec_eval_files, pytrec_eval_leave_one_out)
}

if __name__ == "__main__":
    seconds, result = TASKS[sys.argv[1]](*sys.argv[2:])
    print(json.dumps({"work": seconds, "result": result}))
