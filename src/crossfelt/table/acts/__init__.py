"""Acts: for each kind of command its roles, its conditions and its events."""
