"""Documents in Python: passages of a store, and texts that are brought to it."""

from os import PathLike

from cranfield.api.arguments import checked
from cranfield.api.keywords import into_file, of_store
from cranfield.errors import give_warning
from cranfield.features.documents.options import FetchOptions, PassageOptions
from cranfield.view import StoreGiven, store_open


@checked
@into_file(PassageOptions)
def build_passages(store: StoreGiven, out: str | PathLike[str], options: PassageOptions) -> None:
    """Make a new store of the passages of a store, by sentences in windows, by words, or by headings."""
    from cranfield.features.documents.passages import build_passages

    with store_open(store) as there:
        build_passages(there, out, options)


@checked
@of_store(FetchOptions)
def fetch_texts(store: StoreGiven, options: FetchOptions) -> int:
    """Bring the texts of documents that a store only names, from `sources` or the files read before; how many."""
    from cranfield.features.documents.reference import fetch_texts

    with store_open(store) as there:
        number, message = fetch_texts(there, options)
    give_warning(message)
    return number
