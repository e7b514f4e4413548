"""How assessors judge: the full screen, line mode, and what both show and understand."""
