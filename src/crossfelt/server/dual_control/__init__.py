"""The two-person rule: proposals, and approval by a second person."""
