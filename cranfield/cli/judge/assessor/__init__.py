"""Invite assessors and adjudicators to work in the browser."""
