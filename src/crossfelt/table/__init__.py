"""What happens: commands, events, state, the script interpreter, irregularities and views."""
