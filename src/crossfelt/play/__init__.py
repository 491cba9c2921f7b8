"""A table in use: session, bots, typed commands, narration, card sources, faults, scripted rounds."""
