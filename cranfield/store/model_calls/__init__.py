"""What models were asked and answered: prompts, settings, requests and calls."""
