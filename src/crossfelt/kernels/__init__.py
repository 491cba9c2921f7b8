"""Fast array code, compiled by Numba where NumPy does not suffice.

Importing a module of this folder imports NumPy, so the rest of the package imports it inside functions. Numba starts
with the first call of a kernel. Kernels receive tables as arguments: an array taken from a module would be frozen into
the compiled code, and a change of its rule would go unnoticed.
"""
