"""What a benchmark found."""

from __future__ import annotations

import msgspec


class Disagreement(Exception):
    """Contenders do not give the same answer: their speed means nothing."""


class Figure(msgspec.Struct, frozen=True, kw_only=True):
    """How one contender did."""

    who: str
    value: float
    ours: bool = False


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured, in which unit, and how each contender did.

    >>> ours, theirs = Figure(who="crossfelt", value=100.0, ours=True), Figure(who="peer", value=400.0)
    >>> found = Result(name="one hand", unit="ns", figures=(ours, theirs), goal_ratio=1.0)
    >>> found.ratio(ours), found.goal_met
    (4.0, True)
    """

    name: str
    unit: str
    figures: tuple[Figure, ...]
    more_is_better: bool = False
    goal_ratio: float | None = None
    """How many times as fast as the fastest peer it shall be."""
    goal_value: float | None = None
    skipped: tuple[str, ...] = ()
    """Peers that could not take part, and why."""
    note: str = ""

    @property
    def fastest_peer(self) -> Figure | None:
        peers = [figure for figure in self.figures if not figure.ours]
        choose = max if self.more_is_better else min
        return choose(peers, key=lambda figure: figure.value) if peers else None

    def ratio(self, figure: Figure) -> float | None:
        """How many times as fast as the fastest peer a contender is; none without a peer."""
        peer = self.fastest_peer
        if peer is None:
            return None
        return figure.value / peer.value if self.more_is_better else peer.value / figure.value

    @property
    def goal_met(self) -> bool | None:
        """Whether all our figures reach the goal; none without a goal, or without a peer to compare with."""
        ours = [figure for figure in self.figures if figure.ours]
        if self.goal_value is not None:
            goal = self.goal_value
            return all((f.value >= goal) if self.more_is_better else (f.value <= goal) for f in ours)
        ratios = [self.ratio(figure) for figure in ours]
        if self.goal_ratio is None or None in ratios:
            return None
        return all(ratio is not None and ratio >= self.goal_ratio for ratio in ratios)
