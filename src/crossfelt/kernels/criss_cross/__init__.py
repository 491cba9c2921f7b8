"""Kernels of Criss Cross Poker."""
