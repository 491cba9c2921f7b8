"""Scripted rounds: the file, its checks, the prepared table and the runner."""
