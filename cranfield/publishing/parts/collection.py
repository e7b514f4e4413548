"""collection.json: what a store needs to be restored from the folder besides the tables."""

from __future__ import annotations

import json
from collections.abc import Sequence

from cranfield import __version__
from cranfield.formats.whole_files import write_text
from cranfield.publishing.description.values import as_json
from cranfield.publishing.parts.part import Part, PublishedTable, Publishing
from cranfield.publishing.parts.runs import file_names
from cranfield.store.log import guidelines
from cranfield.store.published.contents import first_assessors, pools
from cranfield.store.runs import run_info

LAYOUT = 1
FILE = "collection.json"


def write(asked: Publishing) -> Sequence[PublishedTable]:
    store = asked.store
    about = run_info(store)
    document = {
        "layout": LAYOUT,
        "program": f"cranfield {__version__}",
        "collection": store.collection._asdict(),
        "guidelines": guidelines(store),
        "description": as_json(asked.description),
        "options": asked.options.to_json(),
        "topics": [topic.qid for topic in store.topics()],
        "pools": pools(store),
        "first_assessors": first_assessors(store),
        "runs": [
            {"tag": tag, "file": file, "team": info.team, "kind": info.kind, "description": info.description,
             "pooled": info.pooled, "depth": info.depth}
            for (tag, info), file in zip(about.items(), file_names(about).values(), strict=True)
        ],
    }  # fmt: skip
    write_text(asked.within(FILE), json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    return []


COLLECTION_PART = Part("collection", write)
