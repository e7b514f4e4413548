"""Publishing: the description of a collection."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield.api.inputs import StoreGiven, store_open


def publish_describe(store: StoreGiven, values: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Set fields of the description of a collection for its publication; an empty value removes what was set.

    What it returns is the JSON of `cranfield publish describe`: "description", "inherited" (fields that come from the
    collection) and "open" (required fields that nobody has filled, by target).

    >>> from cranfield import Store
    >>> with Store.memory("My track") as store:
    ...     found = publish_describe(store, {"licence": "cc-by-4.0", "language": ["en"]})
    >>> found["description"]
    {'name': 'my-track', 'title': 'My track', 'licence': 'CC-BY-4.0', 'language': ['en']}
    >>> found["open"]["hf"][:4]
    ['version', 'date', 'description', 'creators']
    """
    from cranfield.publishing.stored import describe, description_document

    with store_open(store) as there:
        if values:
            describe(there, values)
        return description_document(there)
