"""Labels: replayed from the log, merged under a policy, exported, explained."""
