"""Strategies as functions of what a seat may see: by name, of a user, as short cards; and their exact cost."""
