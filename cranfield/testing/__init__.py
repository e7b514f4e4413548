"""Checks that a measure, pooling method or format of your own keeps the laws that Cranfield's own keep."""

from cranfield.testing.formats import FORMAT_LAWS, check_format
from cranfield.testing.measures import MEASURE_LAWS, check_measure
from cranfield.testing.pooling import POOLING_LAWS, check_pooling_method

__all__ = [
    "FORMAT_LAWS",
    "MEASURE_LAWS",
    "POOLING_LAWS",
    "check_format",
    "check_measure",
    "check_pooling_method",
]
