"""The names of this package and their modules, for type checkers and for `lazy_getattr`, which loads them."""

from cranfield import answers as answers
from cranfield import judging as judging
from cranfield import metrics as metrics
from cranfield import models as models
from cranfield import online as online
from cranfield import plot as plot
from cranfield import pooling as pooling
from cranfield import publish as publish
from cranfield import recipes as recipes
from cranfield import rounds as rounds
from cranfield import store as store
from cranfield import subjects as subjects
from cranfield import tasks as tasks
from cranfield import testing as testing
from cranfield import topics as topics
from cranfield import trust as trust
from cranfield.api.evaluator import Evaluator as Evaluator
from cranfield.api.measuring import read_qrels as read_qrels
from cranfield.api.measuring import read_runs as read_runs
from cranfield.api.reading import read_corpus as read_corpus
from cranfield.api.reading import read_topics as read_topics
from cranfield.collection import open_collection as open_collection
from cranfield.commands.comparison import compare as compare
from cranfield.commands.correlation import correlate as correlate
from cranfield.commands.curves import curve as curve
from cranfield.commands.evaluation import evaluate as evaluate
from cranfield.commands.runs import fuse as fuse
from cranfield.errors import CorpusWarning as CorpusWarning
from cranfield.errors import CranfieldError as CranfieldError
from cranfield.errors import CranfieldWarning as CranfieldWarning
from cranfield.errors import FormatWarning as FormatWarning
from cranfield.errors import InputError as InputError
from cranfield.errors import MeasureError as MeasureError
from cranfield.errors import MissingTopicWarning as MissingTopicWarning
from cranfield.errors import ModelError as ModelError
from cranfield.errors import ProvenanceWarning as ProvenanceWarning
from cranfield.errors import StoreError as StoreError
from cranfield.errors import UnjudgedWarning as UnjudgedWarning
from cranfield.formats.files import limited as limited
from cranfield.store.store import Store as Store

__version__: str
__all__: list[str]
