"""Texts that hypothesis draws. Where it is to tell what UTF-8 has, it tries every character, which takes seconds."""

from hypothesis import strategies as st

CHARACTER = st.characters(exclude_categories=["Cs"])  # all that UTF-8 has
TEXT = st.text(CHARACTER)
