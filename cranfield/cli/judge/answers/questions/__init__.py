"""Ask a model which questions each answer would answer, for answer relevance."""
