"""Tables at work, and the registry of their meters."""
