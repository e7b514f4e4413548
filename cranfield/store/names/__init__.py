"""Names of documents and topics that come from files, against those of the store."""
