"""The tasks in scikit-learn.

`dcg_score` takes arrays of one topic. `ndcg_score` does not know the relevant documents that a run did not retrieve.
"""

import numpy as np
from sklearn.metrics import cohen_kappa_score, dcg_score


def load(data):
    """Dicts of dicts."""
    return {**vars(data)}


def one_run(qrels, run):
    values = []
    for topic, grades in qrels.items():
        gains = [grades.get(doc, 0) for doc in run[topic]]
        ideal = [*grades.values()]
        dcg = dcg_score([gains], [[*run[topic].values()]], k=10)
        values.append(dcg / dcg_score([ideal], [ideal], k=10))
    return np.mean(values)


def per_topic(qrels, run):
    values = {}
    for topic, grades in qrels.items():
        gains = [grades.get(doc, 0) for doc in run[topic]]
        ideal = [*grades.values()]
        dcg = dcg_score([gains], [[*run[topic].values()]], k=10)
        values[topic] = dcg / dcg_score([ideal], [ideal], k=10)
    return values


def compare_with_baseline(qrels, run, baseline):
    from scipy.stats import ttest_rel

    scores = []
    for system in (run, baseline):
        values = []
        for topic, grades in qrels.items():
            gains = [grades.get(doc, 0) for doc in system[topic]]
            ideal = [*grades.values()]
            dcg = dcg_score([gains], [[*system[topic].values()]], k=10)
            values.append(dcg / dcg_score([ideal], [ideal], k=10))
        scores.append(values)
    return np.mean(scores[0]) - np.mean(scores[1]), ttest_rel(*scores).pvalue


def correct_many_systems(qrels, runs):
    from scipy.stats import ttest_rel
    from statsmodels.stats.multitest import multipletests

    scores = {}
    for tag, run in runs.items():
        values = scores[tag] = []
        for topic, grades in qrels.items():
            gains = [grades.get(doc, 0) for doc in run[topic]]
            ideal = [*grades.values()]
            dcg = dcg_score([gains], [[*run[topic].values()]], k=10)
            values.append(dcg / dcg_score([ideal], [ideal], k=10))
    baseline = scores.pop("bm25")
    p = [ttest_rel(values, baseline).pvalue for values in scores.values()]
    return dict(zip(scores, multipletests(p, method="holm")[1], strict=True))


def training_loop(qrels, runs):
    best = 0
    for run in runs.values():
        values = []
        for topic, grades in qrels.items():
            gains = [grades.get(doc, 0) for doc in run[topic]]
            ideal = [*grades.values()]
            dcg = dcg_score([gains], [[*run[topic].values()]], k=10)
            values.append(dcg / dcg_score([ideal], [ideal], k=10))
        best = max(best, np.mean(values))
    return best


def leave_one_out(qrels, runs):
    tops = {}
    for tag, run in runs.items():
        tops[tag] = {(q, d) for q, docs in run.items() for d in sorted(docs, key=docs.get, reverse=True)[:10]}
    scores = {}
    for tag, run in runs.items():
        unique = tops[tag].difference(*(top for other, top in tops.items() if other != tag))
        reduced = {q: {d: g for d, g in docs.items() if (q, d) not in unique} for q, docs in qrels.items()}
        values = []
        for topic, grades in reduced.items():
            gains = [grades.get(doc, 0) for doc in run[topic]]
            ideal = [*grades.values()]
            dcg = dcg_score([gains], [[*run[topic].values()]], k=10)
            values.append(dcg / dcg_score([ideal], [ideal], k=10))
        scores[tag] = np.mean(values)
    return scores


def agreement(first, second):
    pairs = [(grade, first[topic][doc]) for topic, grades in second.items() for doc, grade in grades.items()]
    return cohen_kappa_score(*zip(*pairs, strict=True))


def plot(qrels, runs):
    import matplotlib.pyplot as plt

    scores = []
    for run in runs.values():
        values = []
        for topic, grades in qrels.items():
            gains = [grades.get(doc, 0) for doc in run[topic]]
            ideal = [*grades.values()]
            dcg = dcg_score([gains], [[*run[topic].values()]], k=10)
            values.append(dcg / dcg_score([ideal], [ideal], k=10))
        scores.append(values)
    figure, axes = plt.subplots()
    axes.boxplot(scores, tick_labels=list(runs), orientation="horizontal")
    return figure
