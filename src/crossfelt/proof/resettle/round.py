"""What second settlements share: who has what, which card lies where, and what a void round gives back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.errors import BadInput
from crossfelt.hands.rank import HandRank

Data = Mapping[str, Any]


class Due(NamedTuple):
    """What a wager comes to."""

    result: str
    returned: int
    paid: int
    hand: HandRank | str | None
    """The deciding hand, or what it is called."""
    commission: int = 0


@dataclass
class Player:
    """One seat in one round."""

    placed: dict[str, int] = field(default_factory=dict)
    layout: dict[str, int] = field(default_factory=dict)
    """What lies there still."""
    collected: dict[str, int] = field(default_factory=dict)
    """What a fold cost."""
    hole: tuple[Card, ...] = ()
    choices: dict[str, str] = field(default_factory=dict)
    """What was chosen by name, by wager."""
    folded: bool = False
    settled: list[str] = field(default_factory=list)
    won: int = 0
    """What counts toward the payout limit."""


class Watcher(Protocol):
    """Sees every event, and says what is wrong with it."""

    def see(self, event: Data) -> Iterator[str]: ...


class RoundChecker:
    """Sees the events of a table and keeps what a settlement hangs on; a game adds what it knows of them."""

    def __init__(self, wagers: Collection[str], game: Data) -> None:
        self.rounds = 0
        self._wagers = wagers
        self._void_keeps = bool(setting(game, "void_keeps_settled"))
        self._settlements: list[Data] = []
        self._players: dict[int, Player] = {}
        self._community: dict[str, Card] = {}
        self._void = False
        self.due: Data = {}
        """What it has worked out for the wager of the last event it saw, field by field; nothing for other events."""
        self._beside: tuple[Watcher, ...] = ()
        """What else looks at every event: wheels, credits."""

    def see(self, event: Data) -> Iterator[str]:
        kind = event["event"]
        rule = getattr(self, f"_{kind}", None) if kind in _SEEN else None
        where = f"seat {event['seat']}: " if event.get("seat") else ""
        self.due = {}
        for look in (*([rule] if rule is not None else []), *(watcher.see for watcher in self._beside)):
            try:
                for complaint in look(event):
                    yield where + complaint
            except (BadInput, LookupError) as error:
                yield f"{where}{kind} cannot be followed: {error}"
        if kind in SETTLEMENTS:
            self._settlements.append(event)

    def _compare(self, event: Data, wager: str, stake: int, due: Due, cut: int) -> Iterator[str]:
        self.due = fields_due(stake, due, cut)
        yield from differences(event, wager, stake, due, cut)

    def _player(self, event: Data) -> Player:
        return self._players.setdefault(event["seat"], Player())

    def _ours(self, wagers: Mapping[str, int]) -> dict[str, int]:
        return {wager: cents for wager, cents in wagers.items() if wager in self._wagers}

    def _round_opened(self, event: Data) -> Iterator[str]:
        for seat, player in self._players.items():
            if player.layout:
                yield f"a round opens, and seat {seat} still has {amounts_words(player.layout)} on the layout"
        self._players, self._community, self._void, self._settlements = {}, {}, False, []

    def _community_cards_revealed(self, event: Data) -> Iterator[str]:
        for place, text in zip(event["places"], event["cards"], strict=True):
            yield from self._turn_up(place, Card(text))

    def _community_card_exposed(self, event: Data) -> Iterator[str]:
        yield from self._turn_up(event["place"], Card(event["card"]))

    def _card_misnamed(self, event: Data) -> Iterator[str]:
        """The card that lies there is turned up anew, by its right name; nothing has been settled on the wrong one."""
        named = self._community.get(event["place"], HIDDEN)
        if named != Card(event["card"]):
            yield f"{event['card']} at {event['place']} was named wrongly, but {named} was named there"
        self._community[event["place"]] = HIDDEN

    def _turn_up(self, place: str, card: Card) -> Iterator[str]:
        dealt = self._community.get(place, HIDDEN)
        if dealt not in (HIDDEN, card):
            yield f"{place} shows {card}, but {dealt} was dealt there"
        else:
            self._community[place] = card

    def _hand_shown(self, event: Data) -> Iterator[str]:
        """The cards that were dealt, and the hands they make by their right names."""
        player, shown = self._player(event), tuple(map(Card, event["cards"]))
        if HIDDEN not in player.hole and shown != player.hole:
            yield f"shows {cards_words(shown)}, but {cards_words(player.hole)} was dealt"
        else:
            player.hole = shown
        for line, name in event["hands"].items():
            if name != self._line(line, player).name:
                yield f"the {line} hand is called {name}; it is {self._line(line, player).name}"

    def _line(self, line: str, player: Player) -> HandRank:
        """The hand of a player on a line."""
        raise NotImplementedError

    def _round_voided(self, event: Data) -> Iterator[str]:
        """AMB-8c: what was settled before is undone, unless the operator has it stand."""
        self._void = True
        if event.get("keeps_settled", False) != (self._void_keeps and bool(self._settlements)):
            yield "the round is void, and wagers settled before are not treated as the submission says"

    def _settlement_reversed(self, event: Data) -> Iterator[str]:
        """AMB-8c, AMB-15c: undone as it was made, the last of a seat first."""
        settled = event["settled"]
        if settled not in self._settlements:
            yield "a settlement is undone that was not made"
            return
        self._settlements.remove(settled)
        if settled["event"] == "wager_settled" and settled["wager"] in self._wagers:
            player = self._player(event)
            player.layout[settled["wager"]] = settled["stake"]
            player.settled.remove(settled["wager"])
        if settled["event"] in ("wager_settled", "coupon_settled") and self._counts_toward_limit(settled["wager"]):
            self._player(event).won -= settled.get("paid", 0)

    def _coupon_settled(self, event: Data) -> Iterator[str]:
        """By the house's own rule a match play coupon wins what the same amount in chips wins, and is never cashed."""
        player, wager = self._player(event), event["wager"]
        face = player.layout.get(wager, 0)
        due = self._coupon_due(wager, face, player)
        cut = self._over_limit(wager, due.paid, player)
        player.won += (due.paid - cut) if self._counts_toward_limit(wager) else 0
        wanted = {"face_cents": face, "result": due.result, "paid": due.paid - cut, "limited": cut}
        for name, value in wanted.items():
            if event.get(name, 0) != value:
                recorded = cents_words(event.get(name, 0))
                yield f"match play coupon: {name} is {recorded}; it should be {cents_words(value)}"

    def _coupon_due(self, wager: str, face: int, player: Player) -> Due:
        """What chips of that amount would come to."""
        raise NotImplementedError

    def _over_limit(self, wager: str, paid: int, player: Player) -> int:
        """By how much a payment passes the payout limit."""
        raise NotImplementedError

    def _counts_toward_limit(self, wager: str) -> bool:
        raise NotImplementedError

    def _wagers_returned(self, event: Data) -> Iterator[str]:
        """MAC-25, MAC-44, MDC-25, MDC-54 and, where New Jersey is silent, AMB-8c: a void round gives all back."""
        player = self._player(event)
        back, forfeited = self._ours(event["wagers"]), self._ours(event.get("forfeited", {}))
        if not self._void:
            yield "wagers are returned, but the round is neither void nor called off"
        if back != player.layout:
            yield f"{amounts_words(back)} is returned; {amounts_words(player.layout)} lay on the layout"
        if forfeited != player.collected:
            yield f"{amounts_words(forfeited)} is given back after a fold; it cost {amounts_words(player.collected)}"
        player.layout, player.collected = {}, {}

    def _round_abandoned(self, event: Data) -> Iterator[str]:
        """A round that is called off before bets are locked gives back what lies on the layout."""
        self._void = True
        yield from ()

    def _round_closed(self, event: Data) -> Iterator[str]:
        self.rounds += 1
        outcome = "void" if self._void else "settled"
        if event["outcome"] != outcome:
            yield f"the round is closed as {event['outcome']}; it was {outcome}"
        for seat, player in self._players.items():
            if player.layout:
                yield f"the round is closed, and seat {seat} still has {amounts_words(player.layout)} on the layout"
            if self._void and not self._void_keeps:
                for settled in (one for one in self._settlements if one.get("seat") == seat):
                    yield f"the round is void, and {settled['event']} of seat {seat} is not undone"
            if self._void and player.collected:
                yield f"the round is void, and seat {seat} did not get back {amounts_words(player.collected)}"


