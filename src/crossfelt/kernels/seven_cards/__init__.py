"""Seven cards of a deck with a joker, independent of how they are set."""
