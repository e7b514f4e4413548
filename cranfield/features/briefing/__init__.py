"""Briefing: practice before an assessor's first topic, and questions to the organiser with their answers."""
