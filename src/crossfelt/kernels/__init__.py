"""What must be fast: array code, compiled by Numba where NumPy would not do, and nothing else.

Importing a module of this folder imports NumPy, so the rest of the package does it inside functions, when the answer is
asked for; Numba starts with the first kernel that is called. Tables reach a kernel as arguments: an array that a kernel
took from its module would be frozen into the compiled code, and a change of the rule it was derived from would go
unnoticed.
"""
