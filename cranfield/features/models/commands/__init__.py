"""What the commands that ask models share: options, and what they say."""
