"""Sweeps: exact solutions of many sets of rules, ranked by any figure.

from crossfelt.analysis.sweep.api import sweep

found = sweep("nj-criss-cross", pay={"bets.flush": [6, 7, 8]}, where=["edge between 3% and 5%"])
found.rows[0].values, found.rows[0].figures["house_edge.per_initial_wagers"]        # exact fractions
"""
