"""The tasks in pytrec_eval."""

import numpy as np
import pytrec_eval


def load(data):
    """Dicts of dicts."""
    return {**vars(data)}


def one_run(qrels, run):
    topics = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run)
    return np.mean([topic["ndcg_cut_10"] for topic in topics.values()])


def many_runs(qrels, runs):
    names = ["map", "ndcg_cut_10", "P_10"]
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(names))
    means = {}
    for tag, run in runs.items():
        topics = evaluator.evaluate(run).values()
        means[tag] = {name: np.mean([topic[name] for topic in topics]) for name in names}
    return means


def per_topic(qrels, run):
    return pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run)


def compare_with_baseline(qrels, run, baseline):
    from scipy.stats import ttest_rel

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
    a, b = evaluator.evaluate(run), evaluator.evaluate(baseline)
    a, b = ([scores[topic]["ndcg_cut_10"] for topic in qrels] for scores in (a, b))
    return np.mean(a) - np.mean(b), ttest_rel(a, b).pvalue


def correct_many_systems(qrels, runs):
    from scipy.stats import ttest_rel
    from statsmodels.stats.multitest import multipletests

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
    scores = {}
    for tag, run in runs.items():
        topics = evaluator.evaluate(run)
        scores[tag] = [topics[topic]["ndcg_cut_10"] for topic in qrels]
    baseline = scores.pop("bm25")
    p = [ttest_rel(values, baseline).pvalue for values in scores.values()]
    return dict(zip(scores, multipletests(p, method="holm")[1], strict=True))


def training_loop(qrels, runs):
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
    best = 0
    for run in runs.values():
        topics = evaluator.evaluate(run)
        best = max(best, np.mean([topic["ndcg_cut_10"] for topic in topics.values()]))
    return best


def leave_one_out(qrels, runs):
    tops = {}
    for tag, run in runs.items():
        tops[tag] = {(q, d) for q, docs in run.items() for d in sorted(docs, key=docs.get, reverse=True)[:10]}
    scores = {}
    for tag, run in runs.items():
        unique = tops[tag].difference(*(top for other, top in tops.items() if other != tag))
        reduced = {q: {d: g for d, g in docs.items() if (q, d) not in unique} for q, docs in qrels.items()}
        topics = pytrec_eval.RelevanceEvaluator(reduced, {"ndcg_cut_10"}).evaluate(run)
        scores[tag] = np.mean([topic["ndcg_cut_10"] for topic in topics.values()])
    return scores


def plot(qrels, runs):
    import matplotlib.pyplot as plt

    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"})
    scores = [[topic["ndcg_cut_10"] for topic in evaluator.evaluate(run).values()] for run in runs.values()]
    figure, axes = plt.subplots()
    axes.boxplot(scores, tick_labels=list(runs), orientation="horizontal")
    return figure
