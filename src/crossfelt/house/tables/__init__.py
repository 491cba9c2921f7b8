"""Tables at work: one actor for each, with its dealer, its timers and those who look on."""
