"""Kernels of Double Cross Poker."""
