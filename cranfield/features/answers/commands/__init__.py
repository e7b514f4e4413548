"""Evaluate generated answers: label nuggets, the support of citations, claims and questions."""
