"""The settlement of one wager, worked out from the plain rules of a rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from crossfelt.proof.resettle.hand_rank import ORDERS, RANKS, Made, Order, made
from crossfelt.proof.resettle.plain_game import Data, PlainGame, first, won


@dataclass
class Position:
    """The cards of a seat or the dealer by place, the cards set in front, and the hands that were named by wager."""

    cards: dict[str, str] = field(default_factory=dict)
    low: tuple[str, ...] = ()
    choices: dict[str, str] = field(default_factory=dict)


class Spot(NamedTuple):
    """The cards and choices that settle the wagers of one position."""

    own: Position
    dealer: Position
    bank: Position
    shared: Mapping[str, str]


class Due(NamedTuple):
    """The result of a wager, before a payout limit and a commission."""

    result: str
    returned: int = 0
    paid: int = 0
    hand: str = ""
    line: str = ""
    """The pay line; empty where none decides."""
    percent: int = 0
    """The part of a meter that is won, and the meter where the pay line names it."""
    meter: str = ""


class WagerSettler:
    """Forms the hands of a game and settles its wagers."""

    def __init__(self, game: PlainGame) -> None:
        self._game = game
        self._orders: dict[str, Order] = dict(ORDERS)
        for order in game.book.get("order", ()):
            categories = ("nothing", *reversed(order["categories"]))
            settings = ORDERS["five_card"].settings if order["cards"] == ORDERS["five_card"].cards else ()
            self._orders[order["id"]] = Order(order["cards"], categories, settings, kickers=True)
        self._ace_low = bool(game.setting("ace_low_straight", True))
        self._wheel_second = bool(game.setting("wheel_second_highest", True))
        shows = (step for step in game.decisions() if any("expose" in action for action in step["actions"]))
        self._shown_for = {wager for step in shows for wager in step.get("with", ())}
        """Wagers that lose unless the player has shown the cards."""

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def rank(self, cards: tuple[str, ...], order: str, best: int | None = None) -> Made:
        """Rank some cards in an order; the best selection counts."""
        own = self._orders[order]
        own = own if best is None else own._replace(cards=best)
        ace_low = self._ace_low or "ace_low_straight" not in own.settings
        return made(cards, own, ace_low, self._wheel_second and "wheel_second_highest" in own.settings)

    def hand(self, name: str, spot: Spot) -> Made:
        return self.formed(name, spot)[1]

    def formed(self, name: str, spot: Spot) -> tuple[str, Made]:
        """Return the id and the rank of a hand; of one of several, those of the hand that it is."""
        side, dot, own = name.rpartition(".")
        hand, position = self._game.hands[own], getattr(spot, side or "own")
        if "chosen_of" in hand:
            chosen = first(
                (name for name in spot.own.choices.values() if name in hand["chosen_of"]), "no hand was named"
            )
            return self.formed(side + dot + chosen, spot)
        for several, choose in (("highest_of", max), ("lowest_of", min)):
            if several in hand:
                return choose(
                    (self.formed(side + dot + part, spot) for part in hand[several]), key=lambda each: each[1]
                )
        if "split" in hand:
            return own, self.set_hands(position)[own]
        cards = tuple(card for part in hand["of"] for card in self._cards(part, position, spot))
        return own, self.rank(cards, hand["order"], hand.get("best"))

    def _cards(self, part: str, position: Position, spot: Spot) -> list[str]:
        """Return the cards of a group, one of its places, or one by number: the position's own, or on the layout."""
        name, _, number = part.removeprefix("dealer.").partition(".")
        places = self._game.places.get(name, (name,))
        places = (places[int(number) - 1],) if number else places
        if part.startswith("dealer.") or self._game.groups.get(name, {}).get("owner") == "dealer":
            return [spot.dealer.cards[place] for place in places]
        return [position.cards[place] if place in position.cards else spot.shared[place] for place in places]

    def set_hands(self, position: Position) -> dict[str, Made]:
        """Return the two hands of a split."""
        assert self._game.split is not None
        behind = tuple(card for card in position.cards.values() if card not in position.low)
        both = zip(self._game.split["into"], (behind, position.low), strict=True)
        return {name: self.rank(cards, self._game.hands[name]["order"]) for name, cards in both}

    def is_foul(self, position: Position) -> bool:
        """Say if the hand in front ranks above the hand behind; with the same pair, or top cards, it does not."""
        behind, front = self.set_hands(position).values()
        if front.category == "pair":
            return behind.category == "high_card" or (behind.category == "pair" and front.ties[0] > behind.ties[0])
        return behind.category == "high_card" and front.ties > behind.ties[:2]

    def has(self, name: str, mark: str, spot: Spot) -> bool:
        """Say if a hand has one of its marks."""
        wanted = self._game.hands[name.rpartition(".")[2]]["marks"][mark]
        formed, found = self.formed(name, spot)
        if "is" in wanted:
            return _fits(found, wanted["is"])
        match = wanted["at_least"]
        if found.category != match["hand"]:
            return self.reaches(found.category, match["hand"], self._game.hands[formed]["order"])
        return any(found.ties >= _ranks(text) for text in match.get("ranks", (match.get("low", "2"),)))

    def reaches(self, category: str, least: str, order: str) -> bool:
        """Say if a category is at least as high as another."""
        levels = self._orders[order].categories
        return levels.index(category) >= levels.index(least)

    def applying(self, rules: Sequence[Data], spot: Spot) -> Iterator[Data]:
        """Yield those of some rules whose settings and marks are there, in order."""
        for rule in rules:
            marks = ((hand, mark, True) for hand, mark in rule.get("when", {}).items())
            without = ((hand, mark, False) for hand, mark in rule.get("unless", {}).items())
            if self._game.reads(rule) and all(
                self.has(hand, mark, spot) == is_so for hand, mark, is_so in (*marks, *without)
            ):
                yield rule

    def settle(self, wager: Data, stake: int, spot: Spot) -> Due:
        """Settle a wager: the first rule that applies decides, and where none does it loses."""
        if wager["id"] in self._shown_for and spot.own.choices.get(wager["id"]) != "expose":
            return Due("lose")
        split = self._game.split
        if split is not None and split["into"][0] in _deciding(wager) and self.is_foul(spot.own):
            return Due("lose", hand=f"foul: {self._named(wager, spot)}")
        for rule in self.applying(wager["settle"], spot):
            if (due := self._by(rule, wager, stake, spot)) is not None:
                return due
        return Due("lose", hand=self._named(wager, spot))

    def _named(self, wager: Data, spot: Spot) -> str:
        """Name the hands on which a wager is settled."""
        return "; ".join([self.hand(name, spot).name for name in _deciding(wager)])

    def _by(self, rule: Data, wager: Data, stake: int, spot: Spot) -> Due | None:
        """Settle by one rule; None where it leaves the wager to the next."""
        named = [rule["versus"]] if "versus" in rule else rule.get("versus_each", ())
        pairs = [(self.hand(one, spot), self.hand(other, spot)) for one, other in named]
        result: Any = rule if "pay" in rule or "pays" in rule else rule.get("odds", "lose")
        if "versus" in rule:
            own, other = pairs[0]
            way, otherwise = ("win", "lose") if own > other else ("tie", "push") if own == other else ("lose", "lose")
            result = rule.get(way, otherwise)
        elif pairs:
            beaten = self._game.split is not None and self.is_foul(spot.bank)
            result = rule["by_wins"][sum(beaten or own > other for own, other in pairs)]
        if isinstance(result, str):
            return _at(result, wager, stake, "; ".join([own.name for own, _ in pairs]) or self._named(wager, spot))
        return self._by_tables(result, wager, stake, spot)

    def _by_tables(self, result: Data, wager: Data, stake: int, spot: Spot) -> Due | None:
        """Settle by the pay tables of a rule; those that a hand reaches are paid together, or the best of them."""
        dues = []
        for pay in result.get("pays", (result,)):
            hand = self.hand(pay["on"], spot)
            if (line := self.line(pay["pay"], hand)) is not None:
                dues.append(_on_line(line, wager, stake, hand.name))
        wins = [due for due in dues if due.result == "win"]
        if len(wins) > 1 and result.get("take") != "best":
            names, lines = "; ".join(due.hand for due in wins), ", ".join(due.line for due in wins)
            return Due("win", max(due.returned for due in wins), sum(due.paid for due in wins), names, lines)
        due = max(wins, key=lambda each: each.returned + each.paid, default=next(iter(dues), None))
        if due is None:
            other = result.get("else", "lose")
            return None if other == "next" else _at(other, wager, stake, self._named(wager, spot))
        return None if result.get("only", due.result) != due.result else due

    def line(self, table: str, hand: Made) -> Data | None:
        """Return the first line of a pay table that a hand reaches."""
        lines = self._game.pays[table]
        return next((line for line in lines if _fits(hand, line)), None)

    def bonuses(self, wager: Data, stake: int, spot: Spot) -> Iterator[tuple[str, Due]]:
        """Yield each bonus that a settled wager wins, with the pay table that it comes from."""
        for bonus in self.applying(wager.get("bonus", ()), spot):
            due = self._by_tables(bonus, wager, stake, spot)
            if due is not None and due.result == "win":
                yield bonus["pay"], due


