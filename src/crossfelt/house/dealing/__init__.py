"""The dealer's desk: what is to be done next, what must be said with it, what is taken and paid, what goes wrong."""
