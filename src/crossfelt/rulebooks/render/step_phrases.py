"""The steps of a round, and of opening a table, in words for a dealer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from crossfelt.rulebooks import script as s
from crossfelt.rulebooks.hand_forms import Group, side_of
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.phrases import as_words, delivery_words, the, wagers_in_words

if TYPE_CHECKING:
    from crossfelt.rulebooks.game import Game

OPENING: Final[Mapping[str, str]] = {
    "receive": "receives the cards",
    "inspect": "inspects the cards",
    "verify": "verifies the inspection",
    "spread": "spreads the cards face up",
    "show": "inspects the spread cards",
    "wash": "turns the cards face down and washes them",
    "stack": "stacks the cards",
    "shuffle": "shuffles",
    "cut": "has the cards cut",
    "load": "loads the cards for dealing",
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


def opening_words(step: s.OpeningStep) -> str:
    """
    >>> opening_words(s.OpeningStep(step="verify", by="floor", other_than="inspect"))
    'The floor verifies the inspection; the person who inspects may not do this.'
    """
    second = f"; the person who {step.other_than}s may not do this" if step.other_than else ""
    return f"{ACTORS[step.by]} {OPENING[step.step]}{second}."


def step_words(step: s.Step, book: Rulebook) -> list[str]:
    """Describe a step of a rulebook in a sentence; its details follow line by line.

    >>> from crossfelt.rulebooks.loader import load
    >>> step_words(s.Reveal(id="reveal_middle", cards=("middle",)), load("nj-criss-cross"))
    ['The dealer turns up: middle.']
    """
    titles = {wager.id: wager.title for wager in book.wagers}
    match step:
        case s.OfferBank():
            return [f"The bank is offered in turn, {ORDERS[step.order]}. If no player takes it, the house banks."]
        case s.OpenBets():
            return [f"Players may place, change and withdraw wagers: {wagers_in_words(step.wagers, titles)}."]
        case s.Lock():
            signals = "".join(f"; {SIGNALS[signal]}" for signal in step.also)
            return [f"The dealer announces “{step.announces}”{signals}."]
        case s.FirstHand():
            return ["Dice or a random number determine which position gets the first stack."]
        case s.Deal():
            return ["The dealer deals the cards face down:", *(delivery_words(delivery) for delivery in step.deliver)]
        case s.Stub():
            return ["The stub goes to the discard rack. It is counted first when a count is due."]
        case s.Decide():
            return _decide_words(step, titles)
        case s.Reveal():
            return [f"The dealer turns up: {', '.join(_turned_up(step.cards, book.groups))}."]
        case s.SetHands():
            return ["The players set their hands." if step.who == "players" else "The dealer sets the dealer's hand."]
        case s.Compare():
            named = f": {wagers_in_words(step.wagers, titles)}" if step.wagers else ""
            exposed = f"The dealer exposes and compares the hands, {ORDERS[step.order]}"
            return [f"{exposed}, and collects losing wagers at once{named}."]
        case s.Settle():
            return _settle_words(step, titles)
        case s.Spin():
            return [
                f"Players entitled to a spin take it, {ORDERS[step.order]}: {wagers_in_words(step.wagers, titles)}."
            ]
        case s.Discard():
            return ["The dealer picks up the cards in an order from which every hand can be reconstructed."]
        case s.Shuffle():
            return ["The cards are shuffled for the next round, and cut where a cut is required."]


def _turned_up(cards: Sequence[str], groups: Iterable[Group]) -> Iterator[str]:
    """Yield the cards of a reveal: a group by its name, with numbers where some of it is turned up.

    >>> hole = Group(id="hole", owner="positions", cards=2)
    >>> list(_turned_up(("board_1", "dealer_hole_1", "dealer_hole_2"), [hole]))
    ['board 1', "the dealer's hole cards"]
    >>> list(_turned_up(("dealer_hole_2",), [hole]))
    ["the dealer's hole card 2"]
    """
    said: dict[str, str] = {}
    for group in groups:
        for start, side in (("", ""), ("dealer_", "dealer's ")):
            up = [number for number, place in enumerate(group.names, 1) if f"{start}{place}" in cards]
            name = f"the {side}{as_words(group.id).removesuffix(' cards')} card"
            if len(up) == group.cards > 1:
                words = f"{name}s"
            elif up and not group.places:
                words = f"{name}{'s' if len(up) > 1 else ''} {_listed(up)}"
            else:
                continue
            said |= dict.fromkeys((f"{start}{group.names[number - 1]}" for number in up), words)
    yield from dict.fromkeys(said.get(place, as_words(place)) for place in cards)


def _listed(numbers: Sequence[int]) -> str:
    run = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
    return f"{numbers[0]} to {numbers[-1]}" if run else " and ".join(map(str, numbers))


def _decide_words(step: s.Decide, titles: Mapping[str, str]) -> list[str]:
    options = " or ".join(_action_words(action, titles) for action in step.actions)
    wager = the(wagers_in_words([step.wager], titles))
    without = f" who has not placed {the(wagers_in_words(step.without, titles))}" if step.without else ""
    lines = [f"Each player still in the round{without} decides on {wager}, {ORDERS[step.order]}: {options}."]
    for word, marks in (("unless", step.when), ("if", step.unless)):
        for hand, mark in marks.items():
            side, own = side_of(hand)
            named = f"the {side}'s {as_words(own)} hand" if side else f"the {as_words(own)} hand"
            lines.append(f"A player is passed over {word} the mark “{as_words(mark)}” fits {named}.")
    if step.fold is not None:
        keeps = f", and keeps {wagers_in_words(step.fold.keeps, titles)}" if step.fold.keeps else ""
        when = COLLECTED[step.collect_folds]
        lines.append(
            f"A fold forfeits {wagers_in_words(step.fold.forfeits, titles)}{keeps}. Forfeits are collected {when}."
        )
    if step.silent is not None:
        lines.append(f"A player who does not answer {SILENT[step.silent]}.")
    return lines


SILENT: Final = {
    "bet": "makes the smallest bet",
    "check": "checks",
    "fold": "folds",
    "expose": "shows the cards",
    "decline": "gives up the wager",
    "withdraw": "takes the wager back",
}


def _action_words(action: s.Action, titles: Mapping[str, str]) -> str:
    """
    >>> _action_words(s.Action(bet="raise", choose="played"), {}), _action_words(s.Action(bet="play", times=(3, 4)), {})
    ('bet and name the played hand', 'bet 3 or 4 times')
    >>> _action_words(s.Action(withdraw="bet_1"), {"bet_1": "Bet 1"})
    'take back bet 1'
    >>> _action_words(s.Action(check=True, title="pull"), {})
    '“pull”'
    """
    if action.title:
        return f"“{action.title}”"
    if action.withdraw is not None:
        return f"take back {the(wagers_in_words([action.withdraw], titles))}"
    if action.bet is not None:
        plural = "" if action.times == (1,) else "s"
        times = f" {' or '.join(map(str, action.times))} time{plural}" if action.times else ""
        most = "".join(f", at most {ceiling.times}x{_if_marked(ceiling)}" for ceiling in action.most)
        return f"bet{times}{most}" + (f" and name the {as_words(action.choose)} hand" if action.choose else "")
    if action.forfeit:
        return f"give up the {wagers_in_words(action.forfeit, titles)}"
    return f"show the {as_words(action.expose)} cards" if action.expose else action.forms[0]


BUTTONS: Final[Mapping[str, str]] = {
    "check": "Check",
    "fold": "Fold",
    "expose": "Show hand",
    "decline": "Keep hidden",
}


def choice_titles(game: Game, step: s.Decide) -> dict[str, str]:
    """Return the choices of a decision as their buttons have them; a bet only where it has one multiple.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-double-cross")
    >>> choice_titles(game, next(step for step in game.book.script if step.id == "decide_play"))
    {'vertical': 'Play vertical', 'horizontal': 'Play horizontal', 'fold': 'Fold'}
    """
    actions = {action.name: action for action in step.actions}
    titles = {name: _choice_title(game, actions.get(name), name) for name in game.options(step)}
    return {name: title for name, title in titles.items() if title}


def choice_title(name: str, titles: Mapping[str, str]) -> str:
    """Return a choice as its button has it; `titles` as `choice_titles` returns them.

    >>> choice_title("3x", {}), choice_title("fold", {}), choice_title("1x", {"bet": "Play"})
    ('3×', 'Fold', 'Play')
    """
    times = name.removesuffix("x")
    if times.isdecimal():
        return titles.get("bet", f"{times}×")
    return titles.get(name, name.capitalize())


def _choice_title(game: Game, action: s.Action | None, name: str) -> str:
    if action is None:  # the bet names one of several hands
        title = next((hand.title for hand in game.book.hands if hand.id == name), "") or as_words(name)
        return f"Play {title.removesuffix(' hand').lower()}"
    named = action.bet or action.withdraw
    wager = game.wager(named) if named else None
    if wager is None:
        return action.title or BUTTONS[name]
    title = wager.title or as_words(wager.id)
    if action.withdraw:
        return action.title or f"Take back {title[0].lower()}{title[1:]}"
    stake = wager.stake
    one = len(action.times or stake.times) == 1 or (not action.times and not stake.times and stake.min == stake.max)
    return (action.title or title.removesuffix(" bet").removesuffix(" wager")) if one and stake.of else ""


def _if_marked(ceiling: s.Ceiling) -> str:
    """
    >>> _if_marked(s.Ceiling(when={"four": "aces"}, times=3)), _if_marked(s.Ceiling(times=1))
    (' if the mark “aces” fits the four hand', ' otherwise')
    """
    marks = (f"the mark “{as_words(mark)}” fits the {as_words(hand)} hand" for hand, mark in ceiling.when.items())
    return f" if {' and '.join(marks)}" if ceiling.when else " otherwise"


def _settle_words(step: s.Settle, titles: Mapping[str, str]) -> list[str]:
    first = "The dealer collects every losing wager first, then" if step.losers_first else "The dealer"
    shows = "shows each hand and " if step.shows_hands else ""
    wagers, order = wagers_in_words(step.wagers, titles), ORDERS[step.order]
    if len(step.wagers) == 1:
        return [f"{first} {shows}settles {the(wagers)} player by player, {order}."]
    return [f"{first} {shows}settles player by player, {order}, in this order: {wagers}."]
