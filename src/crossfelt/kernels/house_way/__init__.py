"""House ways by the million: the rules of `crossfelt.rulebooks.house_ways`, compiled into numbers.

A house way becomes a list of lines (`compiled`), and one kernel goes through the lines for any hand (`deciding`).
Where no flush is possible only the ranks matter: the answers for all 68,952 sets of ranks are worked out once for
each house way (`by_ranks`), and looked up. `setting` sets arrays of hands, `counting` all there are.
"""

from crossfelt.kernels.house_way.batch import (
    SetHands,
    guard_counts,
    line_counts,
    lines_of,
    rule_counts,
    set_hands,
    visited,
)

__all__ = ["SetHands", "guard_counts", "line_counts", "lines_of", "rule_counts", "set_hands", "visited"]
