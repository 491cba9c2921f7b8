"""What can be typed at a table, for `help`: as much of it as the game has a use for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crossfelt.rulebooks.script import Decide, OfferBank, SetHands
from crossfelt.table.acts_betting import opening_wagers
from crossfelt.table.bots import SHORT_NAMES
from crossfelt.table.state import Table

WIDTH = 22


def help_lines(table: Table) -> Sequence[str]:
    """What can be typed, line by line.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> from crossfelt.table.state import new_table
    >>> help_lines(new_table(compile_game("md-criss-cross")))[1]
    'ante 10 bonus 5       with an optional wager; bonus 0 takes it off again'
    """
    return [f"{typed:<{WIDTH}}{does}" for typed, does in (*_wagers(table), *_decisions(table), *_ALWAYS)]


_ALWAYS = (
    ("cards, pays", "the cards that you may see; what hands pay"),
    ("balance", "chips, wagers on the layout, net"),
    ("why, why 7", "the clauses behind the last line, or line 7 of the log"),
    ("log, log 40", "what happened, each line with the number that why takes"),
    ("buy 100, leave", "more chips; get up from the seat, between rounds"),
    ("quit", "everybody leaves and the table closes"),
)


def _wagers(table: Table) -> Iterator[tuple[str, str]]:
    short = {wager: name for name, wager in SHORT_NAMES.items()}
    required = [wager.group or wager.id for wager in opening_wagers(table) if wager.required]
    others = sorted((w for w in opening_wagers(table) if not w.required), key=lambda w: w.unit == "credits")
    optional = [short.get(wager.id, wager.id.replace("_", " ")) for wager in others]
    first = required[0]
    each = "place the {0}s; the amount is that of each" if len(required) > 1 else "place the {0} wager"
    yield f"{first} 10", each.format(first)
    if optional:
        yield f"{first} 10 {optional[0]} 5", f"with an optional wager; {optional[0]} 0 takes it off again"
    in_credits = [short.get(wager.id, wager.id) for wager in opening_wagers(table) if wager.unit == "credits"]
    if in_credits:
        typed = " ".join(f"{name} {number}" for number, name in enumerate(in_credits, start=1))
        yield typed, "credits on your hand, on the dealer's, or on both"
    yield "rebet, clear", "the wagers of your last round; take your wagers back"
    yield "deal, or Enter", "no more bets: the dealer deals"
    yield "pass", "sit this round out"


def _decisions(table: Table) -> Iterator[tuple[str, str]]:
    script = table.game.book.script
    options = {option for step in script if isinstance(step, Decide) for option in step.options}
    if "bet" in options:
        yield "bet 3, 3x, 3", "bet three times the ante"
        yield "bet $25", "bet an amount"
    if "expose" in options:
        yield "expose, decline", "show your hand for the wager on it, or do not"
    if "vertical" in options:
        yield "vertical, horizontal", "play this line of the cross; the raise goes with it"
    if any(isinstance(step, OfferBank) for step in script):
        yield "bank, co-bank, pass", "hold the bank, alone or with the house; let it pass"
        yield "give back", "give the bank back, before the cards"
    if any(isinstance(step, SetHands) for step in script):
        yield "set Kd Qs, set kk", "these two in front, by name or by rank; Kd Qs will do"
        yield "ask, house way", "how the house would set your cards; have it set them"
        yield "surrender", "give up the hand for what the rules say"
    if "fold" in options:
        yield "fold", "give up the hand and what the rules say goes with it"
