"""What people type: the `crossfelt` command."""
