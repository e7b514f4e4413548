"""The names of this package and their modules, for type checkers and for `lazily`, which loads them."""

from cranfield.metrics.measure import Measure as Measure
from cranfield.metrics.measures.table import MEASURES as MEASURES
from cranfield.metrics.notation import every_measure as every_measure
from cranfield.metrics.notation import parse as parse
from cranfield.metrics.notation import register as register
from cranfield.metrics.tasks import tasks_for as tasks_for

__all__: list[str]
