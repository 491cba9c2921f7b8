"""All tables of one process: their actors, their leases, their meters, and proposals about them."""
