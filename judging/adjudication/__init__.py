"""Adjudication: settling what assessors disagree on, one by one or by a random sample."""
