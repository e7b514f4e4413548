"""Adjudication: settling disagreements between assessors, the most important first or as a random sample."""
