"""Crossfelt side by side with its peers on one machine, and the load rig. Not part of the installed package.

From the root of the repository: `python -m benchmarks` runs everything, `python -m benchmarks.load` the load rig.
"""
