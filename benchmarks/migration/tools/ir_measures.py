"""The tasks in ir_measures."""

import ir_measures
import numpy as np
from ir_measures import AP, P, nDCG


def load(data):
    """Dicts of dicts."""
    return {**vars(data)}


def one_run(qrels, run):
    return ir_measures.calc_aggregate([nDCG @ 10], qrels, run)[nDCG @ 10]


def many_runs(qrels, runs):
    evaluator = ir_measures.evaluator([AP, nDCG @ 10, P @ 10], qrels)
    return {tag: evaluator.calc_aggregate(run) for tag, run in runs.items()}


def per_topic(qrels, run):
    return {m.query_id: m.value for m in ir_measures.iter_calc([nDCG @ 10], qrels, run)}


def compare_with_baseline(qrels, run, baseline):
    from scipy.stats import ttest_rel

    a = {m.query_id: m.value for m in ir_measures.iter_calc([nDCG @ 10], qrels, run)}
    b = {m.query_id: m.value for m in ir_measures.iter_calc([nDCG @ 10], qrels, baseline)}
    a, b = ([scores[topic] for topic in qrels] for scores in (a, b))
    return np.mean(a) - np.mean(b), ttest_rel(a, b).pvalue


def correct_many_systems(qrels, runs):
    from scipy.stats import ttest_rel
    from statsmodels.stats.multitest import multipletests

    evaluator = ir_measures.evaluator([nDCG @ 10], qrels)
    scores = {}
    for tag, run in runs.items():
        values = {m.query_id: m.value for m in evaluator.iter_calc(run)}
        scores[tag] = [values[topic] for topic in qrels]
    baseline = scores.pop("bm25")
    p = [ttest_rel(values, baseline).pvalue for values in scores.values()]
    return dict(zip(scores, multipletests(p, method="holm")[1], strict=True))


def own_measure(qrels, run):
    def two_in_five(qrels, run):
        top = run.sort_values("score", ascending=False).head(5)
        relevant = qrels[qrels["relevance"] >= 1]["doc_id"]
        return float(top["doc_id"].isin(relevant).sum() >= 2)

    measure = ir_measures.define_byquery(two_in_five, name="TwoInFive")
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


def training_loop(qrels, runs):
    evaluator = ir_measures.evaluator([nDCG @ 10], qrels)
    best = 0
    for run in runs.values():
        best = max(best, evaluator.calc_aggregate(run)[nDCG @ 10])
    return best


def leave_one_out(qrels, runs):
    tops = {}
    for tag, run in runs.items():
        tops[tag] = {(q, d) for q, docs in run.items() for d in sorted(docs, key=docs.get, reverse=True)[:10]}
    scores = {}
    for tag, run in runs.items():
        unique = tops[tag].difference(*(top for other, top in tops.items() if other != tag))
        reduced = {q: {d: g for d, g in docs.items() if (q, d) not in unique} for q, docs in qrels.items()}
        scores[tag] = ir_measures.calc_aggregate([nDCG @ 10], reduced, run)[nDCG @ 10]
    return scores


def plot(qrels, runs):
    import matplotlib.pyplot as plt

    evaluator = ir_measures.evaluator([nDCG @ 10], qrels)
    scores = [[m.value for m in evaluator.iter_calc(run)] for run in runs.values()]
    figure, axes = plt.subplots()
    axes.boxplot(scores, tick_labels=list(runs), orientation="horizontal")
    return figure
