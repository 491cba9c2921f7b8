"""Criss Cross Poker, solved exactly."""
