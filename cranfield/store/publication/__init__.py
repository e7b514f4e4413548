"""What a store keeps and knows for the publication of its collection."""
