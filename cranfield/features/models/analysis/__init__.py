"""Labels by language models beside people's: audits, and estimates from a sample that people judged."""
