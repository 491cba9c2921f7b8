"""The WebSocket: commands in, what happened out."""
