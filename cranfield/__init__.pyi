"""The names of this package and their modules, for type checkers and for `lazily`, which loads them."""

from cranfield.api import compare as compare
from cranfield.api import correlate as correlate
from cranfield.api import curve as curve
from cranfield.api import evaluate as evaluate
from cranfield.api import leave_one_out as leave_one_out
from cranfield.api import pool as pool
from cranfield.api import read_qrels as read_qrels
from cranfield.api import read_runs as read_runs
from cranfield.errors import CranfieldError as CranfieldError
from cranfield.errors import InputError as InputError
from cranfield.errors import MeasureError as MeasureError
from cranfield.errors import StoreError as StoreError
from cranfield.formats import read_corpus as read_corpus
from cranfield.formats import read_topics as read_topics
from cranfield.formats.limits import limited as limited
from cranfield.store.store import Store as Store

__version__: str
__all__: list[str]
