"""Rounds by the million: any compiled game, seat by seat, with confidence intervals."""
