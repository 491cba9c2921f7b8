"""Simulation of any compiled game, with confidence intervals.

from crossfelt.analysis import simulate

found = simulate("nj-criss-cross", rounds=1_000_000)
found.seats[0].house_edge_per_base.value, found.seats[0].house_edge_per_base.standard_error
"""
