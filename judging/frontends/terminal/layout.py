"""How the full screen is laid out, without a colour of its own."""

SIDE = 42  # columns of the topic beside the document

CSS = """
#head { height: auto; max-height: 2; text-style: reverse; }
#place, #more { height: 1; }
#grades { height: auto; max-height: 3; }
#commands { height: 2; }
#place, #more { text-style: dim; }
#status { height: auto; max-height: 4; }
#labels { height: auto; max-height: 7; }
#page { display: none; }
#side { width: SIDE_COLUMNS; border-left: solid ansi_default; }
#line { display: none; height: 1; border: none; padding: 0; background: transparent; }
#line > .input--cursor { color: ansi_default; background: ansi_default; text-style: reverse; }
#grades { text-style: bold; }
""".replace("SIDE_COLUMNS", str(SIDE))
