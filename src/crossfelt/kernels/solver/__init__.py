"""Array code of the exact solver."""