def _on_line(line: Data, wager: Data, stake: int, name: str) -> Due:
    called = line.get("id", line["hand"])
    if "meter_percent" in line:
        return Due("win", 0, 0, name, called, line["meter_percent"], line.get("meter", ""))
    if "amount_cents" in line:
        return Due("win", 0, line["amount_cents"], name, called)
    return _at(line["odds"], wager, stake, name)._replace(line=called)


def _at(result: str, wager: Data, stake: int, name: str) -> Due:
    """Settle at plain odds, as a push or a loss. A stake laid down in parts is paid part by part."""
    if result in ("lose", "push"):
        return Due(result, stake if result == "push" else 0, hand=name)
    parts = wager.get("parts", 1)
    return Due("win", stake if " to " in result else 0, parts * won(result, stake // parts), name)


def _deciding(wager: Data) -> list[str]:
    """Return the player's hands that name a settlement: those of the first rule that looks at one."""
    for rule in wager["settle"]:
        pairs = rule.get("versus_each") or ([rule["versus"]] if "versus" in rule else [])
        found = [own for own, _ in pairs] or [pay["on"] for pay in rule.get("pays", (rule,)) if "on" in pay][:1]
        if found:
            return found
    return [hand for rule in wager["settle"] for hand in (*rule.get("when", {}), *rule.get("unless", {}))][:1]


def _fits(hand: Made, match: Data) -> bool:
    """Say if a hand is of a category, with a leading rank between two, or with one of some beginnings."""
    if hand.category != match["hand"] or not hand.ties:
        return bool(hand.category == match["hand"])
    begins = [_ranks(text) for text in match.get("ranks", ("",))]
    between = _ranks(match.get("low", "2")) <= hand.ties[:1] <= _ranks(match.get("high", "A"))
    return between and any(hand.ties[: len(each)] == each for each in begins)


def _ranks(text: str) -> tuple[int, ...]:
    return tuple(RANKS.index(rank) for rank in text)
