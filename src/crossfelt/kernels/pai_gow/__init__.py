"""Kernels of Pai Gow Poker."""
