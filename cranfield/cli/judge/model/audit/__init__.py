"""Draw a sample of a model's labels for a person to judge, compare both, and estimate what people would have said."""
