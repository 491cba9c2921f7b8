"""Long computations in other processes: advice, returns, drills."""
