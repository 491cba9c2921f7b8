"""The steps of a round, and of opening a table, as a dealer would be told them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crossfelt.rulebooks.render.phrases import as_words, delivery_words, joined
from crossfelt.rulebooks.script import (
    Compare,
    Deal,
    Decide,
    Discard,
    FirstHand,
    Lock,
    OfferBank,
    OpenBets,
    OpeningStep,
    Reveal,
    SetHands,
    Settle,
    Shuffle,
    Spin,
    Step,
    Stub,
)

OPENING: Final[Mapping[str, str]] = {
    "receive": "receives the cards",
    "inspect": "inspects the cards",
    "verify": "verifies the inspection",
    "spread": "spreads the cards face up",
    "show": "looks the spread cards over",
    "wash": "turns the cards face down and washes them",
    "stack": "stacks the cards",
    "shuffle": "shuffles",
    "cut": "has the cards cut",
    "load": "puts the cards where they are dealt from",
}
ACTORS: Final[Mapping[str, str]] = {
    "dealer": "The dealer",
    "floor": "The floor",
    "player": "The first player",
    "device": "The device",
}
ORDERS: Final[Mapping[str, str]] = {
    "clockwise": "clockwise from the dealer's left",
    "counter_clockwise": "counter-clockwise from the dealer's right",
}
COLLECTED: Final[Mapping[str, str]] = {
    "at_once": "at once",
    "before_reveal": "before the next cards are turned up",
    "after_reveal": "after the next cards are turned up",
}
SIGNALS: Final[Mapping[str, str]] = {
    "lock_out": "the wagering system locks",
    "start_button": "the start button is pressed",
}


def opening_words(step: OpeningStep) -> str:
    """
    >>> opening_words(OpeningStep(step="verify", by="floor"))
    'The floor verifies the inspection.'
    """
    return f"{ACTORS[step.by]} {OPENING[step.step]}."


def step_words(step: Step, titles: Mapping[str, str]) -> list[str]:
    """One step in a sentence or two, with the titles of wagers; what belongs under it follows line by line.

    >>> step_words(Reveal(id="reveal_middle", cards=("middle",)), {})
    ['Turned face up: middle.']
    """
    match step:
        case OfferBank():
            return [f"The bank is offered in turn, {ORDERS[step.order]}; without a taker the house banks."]
        case OpenBets():
            return [f"Wagers may be placed, changed and taken back: {joined(step.wagers)}."]
        case Lock():
            signals = "".join(f"; {SIGNALS[signal]}" for signal in step.also)
            return [f"The dealer announces “{step.announces}”{signals}."]
        case FirstHand():
            return ["Dice or a random number choose the position that gets the first stack."]
        case Deal():
            return ["Cards are dealt face down:", *(delivery_words(delivery) for delivery in step.deliver)]
        case Stub():
            return ["The rest of the deck goes to the discard rack, counted when a count is due."]
        case Decide():
            return _decide_words(step, titles.get(step.wager, step.wager))
        case Reveal():
            return [f"Turned face up: {joined(step.cards)}."]
        case SetHands():
            return [f"The {step.who} set the hands." if step.who == "players" else "The dealer sets the hand."]
        case Compare():
            named = f": {joined(step.wagers)}" if step.wagers else ""
            return [f"Hands are exposed and compared, {ORDERS[step.order]}; losing wagers are taken{named}."]
        case Settle():
            return _settle_words(step)
        case Spin():
            return [f"Whoever may spin does, {ORDERS[step.order]}: {joined(step.wagers)}."]
        case Discard():
            return ["Cards are picked up in an order from which every hand can be rebuilt."]
        case Shuffle():
            return ["The cards are mixed for the next round, and cut where a cut is due."]


def _decide_words(step: Decide, title: str) -> list[str]:
    options = " or ".join(map(as_words, step.options))
    lines = [f"Each player still in decides, {ORDERS[step.order]}, on the {title.lower()}: {options}."]
    if "fold" in step.options:
        keeps = f" and keeps {joined(step.fold_keeps)}" if step.fold_keeps else ""
        when = COLLECTED[step.collect_folds]
        lines.append(f"A fold gives up {joined(step.fold_forfeits)}{keeps}; collected {when}.")
    return lines


def _settle_words(step: Settle) -> list[str]:
    first = "every losing wager is collected first; " if step.losers_first else ""
    order = joined(step.wagers)
    hands = "hands are shown; " if step.shows_hands else ""
    return [f"Player by player, {ORDERS[step.order]}, {hands}{first}settled in this order: {order}."]
