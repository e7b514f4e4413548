"""The twelve tasks in cranfield."""

import cranfield


def load(data):
    """Dicts of dicts."""
    return {**vars(data)}


def one_run(qrels, run):
    return cranfield.evaluate(qrels, run, "nDCG@10").frame


def many_runs(qrels, runs):
    return cranfield.evaluate(qrels, runs, ["AP", "nDCG@10", "P@10"], pivot=True).frame


def per_topic(qrels, run):
    return cranfield.evaluate(qrels, run, "nDCG@10", per_topic=True).frame


def compare_with_baseline(qrels, run, baseline):
    return cranfield.compare(qrels, {"run": run, "baseline": baseline}, "nDCG@10", baseline="baseline").frame


def correct_many_systems(qrels, runs):
    return cranfield.compare(qrels, runs, "nDCG@10", baseline="bm25", correction="holm").frame


def own_measure(qrels, run):
    two_in_five = cranfield.metrics.register("TwoInFive", lambda r: r.sum(r.relevant(1, 5)) >= 2)
    return cranfield.evaluate(qrels, run, two_in_five).frame


def training_loop(qrels, runs):
    evaluator = cranfield.Evaluator(qrels, "nDCG@10")
    best = 0
    for run in runs.values():
        best = max(best, evaluator.evaluate(run)["nDCG@10"])
    return best


def fuse(runs):
    return cranfield.fuse(runs, method="rrf").frame


def pool_to_depth_10(runs):
    return cranfield.pooling.pool_runs(runs, depth=10).frame


def leave_one_out(qrels, runs):
    return cranfield.trust.leave_one_out(qrels, runs, by="run", depth=10, measures="nDCG@10").frame


def agreement(first, second):
    labels = {"first": first, "second": second}
    return cranfield.judging.measure_agreement(labels, coefficients=["Cohen kappa"], resamples=0).frame


def plot(qrels, runs):
    return cranfield.evaluate(qrels, runs, "nDCG@10").plot()
