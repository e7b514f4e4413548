"""Whole collections: documents, topics and judgments from one place, one file per form."""
