"""Sampling designs: what has to be drawn, how likely each document is to be drawn, and what it then stands for."""
