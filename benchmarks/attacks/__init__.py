"""Attacks on a server of its own on loopback: every class of attack, tried, held and broken, as a table.

python -m benchmarks.attacks                # some minutes; prints the table of docs/security.md
python -m benchmarks.attacks --share 0.02   # a few seconds: a few tries of each quick class
"""
