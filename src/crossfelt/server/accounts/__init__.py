"""Accounts, roles, sessions and log-in."""
