"""The tasks in PyTerrier, of whose parts only those that run without Java are here."""

import pandas as pd
import pyterrier as pt
from ir_measures import AP, P, nDCG


def load(data):
    """DataFrames."""
    topics = pd.DataFrame({"qid": list(data.qrels), "query": list(data.qrels)})
    rows = [(topic, docno, grade) for topic, grades in data.qrels.items() for docno, grade in grades.items()]
    qrels = pd.DataFrame(rows, columns=["qid", "docno", "label"])
    runs = {}
    for tag, run in data.runs.items():
        rows = [(topic, docno, score) for topic, scores in run.items() for docno, score in scores.items()]
        frame = pd.DataFrame(rows, columns=["qid", "docno", "score"])
        runs[tag] = frame.assign(rank=frame.groupby("qid")["score"].rank(ascending=False).astype(int) - 1)
    return {"topics": topics, "qrels": qrels, "runs": runs}


def one_run(qrels, run):
    return pt.Evaluate(run, qrels, [nDCG @ 10])


def many_runs(topics, qrels, runs):
    return pt.Experiment(list(runs.values()), topics, qrels, [AP, nDCG @ 10, P @ 10], names=list(runs))


def per_topic(qrels, run):
    return pt.Evaluate(run, qrels, [nDCG @ 10], perquery=True)


def compare_with_baseline(topics, qrels, run, baseline):
    return pt.Experiment([baseline, run], topics, qrels, [nDCG @ 10], names=["baseline", "run"], baseline=0)


def correct_many_systems(topics, qrels, runs):
    tags = list(runs)
    return pt.Experiment(
        list(runs.values()), topics, qrels, [nDCG @ 10], names=tags, baseline=tags.index("bm25"), correction="holm"
    )


def own_measure(qrels, run):
    import ir_measures

    def two_in_five(qrels, run):
        top = run.sort_values("score", ascending=False).head(5)
        relevant = qrels[qrels["relevance"] >= 1]["doc_id"]
        return float(top["doc_id"].isin(relevant).sum() >= 2)

    return pt.Evaluate(run, qrels, [ir_measures.define_byquery(two_in_five, name="TwoInFive")])


def training_loop(qrels, runs):
    best = 0
    for run in runs.values():
        best = max(best, pt.Evaluate(run, qrels, [nDCG @ 10])["nDCG@10"])
    return best


def pool_to_depth_10(topics, runs):
    from functools import reduce
    from operator import or_

    return reduce(or_, [pt.Transformer.from_df(run) % 10 for run in runs.values()])(topics)


def leave_one_out(qrels, runs):
    tops = {}
    for tag, run in runs.items():
        top = run[run["rank"] < 10]
        tops[tag] = set(zip(top["qid"], top["docno"], strict=True))
    scores = {}
    for tag, run in runs.items():
        unique = tops[tag].difference(*(top for other, top in tops.items() if other != tag))
        kept = [pair not in unique for pair in zip(qrels["qid"], qrels["docno"], strict=True)]
        scores[tag] = pt.Evaluate(run, qrels[kept], [nDCG @ 10])["nDCG@10"]
    return scores


def plot(topics, qrels, runs):
    table = pt.Experiment(list(runs.values()), topics, qrels, [nDCG @ 10], names=list(runs), perquery=True)
    return table.pivot(index="qid", columns="name", values="value")[list(runs)].plot.box(vert=False).figure
