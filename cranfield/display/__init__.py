"""How the text of a document is displayed: its layout, hard-wrapped text that flows, and the one writer of markup."""
