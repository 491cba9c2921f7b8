"""Progressive meters with their own streams of events, shared awards, and wheels."""
