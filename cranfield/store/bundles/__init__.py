"""Bundles: a part of a collection on its way to an assessor and back, whose file nobody need trust."""
