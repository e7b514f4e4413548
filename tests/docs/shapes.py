"""The same few documents, topics, runs and judgments in every shape that people hold."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
from pyarrow import parquet

from tests.conftest import Cranfield
from tests.files import json_lines

DOCUMENTS = [{"_id": f"bw-{n}", "title": "", "text": f"lift drag wing{n}"} for n in range(101, 107)]
QUERIES = [{"_id": "W01", "text": "wings"}, {"_id": "W02", "text": "drag"}]
JUDGED = [
    {"query-id": "W01", "corpus-id": "bw-101", "score": 2.0},
    {"query-id": "W02", "corpus-id": "bw-102", "score": 1.0},
]
RUNS = [{"query_id": "W01", "doc_id": f"bw-{100 + n}", "score": 1 / n, "system": tag} for n in (1, 2) for tag in "xy"]
Rows = Sequence[Mapping[str, object]]


def write_texts(texts: Mapping[str, str], cranfield: Cranfield) -> None:
    for name, text in texts.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def write_tables(tables: Mapping[str, Rows], cranfield: Cranfield) -> None:
    for name, rows in tables.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pa.Table.from_pylist(rows), f"{name}.parquet")


write_beir = partial(
    write_texts,
    {
        "scifact/corpus.jsonl": json_lines(DOCUMENTS),
        "scifact/queries.jsonl": json_lines(QUERIES),
        "scifact/qrels/test.tsv": "query-id\tcorpus-id\tscore\nW01\tbw-101\t2\nW02\tbw-102\t1\n",
    },
)
write_hugging_face = partial(
    write_tables,
    {
        "nfcorpus/corpus/corpus-00000-of-00001": DOCUMENTS,
        "nfcorpus/queries/queries-00000-of-00001": QUERIES,
        "nfcorpus/data/dev-00000-of-00001": JUDGED,
        "nfcorpus/data/test-00000-of-00001": JUDGED,
    },
)
write_msmarco = partial(
    write_texts,
    {
        "collection.tsv": "".join(f"{one['_id']}\t{one['text']}\n" for one in DOCUMENTS),
        "queries.dev.tsv": "W01\twings\nW02\tdrag\n",
        "qrels.dev.tsv": "W01 0 bw-101 1\nW02 0 bw-102 1\n",
        "run.dev.tsv": "W01\tbw-102\t1\nW01\tbw-101\t2\n",
    },
)


def write_own_tables(cranfield: Cranfield) -> None:
    """Tables with column names that only their owner uses."""
    texts = {
        "questions.csv": "qid,prompt\nW01,wings\nW02,drag\n",
        "labels.csv": "query_id,doc_id,verdict\nW01,bw-101,2\nW02,bw-102,1\n",
    }
    write_texts(texts, cranfield)
    stories = [{"id": one["_id"], "story": one["text"]} for one in DOCUMENTS]
    write_tables({"documents": stories, "systems": RUNS}, cranfield)


write_outputs = partial(
    write_texts,
    {
        "reranked.jsonl": json_lines(
            [{"query": {"text": "wings", "qid": "W01"}, "candidates": [{"docid": "bw-101", "score": 2.5}]}]
        ),
        "predictions.json": '{"mteb_model_meta": {"model_name": "e5"}, "default": {"test": {"W01": {"bw-102": 0.5}}}}',
    },
)  # fmt: skip


def write_scores(cranfield: Cranfield) -> None:
    """What other tools leave: MTEB's results of three models on two tasks, trec_eval's output of two runs."""
    for number, model in enumerate("xyz"):
        folder = Path("results", model, "1")
        folder.mkdir(parents=True)
        (folder / "model_meta.json").write_text(json.dumps({"name": model}))
        for task in ("NFCorpus", "SciFact"):
            scores = {"test": [{"ndcg_at_10": number / len(task), "main_score": 0.5, "hf_subset": "default"}]}
            (folder / f"{task}.json").write_text(json.dumps({"task_name": task, "scores": scores}))
    Path("scores").mkdir()
    for name, run in (("a", "runs/bm25.gz"), ("b", "runs/lsa.gz")):
        Path(f"scores/{name}.txt").write_text(cranfield("trec-eval", "-q", "qrels.txt", run).out)
