"""What keeps running: the store, tables at work, accounts and roles, HTTP and WebSocket."""
