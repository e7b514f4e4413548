"""Labels: what stands of each pair, merged under a policy, exported, compared, explained."""
