"""Runs, judgments, and the one place where they meet: arrays that know nothing else."""
