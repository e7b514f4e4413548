"""corpus/: the documents by docno; without their texts, the hash of each."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield.formats.published.parquet import write_shards
from cranfield.formats.published.tables import CORPUS, CORPUS_WITHOUT_TEXT
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.store.published.contents import hashes, texts


def write_corpus(asked: Publishing) -> Sequence[PublishedTable]:
    folder = asked.within("corpus", "-").parent
    if asked.options.text:
        columns, files = CORPUS, write_shards(folder, "corpus", CORPUS, texts(asked.store))
    else:
        columns = CORPUS_WITHOUT_TEXT
        files = write_shards(folder, "corpus", columns, hashes(asked.store, withheld=True))
    return [PublishedTable(file, "corpus", columns) for file in files]


CORPUS_PART = Part("corpus", write_corpus)
