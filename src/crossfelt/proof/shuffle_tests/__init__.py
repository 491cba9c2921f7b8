"""Statistical tests of the shuffle that ships. They need NumPy and SciPy: ``pip install "crossfelt[lab]"``.

These tests do not prove that the shuffle has no bias; a test that exhausts its draws does. Statistics can only say that
nothing else went wrong between the operating system's bits and the order of the cards.
"""
