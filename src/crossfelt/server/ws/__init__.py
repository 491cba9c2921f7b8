"""WebSocket connections of the players' browsers."""
