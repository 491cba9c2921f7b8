"""Crossfelt side by side with its peers: one run, one machine, ratios.

Run ``python -m benchmarks``. A benchmark is a module with ``run(repeats) -> Iterator[Result]``, listed in
`benchmarks.__main__`.
"""
