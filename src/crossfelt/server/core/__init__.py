"""One table on the server: its settings, requests, plans, commits, random outcomes and recovery."""
