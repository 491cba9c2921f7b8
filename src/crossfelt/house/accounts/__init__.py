"""Who people are, what they may do, and their play money."""
