"""Label a pool's documents with a language model: ask a server, or write and read batch files."""
