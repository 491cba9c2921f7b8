"""A rulebook for readers: text, JSON, differences, and a submission to fill in."""
