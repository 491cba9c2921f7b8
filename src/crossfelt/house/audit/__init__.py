"""What can be shown of a house: its own journal, signed heads over all streams, verification, exports."""
