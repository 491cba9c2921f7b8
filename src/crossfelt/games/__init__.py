"""The games: how hands are formed, compared and settled."""
