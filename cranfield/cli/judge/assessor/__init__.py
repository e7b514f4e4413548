"""Invite assessors to judge in the browser."""
