"""Documents in Python: passages of a store."""

from os import PathLike

from cranfield.api.inputs import StoreGiven, store_open
from cranfield.api.keywords import of_store
from cranfield.features.documents.options import PassageOptions


@of_store(PassageOptions)
def passages_build(store: StoreGiven, out: str | PathLike[str], options: PassageOptions) -> None:
    """Make a new store of the passages of a store, by sentences in windows, by words, or by headings."""
    from cranfield.features.documents.passages.building import build_passages

    with store_open(store) as there:
        build_passages(there, out, options)
