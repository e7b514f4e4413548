"""Twelve tasks of evaluation in six tools: `python -m benchmarks.migration`; their code is in `tools`."""
