"""Generated answers: nuggets, support of citations, claims, and questions."""
