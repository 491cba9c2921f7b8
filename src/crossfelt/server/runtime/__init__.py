"""Parts of a running process: clock, inbox, periodic tasks, limits, logs, metrics."""
