"""Streams of rows that are only ever added to, on SQLite or PostgreSQL."""
