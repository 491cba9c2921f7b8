"""What can be shown: commitments, and the tests of the shuffle."""
