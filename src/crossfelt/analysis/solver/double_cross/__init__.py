"""Double Cross Poker, solved exactly."""
