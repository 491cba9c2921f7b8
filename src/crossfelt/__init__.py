"""Crossfelt: casino table games from the regulation that defines them to a running table."""

__version__ = "0.1.0"
