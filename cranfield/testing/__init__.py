"""Checks that a measure, pooling method, format or extension of your own keeps the laws that Cranfield's keep."""

from cranfield.testing.measures import MEASURE_LAWS, check_measure

__all__ = ["MEASURE_LAWS", "check_measure"]
