"""Hands: five-card, three-card, two-card and joker ranks."""
