"""Select the documents that assessors judge."""
