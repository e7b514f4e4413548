"""Labels by language models: how far they can be trusted, and what people's labels of a sample make of them."""
