"""Adjudication: settling what assessors disagree on, what matters most first or by a random sample."""
