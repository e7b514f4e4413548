"""Search systems outside: asked over HTTP, run as a command, or made of embeddings; each is one TOML file."""
