"""What is published of a collection: its description, what the store knows of it, and the cards that say both."""