SETTLEMENTS: Final = ("wager_settled", "coupon_settled", "award_paid", "house_wager_settled", "bank_settled")
_SEEN: Final = frozenset(
    (
        *("round_opened", "wagers_placed", "cards_dealt", "bet_placed", "choice_made", "hand_folded", "fold_collected"),
        *("community_cards_revealed", "community_card_exposed", "card_misnamed", "dealer_hand_made", "hand_shown"),
        *("round_voided", "wagers_returned", "wagers_forfeited", "round_closed", "round_abandoned", "coupon_settled"),
        *("first_hand_chosen", "hand_set", "hand_surrendered", "dealer_hands_set", "hands_exposed"),
        *("bank_taken", "bank_returned", "bank_covered", "house_wager_settled", "bank_settled", "bank_released"),
        *("seat_taken", "seat_left", "award_paid", "wager_settled", "settlement_reversed"),
    )
)


def differences(event: Data, wager: str, stake: int, due: Due, cut: int) -> Iterator[str]:
    """Field by field, what was recorded and what should have been."""
    for name, value in fields_due(stake, due, cut).items():
        recorded = event.get(name, "" if name == "hand" else 0)
        if recorded != value:
            yield f"{wager}: {name} is {cents_words(recorded)}; it should be {cents_words(value)}"


def fields_due(stake: int, due: Due, cut: int) -> dict[str, Any]:
    """What the event of a settlement should say."""
    return {
        "stake": stake,
        "result": due.result,
        "returned": due.returned,
        "paid": due.paid - cut,
        "limited": cut,
        "commission": due.commission,
        "hand": due.hand.name if isinstance(due.hand, HandRank) else due.hand or "",
    }


def setting(game: Data, name: str) -> Any:
    """What the submission says, or else the rulebook; None where neither does."""
    stated = game["submission"].get("settings", {})
    return stated[name] if name in stated else game["rulebook"]["settings"].get(name, {}).get("value")


def choice(game: Data, path: str) -> Any:
    value: Any = game["submission"]
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if value is not None:
        return value
    return next(choice["default"] for choice in game["rulebook"]["choice"] if choice["path"] == path)


def chosen(game: Data, path: str) -> Any:
    """A choice that a rulebook need not have, or that has no default: None where nothing is stated."""
    try:
        return choice(game, path)
    except (StopIteration, KeyError):
        return None


def cents_words(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def cards_words(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def list_words(wagers: Any) -> str:
    return ", ".join(sorted(wagers)) or "nothing"


def amounts_words(wagers: Mapping[str, int]) -> str:
    return ", ".join(f"{wager} {cents:,}" for wager, cents in sorted(wagers.items())) or "nothing"
