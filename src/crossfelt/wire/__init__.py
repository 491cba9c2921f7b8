"""Messages of the WebSocket protocol, shared by server and client."""
