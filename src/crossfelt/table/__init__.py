"""The table engine: commands, events, state, the steps of a round, irregularities and views."""
