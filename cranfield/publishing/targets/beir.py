"""beir/: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, as BEIR has them."""

from __future__ import annotations

import numpy as np

from cranfield.errors import InputError
from cranfield.formats.jsonl import write_beir_corpus, write_beir_qrels, write_beir_topics
from cranfield.publishing.targets.target import Published, Target


def write(published: Published) -> None:
    """Write the folder; BEIR has no place for a corpus without texts."""
    asked, qrels = published.asked, published.asked.qrels
    if not asked.options.text:
        raise InputError("beir has no place for documents without texts; leave it out of --as")
    folder = asked.within("beir", "-").parent
    write_beir_corpus(folder, asked.store.documents())
    write_beir_topics(folder, asked.store.topics())
    for split, qids in asked.splits.items():
        names = qrels.topics.names[qrels.topic].tolist()
        rows = qrels.rows(np.array([name in qids for name in names], bool))
        write_beir_qrels(asked.within("beir", "qrels", f"{split}.tsv"), rows)


BEIR = Target("beir", "a BEIR folder", write=write)
