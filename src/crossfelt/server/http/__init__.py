"""The HTTP side: middleware, routes, static files."""
