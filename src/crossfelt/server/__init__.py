"""The server: store, accounts, tables, broadcast, HTTP and WebSocket."""
