"""The names of this package and their modules, for type checkers and for `lazy_getattr`, which loads them."""

from cranfield.testing.extensions import EXTENSION_LAWS as EXTENSION_LAWS
from cranfield.testing.extensions import check_extension as check_extension
from cranfield.testing.formats import FORMAT_LAWS as FORMAT_LAWS
from cranfield.testing.formats import check_format as check_format
from cranfield.testing.measures import MEASURE_LAWS as MEASURE_LAWS
from cranfield.testing.measures import check_measure as check_measure
from cranfield.testing.pooling import POOLING_LAWS as POOLING_LAWS
from cranfield.testing.pooling import check_pooling_method as check_pooling_method

__all__: list[str]
