"""One table at work: commands, commits, schedule, chance, settings."""
