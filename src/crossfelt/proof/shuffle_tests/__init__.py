"""Statistical tests of the shuffle that ships. They need NumPy and SciPy: ``pip install "crossfelt[lab]"``.

That the shuffle has no bias is shown by exhausting its draws, not here. Statistics can only say that nothing
else went wrong between the operating system's bits and the order of the cards.
"""
