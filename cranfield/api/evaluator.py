"""An evaluator: judgments and measures made ready once, for runs that come one after the other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cranfield.arrays.join import Judgments, join_runs_with_common_topics
from cranfield.arrays.judged import Judged
from cranfield.arrays.rankings import Floats
from cranfield.arrays.selection import topics_answered_by_run
from cranfield.errors import InputError, give_warning
from cranfield.metrics.dicts import DictJudgments
from cranfield.metrics.evaluate import aggregate_scores, is_answered, score_block
from cranfield.metrics.lists import is_listed_run, scores_of_lists
from cranfield.metrics.notation import as_measure_list, parse_measures
from cranfield.options.arguments import speaks_python
from cranfield.text import counted
from cranfield.view import (
    DEFAULT,
    Measures,
    QrelsGiven,
    RunsGiven,
    find_store,
    load_given_qrels,
    load_given_runs,
    min_relevant_grade,
    tell_unjudged,
)


class Evaluator:
    """Score one run at a time, for example in a training loop.

    The evaluator reads the judgments and the measures once. It computes the same scores as `cranfield.evaluate`, but
    its results use the measure names as given. A run may have any form that `evaluate` accepts; plain dicts {qid:
    {docno: score}} are fastest. A judged topic without a ranking scores 0, with a warning.

    Parameters
    ----------
    qrels : judgments or store
        The judgments in any form that `evaluate` accepts, such as a dict {query_id: {doc_id: grade}}.
    measures : measure or iterable of measures
        Names or measure objects, as in `cranfield.evaluate`. The results use the names as given: "map" stays map,
        whereas `evaluate` returns AP. Without a store, grades from 1 are relevant. Ties are broken as in trec_eval.
    retrieved_topics_only : bool
        Whether to average only over the topics for which a run retrieved documents, like pytrec_eval.

    See Also
    --------
    cranfield.evaluate : Score many runs at once.

    Examples
    --------
    Keep the best of several epochs:

    >>> evaluator = Evaluator({"q1": {"d1": 1, "d2": 0}}, "nDCG@10")
    >>> epochs = [{"q1": {"d1": 0.1, "d2": 0.7}}, {"q1": {"d1": 0.9, "d2": 0.7}}]
    >>> scores = [evaluator.evaluate(run)["nDCG@10"] for run in epochs]
    >>> scores.index(max(scores))
    1

    Several measures, means and by topic:

    >>> evaluator = Evaluator({"q1": {"d1": 1}, "q2": {"d2": 1}}, ["AP", "P@1"], retrieved_topics_only=True)
    >>> evaluator
    <Evaluator of AP, P@1 on 2 judged topics>
    >>> evaluator.evaluate({"q1": {"d9": 2.0, "d1": 1.0}, "q2": {"d2": 1.0}})
    {'AP': 0.75, 'P@1': 0.5}
    >>> evaluator.per_topic({"q1": {"d9": 2.0, "d1": 1.0}, "q2": {"d2": 1.0}})["q1"]
    {'AP': 0.5, 'P@1': 0.0}
    """

    @speaks_python
    def __init__(self, qrels: QrelsGiven, measures: Measures = DEFAULT, retrieved_topics_only: bool = False) -> None:
        rel = min_relevant_grade({}, qrels)
        by_name = {str(name): parse_measures(name, rel)[0] for name in as_measure_list(measures)}
        self.measures = parse_measures(by_name.values())
        self.retrieved_topics_only = retrieved_topics_only
        self._place = {name: self.measures.index(measure) for name, measure in by_name.items()}
        self._qrels, self._told = load_given_qrels(qrels), set[str]()
        if find_store(qrels) is None:
            tell_unjudged(self._qrels.grade, self._qrels.stratum is not None)
        bare = Judgments(self._qrels).judged_without_runs(["run"])
        docnos = self._qrels.docnos.names[self._qrels.document[bare.qrels_row]].tolist()
        places = [dict[str, int]() for _ in bare.qids]
        for place, (topic, docno) in enumerate(zip(bare.qrels_topic.tolist(), docnos, strict=True)):
            places[topic][docno] = place
        self._judgments = DictJudgments(bare, places)

    def __repr__(self) -> str:
        topics = counted(len(self._qrels.judged_topics), "judged topic")
        return f"<Evaluator of {', '.join(map(str, self.measures))} on {topics}>"

    @speaks_python
    def evaluate(self, run: RunsGiven) -> dict[str, float]:
        """Score a run over the topics.

        Parameters
        ----------
        run : run
            One run in any form that `evaluate` accepts.

        Returns
        -------
        dict of str to float
            The score by measure.
        """
        judged = self._judged(run)
        answers = is_answered(judged) if self.retrieved_topics_only else None
        return self._score_by_measure(aggregate_scores(score_block(judged, self.measures), self.measures, answers)[0])

    @speaks_python
    def per_topic(self, run: RunsGiven) -> dict[str, dict[str, float]]:
        """Score a run on each topic.

        Parameters
        ----------
        run : run
            One run in any form that `evaluate` accepts.

        Returns
        -------
        dict of str to dict of str to float
            The scores by topic and measure.
        """
        judged = self._judged(run)
        values = score_block(judged, self.measures)[0]
        rows = np.flatnonzero(is_answered(judged)[0]) if self.retrieved_topics_only else range(len(values))
        return {judged.qids[topic]: self._score_by_measure(values[topic]) for topic in rows}

    def _score_by_measure(self, values: Floats) -> dict[str, float]:
        scores = values.tolist()
        return {name: scores[place] for name, place in self._place.items()}

    def _judged(self, run: RunsGiven) -> Judged:
        if is_listed_run(run):
            run, lines = scores_of_lists(run)
            for line in lines:
                self._tell_once(f"run 'run': {line}")
        judged = self._judgments.meet({"run": run}) if isinstance(run, Mapping) else None
        judged = self._meet(run) if judged is None else judged
        if judged.unmet.qids or any(judged.unmet[3:]) or not judged.retrieved.all() or not len(judged.ranking):
            self._tell(judged)
        return judged

    def _meet(self, run: RunsGiven) -> Judged:
        """The judged positions of a run that is no plain dict."""
        runs = load_given_runs(run)
        if len(runs.tags) != 1:
            raise InputError(f"{len(runs.tags)} runs; expected one run; use `evaluate` for several runs")
        return join_runs_with_common_topics(runs, self._qrels)

    def _tell(self, judged: Judged) -> None:
        """Say what of the run and the judgments did not meet, each line once."""
        answered = topics_answered_by_run(judged)
        for line in answered.lines(own=self.retrieved_topics_only, common="retrieved_topics_only=True"):
            self._tell_once(line)

    def _tell_once(self, line: str) -> None:
        if line not in self._told:
            self._told.add(line)
            give_warning(line)
