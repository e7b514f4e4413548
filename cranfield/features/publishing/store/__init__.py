"""What a store has for publication, and published folders as stores."""
