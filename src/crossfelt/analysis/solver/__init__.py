"""The exact solver: reads a compiled game, and knows none by name.

`api` has the entry points. `round_plan` reads what a seat sees and decides, `payoffs` what its wagers are worth, and
the kernels count. What the solver cannot answer it refuses by name, with the reason.
"""
