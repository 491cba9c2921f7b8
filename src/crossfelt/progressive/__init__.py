"""What builds up: meters with their own streams of events, awards and how they are shared, wheels."""
