"""Checks that a measure or a pooling method of your own keeps the laws that Cranfield's own keep."""

from cranfield.testing.measures import MEASURE_LAWS, check_measure
from cranfield.testing.pooling import POOLING_LAWS, check_pooling_method

__all__ = ["MEASURE_LAWS", "POOLING_LAWS", "check_measure", "check_pooling_method"]
