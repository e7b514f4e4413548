"""What a published folder has of a store, and a store made of a published folder."""
