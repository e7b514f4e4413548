"""Calls that mypy --strict and pyright accept: every kind of judgments and runs, and a function of each namespace.

Nothing runs this file.
"""

from pathlib import Path

import numpy as np
import pandas as pd

import cranfield
from cranfield.metrics import AP, P, nDCG
from cranfield.testing import check_measure
from cranfield.trust import depths

QRELS = {"q": {"d": 1}}
RUNS = {"bm25": {"q": {"d": 1.0}}}


def measure_runs(store: cranfield.Store, frame: pd.DataFrame) -> None:
    scores = cranfield.evaluate(QRELS, RUNS, ["AP", nDCG @ 10, P(rel=2) @ 5], per_topic=True, labels="people")
    table: pd.DataFrame = scores.frame
    scores.to_json().splitlines()
    table.to_csv("scores.csv")
    cranfield.evaluate("qrels.txt", ["a.run", Path("b.run")], AP)
    cranfield.evaluate(frame, frame, "AP", pivot=True)
    cranfield.evaluate(store, judged="residual", round="2")
    cranfield.evaluate(store, subject=cranfield.subjects.GeneratedAnswers(nuggets="people"))
    cranfield.evaluate(cranfield.open_collection(store).select(topics="train"))
    cranfield.curve(Path("qrels.txt"), "a.run", points="raw", rule=None, rel=2)
    cranfield.correlate({"a": 0.1, "b": 0.2}, {"a": 0.3, "b": 0.1})
    cranfield.compare(QRELS, RUNS, measures="AP", baseline="bm25")
    cranfield.fuse(RUNS, method="rrf")
    evaluator = cranfield.Evaluator(QRELS, ["RR", AP])
    evaluator.evaluate({"q": {"d": 1.0}})["RR"].hex()


def read_files() -> None:
    cranfield.read_runs(["a.run", "b.run"]).to_csv("runs.csv")
    cranfield.read_qrels("qrels.txt", format="auto")
    cranfield.read_corpus("corpus.jsonl")
    cranfield.read_topics(Path("topics.tsv"))
    with cranfield.limited():
        pass


def use_namespaces(store: cranfield.Store) -> None:
    cranfield.trust.reusability(QRELS, RUNS, depth=10)
    cranfield.trust.diagnose(QRELS, RUNS, {"q": {"d": 1.0}}, draw=(5, "draw.tsv"), rng=7).frame.to_csv("scores.csv")
    cranfield.trust.leave_one_out(store, subject=cranfield.subjects.GeneratedAnswers())
    cranfield.metrics.list_measures(subject=cranfield.subjects.InteractionLogs())
    cranfield.store.search_corpus(store, subject=cranfield.subjects.Variations())
    cranfield.store.import_corpus(store, "docs", subject=cranfield.subjects.FolderDocuments(dry_run=True))
    depths(QRELS, RUNS, by="team")
    cranfield.trust.stability(store, labels="models")
    cranfield.store.info("track.db").rows()
    cranfield.store.import_topics(store, "topics.tsv")
    cranfield.store.withdraw(store, "topic", ["7"], reason="unclear")
    cranfield.topics.split_into_folds("track.db", "fold", folds=5, rng=np.random.default_rng(7))
    cranfield.topics.measure_hardness(QRELS, RUNS, measure=AP)
    cranfield.pooling.build_pool(store, method="depth", depth=10)
    cranfield.pooling.summarize_pool(store, by="team")
    cranfield.pooling.verify_pool(QRELS, RUNS)
    cranfield.pooling.forecast_completeness(store, draw=(100, Path("draw.tsv")), rng=np.random.default_rng(7))
    cranfield.judging.progress(store)
    cranfield.judging.measure_agreement(store, by="pair", coefficients=["overlap"])
    cranfield.models.assess(store, cranfield.models.Asking("qwen", "http://localhost:8000/v1"))
    cranfield.models.draw_audit_sample(store, model="qwen", assessor="bob", size=50)
    cranfield.answers.list_nuggets(store, labels="people")
    cranfield.online.interleave(["a.run", "b.run"])
    cranfield.online.compare_arms(store, control="a")
    cranfield.rounds.summarize(store)
    cranfield.tasks.list_results(store)
    cranfield.recipes.list_collections()
    cranfield.publish.check_folder("published")
    cranfield.plot.score_distribution(pd.DataFrame())
    cranfield.metrics.parse("nDCG@10")
    cranfield.metrics.p_mrr(QRELS, {"q": {"d": 1.0}}, changed={"q": ["d"]})


def check_own_measure() -> None:
    check_measure(AP)
