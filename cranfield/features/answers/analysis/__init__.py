"""What a command computes from generated answers and nuggets."""
