"""The `crossfelt` command line."""
