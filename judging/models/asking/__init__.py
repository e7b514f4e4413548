"""Ask a language model for labels: prompts, calls, strict parsing, budgets."""
