"""Passages: documents cut by offsets into a store of its own, and rankings and judgments of passages as documents'."""
