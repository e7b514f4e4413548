"""The chain of the logs of answers, of preferences and of calls of models, in a table beside them."""
