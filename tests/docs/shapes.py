"""The same few documents, topics, runs and judgments in every shape that people hold."""

import json
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tests.conftest import Cranfield
from tests.files import json_lines

DOCUMENTS = [{"_id": f"d{n}", "title": "", "text": f"lift drag wing{n}"} for n in range(1, 7)]
QUERIES = [{"_id": "1", "text": "wings"}, {"_id": "2", "text": "drag"}]
JUDGED = [{"query-id": "1", "corpus-id": "d1", "score": 2.0}, {"query-id": "2", "corpus-id": "d2", "score": 1.0}]
RUNS = [{"query_id": "1", "doc_id": f"d{n}", "score": 1 / n, "system": tag} for n in (1, 2) for tag in "xy"]
TEXTS = {
    "scifact/corpus.jsonl": json_lines(DOCUMENTS),
    "scifact/queries.jsonl": json_lines(QUERIES),
    "scifact/qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\td1\t2\n2\td2\t1\n",
    "collection.tsv": "".join(f"{one['_id']}\t{one['text']}\n" for one in DOCUMENTS),
    "queries.dev.tsv": "1\twings\n2\tdrag\n",
    "qrels.dev.tsv": "1 0 d1 1\n2 0 d2 1\n",
    "run.dev.tsv": "1\td2\t1\n1\td1\t2\n",
    "questions.csv": "qid,prompt\n1,wings\n2,drag\n",
    "labels.csv": "query_id,doc_id,verdict\n1,d1,2\n2,d2,1\n",
    "qrels.json": '{"1": {"d1": 2}}',
    "run.json": '{"1": {"d1": 0.5, "d2": 0.25}}',
    "padded.run": "01 Q0 d1 1 2 padded\n02 Q0 d2 1 2 padded\n",
    "reranked.jsonl": '{"query": {"text": "wings", "qid": "1"}, "candidates": [{"docid": "d1", "score": 2.5}]}\n',
    "predictions.json": '{"mteb_model_meta": {"model_name": "e5"}, "default": {"test": {"1": {"d2": 0.5}}}}',
    "docs/brakes.md": "# Brakes\n\nOil the *chain*.\n",
    "docs/drafts/wheels.txt": "Wheels\n\nTrue them.\n",
    "more-topics.jsonl": '{"qid": "3", "title": "flow"}\n',
}
TABLES = {
    "nfcorpus/corpus/corpus-00000-of-00001": DOCUMENTS,
    "nfcorpus/queries/queries-00000-of-00001": QUERIES,
    "nfcorpus/data/dev-00000-of-00001": JUDGED,
    "nfcorpus/data/test-00000-of-00001": JUDGED,
    "documents": [{"id": one["_id"], "story": one["text"]} for one in DOCUMENTS],
    "systems": RUNS,
}


def leave(cranfield: Cranfield) -> None:
    """What other tools leave: MTEB's results of three models on two tasks, trec_eval's output of two runs."""
    for number, model in enumerate("xyz"):
        folder = Path("results", model, "1")
        folder.mkdir(parents=True)
        (folder / "model_meta.json").write_text(json.dumps({"name": model}))
        for task in ("NFCorpus", "SciFact"):
            scores = {"test": [{"ndcg_at_10": number / len(task), "main_score": 0.5, "hf_subset": "default"}]}
            (folder / f"{task}.json").write_text(json.dumps({"task_name": task, "scores": scores}))
    Path("scores").mkdir()
    for name, run in (("a", "a.run"), ("b", "bm25.run")):
        Path(f"scores/{name}.txt").write_text(cranfield("trec-eval", "-q", "qrels.txt", run).out)


def shapes(cranfield: Cranfield) -> None:
    """The files of the guide on data."""
    for name in ("scifact/qrels", "nfcorpus/corpus", "nfcorpus/queries", "nfcorpus/data"):
        Path(name).mkdir(parents=True)
    for name, text in TEXTS.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    for name, rows in TABLES.items():
        parquet.write_table(pa.Table.from_pylist(rows), f"{name}.parquet")
