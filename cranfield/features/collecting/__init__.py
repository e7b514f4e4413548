"""Collections without a shared task: active learning, stopping rules, searching, systems outside, topics tried."""
