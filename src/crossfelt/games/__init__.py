"""What differs: how the hands of each game are formed, compared and settled."""
