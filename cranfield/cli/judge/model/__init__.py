"""Label with language models: ask them, and audit and correct their labels by people's."""
