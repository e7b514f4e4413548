"""Finding relevant documents by hand: assessors search and judge what they find; topics in development."""
