"""Text output that several commands share."""
