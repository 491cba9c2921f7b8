"""The exact solver: reads a compiled game, and knows none by name.

`api` has the entry points. `round_plan` reads what a seat sees and decides, `payoffs` what its wagers are worth, and
the kernels count. The solver refuses questions that it cannot answer, by name and with the reason.
"""
