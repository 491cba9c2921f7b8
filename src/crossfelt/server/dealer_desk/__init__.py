"""The dealer's desk at a physical table."""
