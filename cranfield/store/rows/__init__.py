"""Documents and topics as rows that have a name."""
