"""Labels: what is current for each pair, merged under a policy, exported, compared, explained."""
