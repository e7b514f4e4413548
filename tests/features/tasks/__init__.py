"""Tests of shared tasks."""
