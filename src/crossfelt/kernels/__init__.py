"""What must be fast: Numba array code, and nothing else.

Importing a module of this folder imports Numba, so the rest of the package does it inside functions, when the
answer is asked for. Tables reach a kernel as arguments: an array that a kernel took from its module would be
frozen into the compiled code, and a change of the rule it was derived from would go unnoticed.
"""
