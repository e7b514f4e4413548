"""Labels by language models: audit them against labels of people."""
