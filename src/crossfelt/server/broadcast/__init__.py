"""Updates for all viewers of a table."""
