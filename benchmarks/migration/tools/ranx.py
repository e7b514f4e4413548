"""The tasks in ranx."""

import ranx


def load(data):
    """`Qrels` and `Run` objects."""
    return {
        "qrels": ranx.Qrels(data.qrels),
        "runs": {tag: ranx.Run(run, name=tag) for tag, run in data.runs.items()},
    }


def one_run(qrels, run):
    return ranx.evaluate(qrels, run, "ndcg@10")


def many_runs(qrels, runs):
    return {tag: ranx.evaluate(qrels, run, ["map", "ndcg@10", "precision@10"]) for tag, run in runs.items()}


def per_topic(qrels, run):
    ranx.evaluate(qrels, run, "ndcg@10")
    return run.scores["ndcg@10"]


def compare_with_baseline(qrels, run, baseline):
    report = ranx.compare(qrels, [run, baseline], ["ndcg@10"], stat_test="student")
    difference = report.results[run.name]["ndcg@10"] - report.results[baseline.name]["ndcg@10"]
    return difference, report.comparisons[run.name, baseline.name]["ndcg@10"]["p_value"]


def correct_many_systems(qrels, runs):
    from statsmodels.stats.multitest import multipletests

    report = ranx.compare(qrels, list(runs.values()), ["ndcg@10"], stat_test="student")
    tags = [tag for tag in runs if tag != "bm25"]
    p = [report.comparisons[tag, "bm25"]["ndcg@10"]["p_value"] for tag in tags]
    return dict(zip(tags, multipletests(p, method="holm")[1], strict=True))


def training_loop(qrels, runs):
    best = 0
    for run in runs.values():
        best = max(best, ranx.evaluate(qrels, run, "ndcg@10"))
    return best


def fuse(runs):
    return ranx.fuse(list(runs.values()), norm=None, method="rrf")


def leave_one_out(qrels, runs):
    tops = {}
    for tag, run in runs.items():
        tops[tag] = {(q, d) for q, docs in run.to_dict().items() for d in sorted(docs, key=docs.get, reverse=True)[:10]}
    scores = {}
    for tag, run in runs.items():
        unique = tops[tag].difference(*(top for other, top in tops.items() if other != tag))
        reduced = {q: {d: g for d, g in docs.items() if (q, d) not in unique} for q, docs in qrels.to_dict().items()}
        scores[tag] = ranx.evaluate(ranx.Qrels(reduced), run, "ndcg@10")
    return scores


def plot(qrels, runs):
    import matplotlib.pyplot as plt

    scores = [ranx.evaluate(qrels, run, "ndcg@10", return_mean=False) for run in runs.values()]
    figure, axes = plt.subplots()
    axes.boxplot(scores, tick_labels=list(runs), orientation="horizontal")
    return figure
