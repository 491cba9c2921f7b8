"""Drills: one module for each kind of question."""
