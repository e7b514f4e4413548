"""Generated answers with citations, one file per format."""
