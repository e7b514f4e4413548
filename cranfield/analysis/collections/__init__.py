"""Whole collections into stores."""
