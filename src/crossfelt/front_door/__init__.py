"""The front door: a loaded game with its questions, a table in memory, hands, scripted rounds, verification.

`crossfelt/__init__.py` offers these names lazily; nothing else in the package imports them.
"""
