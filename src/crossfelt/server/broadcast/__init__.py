"""Updates for everyone who looks at a table."""
