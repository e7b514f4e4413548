"""What several formats need to read texts: encodings, and YAML."""
