"""The server's own stream: who did what, and which decisions two people took."""
