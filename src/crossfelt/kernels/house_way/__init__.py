"""House ways for many hands: the rules of `crossfelt.rulebooks.house_ways`, compiled to numbers.

`compiler` turns a house way into a list of lines, and the kernel in `decide` applies the lines to a hand. If no flush
is possible only the ranks matter; the settings of all 68,952 sets of ranks are computed once for each house way and
looked up. `batch` sets arrays of hands, and counts all hands.
"""
