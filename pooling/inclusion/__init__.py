"""What the documents of a sample stand for: by how likely each was to be drawn."""
