"""Claims: what reference answers and answers say, and whether documents say it."""
