"""Choose the documents that assessors are to judge."""
