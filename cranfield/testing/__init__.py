"""Checks that a measure, pooling method, format or extension of your own keeps the laws that Cranfield's own keep."""

from cranfield.testing.extensions import EXTENSION_LAWS, check_extension
from cranfield.testing.formats import FORMAT_LAWS, check_format
from cranfield.testing.measures import MEASURE_LAWS, check_measure
from cranfield.testing.pooling import POOLING_LAWS, check_pooling_method

__all__ = [
    "EXTENSION_LAWS",
    "FORMAT_LAWS",
    "MEASURE_LAWS",
    "POOLING_LAWS",
    "check_extension",
    "check_format",
    "check_measure",
    "check_pooling_method",
]
