"""The dealer's acts at this moment, in a dealer's words: each with its key, its inputs and its clauses.

They are made from the options of the table. The automated dealer says which act comes next in a regular round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt.cards.card import enc_hook
from crossfelt.money import dollars
from crossfelt.play.areas import areas_of, places_words
from crossfelt.play.player_view import base_of
from crossfelt.play.sources import PhysicalSource
from crossfelt.play.text import hand_title
from crossfelt.progressive.wheels import prize_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wheel
from crossfelt.rulebooks.render.phrases import as_words, joined
from crossfelt.rulebooks.script import OpenBets, Reveal
from crossfelt.server.broadcast.viewer_messages import Viewpoint, options_of
from crossfelt.table.act import Option
from crossfelt.table.acts.wheel import wheel_due, xtreme_due
from crossfelt.table.automation import Dealer
from crossfelt.table.state import TableState, step_of

KEYS: Final[Mapping[str, str]] = {
    "prepare_deck": "j", "shuffle_deck": "s", "cut_deck": "c", "load_deck": "l", "no_more_bets": "n",
    "draw_awards": "a", "choose_first_hand": "r", "deal_cards": "d", "count_stub": "k", "discard_stub": "u",
    "collect_folds": "o", "turn_up": "t", "set_dealer_hand": "g", "expose_seat": "x", "settle_seat": "p",
    "spin_wheel": "w", "pass_spin": "i", "spin_xtreme": "y", "pay_spin": "m", "discard_cards": "q", "time_out": "z",
    "take_back": "<",
}  # fmt: skip
"""The key of each act of the dealer, in the order of a round."""
CHOICES: Final[Mapping[str, str]] = {
    "fold": "f", "check": "k", "withdraw": "b", "expose": "e", "decline": "b", "take_bank": "e", "co_bank": "c",
    "decline_bank": "b", "set_house_way": "w",
}  # fmt: skip
"""The keys of the players' choices, which the dealer enters at a physical table; a hand has its first letter."""
NOT_AT_THE_DESK: Final = ("report_irregularity", "grant_award", "mix_deck")
"""Commands that have a page of their own, or that the server gives."""
IN_CROSS: Final = ("far", "your left", "centre", "your right", "near")
"""The cards of a cross as the dealer sees them, in the order of the group."""


class Need(msgspec.Struct, frozen=True, kw_only=True):
    """An input of an act: cards on the table, the result of dice or a wheel, or a count."""

    field: str
    asks: str
    count: int = 1
    places: tuple[str, ...] = ()
    """The place of each card, in the order of entry."""
    front: int = 0
    """The number of cards, from the first on, that lie in front."""
    stops: Mapping[str, int] = msgspec.field(default_factory=dict)
    """The possible values as they are printed, each with its number in the table's command."""


class DealerAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One act that the dealer may perform now."""

    id: str
    key: str
    label: str
    command: dict[str, Any]
    needs: tuple[Need, ...] = ()
    seat: int | None = None
    regular: bool = False
    """True for the next act of a round in which nothing goes wrong."""
    after: int | None = None
    clauses: tuple[str, ...] = ()


class DeskSource(PhysicalSource):
    """The source for suggestions: a cut half way down. All other outcomes are unknown until the dealer enters them."""

    def cut(self, table: TableState, least: int, most: int) -> int:
        return (least + most) // 2


def acts_now(table: TableState, at: int, *, live: bool) -> tuple[DealerAct, ...]:
    """Return the acts that the dealer may perform now, the regular next act first."""
    regular = Dealer(DeskSource()).next_command(table, at)
    filled: dict[str, Any] = {}
    if regular is not None and regular.role == "dealer":
        fields = msgspec.to_builtins(regular, enc_hook=enc_hook)
        filled = {name: value for name, value in fields.items() if name not in ("id", "who", "role", "at")}
    acts = tuple({act.id: act for act in reversed(list(_acts(table, filled, live=live)))}.values())[::-1]
    first = _regular(table, acts, str(filled.get("command", "")), live=live)
    ordered = sorted(acts, key=lambda act: act is not first)
    return tuple(msgspec.structs.replace(act, regular=act is first) for act in ordered)


def _regular(table: TableState, acts: tuple[DealerAct, ...], command: str, *, live: bool) -> DealerAct | None:
    """Return the act that the automated dealer would perform, or the entry of what a player or a device does next."""
    usual = (command, "draw_awards", "choose_first_hand", "spin_wheel", "spin_xtreme", "set_hand", "decline_bank")
    for name in (*usual, *(("no_more_bets",) if isinstance(step_of(table), OpenBets) else ())):
        found = next((act for act in acts if act.command["command"] == name), None)
        if found is not None:
            return found
    return None


def _acts(table: TableState, filled: Mapping[str, Any], *, live: bool) -> Iterator[DealerAct]:
    for option in options_of(table, Viewpoint("dealer"), live=live):
        if option.command in NOT_AT_THE_DESK or (option.command == "count_stub" and option.choices):
            continue
        if option.command == "prepare_deck":
            yield from _deck_acts(option)
        elif option.command in KEYS:
            yield _by_dealer(table, option, filled, live=live)
        elif option.command == "mark_device":
            yield _plain(option, f"{as_words(option.fields['device']).capitalize()}: {as_words(option.fields['how'])}")
        elif option.command == "spread_idle" and not option.fields["asked"]:
            yield _plain(option, f"No players: spread the cards face {option.fields['face']}")
        else:
            yield from _by_player(table, option)


def _deck_acts(option: Option) -> Iterator[DealerAct]:
    """Yield an act of opening a deck; a deck that arrives has a colour for the dealer to choose."""
    deck, act, cover = option.fields["deck"], option.fields["act"], option.choices.get("cover", ("",))[0]
    for back in option.choices.get("back", ("",)):
        colours = {"back": back, "cover": cover} if back else {}
        label = _OPENING[act].format(deck=deck, **colours)
        which = (deck, act, *colours.values())
        yield _act(option, KEYS[option.command], label, which, {**option.fields, **colours})


_OPENING: Final[Mapping[str, str]] = {
    "receive": "Receive deck {deck}: {back} backs, {cover} cover card",
    "inspect": "Inspect deck {deck}",
    "spread": "Spread deck {deck} face up",
    "show": "Show deck {deck} to the first player",
    "wash": "Turn deck {deck} face down and wash it",
    "stack": "Stack deck {deck}",
}


def _plain(option: Option, label: str) -> DealerAct:
    return _act(option, "", label, map(str, option.fields.values()), option.fields)


def _act(
    option: Option,
    key: str,
    label: str,
    which: Iterable[str],
    fields: Mapping[str, Any],
    needs: tuple[Need, ...] = (),
) -> DealerAct:
    return DealerAct(
        id=" ".join((option.command, *which)),
        key=key,
        label=label,
        command={"command": option.command, **fields},
        needs=needs,
        seat=option.seat,
        after=option.after,
        clauses=option.clauses,
    )


# --- acts of the dealer ----------------------------------------------------------------------------------------------


def _by_dealer(table: TableState, option: Option, filled: Mapping[str, Any], *, live: bool) -> DealerAct:
    fields = {name: value for name, value in option.fields.items() if name not in ("cards", "low", "dice", "count")}
    fields |= {name: amounts.min for name, amounts in option.ranges.items() if name not in option.optional}
    fields |= {name: words[0] for name, words in option.choices.items()}
    if option.command == "draw_awards":
        fields |= {"lucky_dealer": False, "magic_card": None}
    if filled.get("command") == option.command and filled.get("deck") == fields.get("deck"):
        fields |= {name: value for name, value in filled.items() if name != "cards"}
    if option.seat is not None:
        fields["seat"] = option.seat
    which = (str(fields[name]) for name in ("deck", "method", "seat") if name in fields)
    needs = tuple(_needs(table, option, live=live))
    return _act(option, KEYS[option.command], _label(table, option), which, fields, needs)


def _label(table: TableState, option: Option) -> str:
    seat, fields = option.seat, option.fields
    match option.command:
        case "shuffle_deck":
            by = {"manual": "Shuffle", "device": "Have the shuffler mix", "preshuffled": "Take as shuffled"}
            return f"{by[fields['method']]} deck {fields['deck']}"
        case "load_deck":
            into = "take it in hand" if table.dealing == "hand" else "put it into the shoe"
            return f"Deck {fields['deck']}: {into}"
        case "turn_up":
            return f"Turn up {places_words(table.game, _hidden(table))}"
        case "choose_first_hand":
            return "Shake the dice" if table.game.settings["first_hand_by"] == "dice" else "Draw a number"
        case "settle_seat":
            return f"Show and settle seat {seat}" if "cards" in fields else f"Settle seat {seat}"
    return _LABELS[option.command].format(seat=seat, **fields)


_LABELS: Final[Mapping[str, str]] = {
    "cut_deck": "Have deck {deck} cut",
    "no_more_bets": "No more bets",
    "draw_awards": "Press the start button",
    "deal_cards": "Deal",
    "count_stub": "Count the stub",
    "discard_stub": "Put the stub away",
    "collect_folds": "Collect what was folded",
    "set_dealer_hand": "Turn up the dealer's cards and set them",
    "expose_seat": "Expose seat {seat}",
    "spin_wheel": "Spin the wheel for seat {seat}",
    "pass_spin": "Seat {seat} had no pair: no spin",
    "spin_xtreme": "Spin the wheels",
    "pay_spin": "Pay the spin of seat {seat}",
    "discard_cards": "Pick up the cards",
    "time_out": "Seat {seat}: time is up",
    "take_back": "Take the last entry back",
}


def _needs(table: TableState, option: Option, *, live: bool) -> Iterator[Need]:
    """Yield the inputs that only the dealer knows: cards of a physical deck, counts, and the results of devices."""
    if isinstance(count := option.fields.get("cards"), int):
        places = _card_places(table, option, count)
        front = option.fields.get("low", 0)
        asks = "two in front, then the five behind" if front else joined(tuple(places))
        yield Need(field="cards", asks=asks, count=count, places=places, front=front)
    match option.command:
        case "count_stub":
            yield Need(field="count", asks="the number of cards you counted")
        case "choose_first_hand" if live and "dice" in option.fields:
            yield Need(field="dice", asks="the three dice", count=3)
        case "choose_first_hand" if live:
            numbers = {str(number): number for number in range(1, 8)}
            yield Need(field="number", asks="the number drawn, from 1 to 7", stops=numbers)
        case "spin_wheel" if live and (wheel := wheel_due(table)) is not None:
            yield _reading(table, "stop", "where the wheel stopped", wheel)
        case "spin_xtreme" if live and (rings := xtreme_due(table)) is not None:
            seats = {str(seat): seat for seat in range(1, len(table.seats) + 1)}
            yield _reading(table, "community", "where the community ring stopped", rings.community)
            yield Need(field="hot_spot", asks=f"the seat of the hot spot, from 1 to {len(seats)}", stops=seats)
            yield _reading(table, "prize", "where the hot spot ring stopped", rings.hot_spot)


def _hidden(table: TableState) -> tuple[str, ...]:
    """Return the places that this step turns up."""
    step = step_of(table)
    return tuple(it for it in step.cards if it not in table.revealed) if isinstance(step, Reveal) else ()


def _place_words(game: Game, place: str) -> str:
    """Name a place of the layout as the dealer sees it."""
    area = next(area for area in areas_of(game) if place in area.places)
    number = area.places.index(place)
    if area.whose == "dealer":
        return f"dealer's card {number + 1}"
    if area.group.shape == "cross":
        return IN_CROSS[number]
    labels = area.group.labels
    return labels[number] if len(set(labels)) == len(area.places) else f"{area.title} {number + 1}"


def _card_places(table: TableState, option: Option, count: int) -> tuple[str, ...]:
    if option.command == "turn_up":
        return tuple(_place_words(table.game, place) for place in _hidden(table))
    front: int = option.fields.get("low", 0)
    if front:
        return ("in front",) * front + ("behind",) * (count - front)
    return _cards_of(f"seat {option.seat}" if option.seat is not None else "dealer", count)


def _cards_of(whose: str, count: int) -> tuple[str, ...]:
    return tuple(f"{whose}, card {at}" for at in range(1, count + 1))


def _reading(table: TableState, field: str, asks: str, wheel: Wheel) -> Need:
    """Return the reading of a wheel, with its slices as they are printed."""
    printed = dict.fromkeys(_printed(table, wheel, at) for at in range(len(wheel.slices)))
    return Need(field=field, asks=f"{asks}, as printed: {', '.join(printed)}", stops=_stops(table, wheel))


def _stops(table: TableState, wheel: Wheel) -> dict[str, int]:
    """Return the slices as they are printed: by their prize, and by their number where the document prints one."""
    numbers = {str(each.position): at for at, each in enumerate(wheel.slices) if each.position is not None}
    prizes = {_printed(table, wheel, at): at for at in reversed(range(len(wheel.slices)))}
    return {**{prize: at for prize, at in reversed(prizes.items()) if prize not in numbers}, **numbers}


def _printed(table: TableState, wheel: Wheel, index: int) -> str:
    """Return the prize of a slice as it is typed: `jackpot`, or the dollars and the community amount beside them."""
    prize, community = prize_of(table.game, wheel, index), wheel.slices[index].community
    return ("jackpot" if prize.meter else f"{prize.cents / 100:g}") + (f" c{community}" if community else "")


def stop_words(table: TableState, wheel: Wheel, index: int) -> str:
    """Return the prize of a slice of a wheel."""
    prize = prize_of(table.game, wheel, index)
    return "the jackpot" if prize.meter else dollars(prize.cents)


# --- answers of players ----------------------------------------------------------------------------------------------


def _by_player(table: TableState, option: Option) -> Iterator[DealerAct]:
    """Yield the possible answers of the player in turn. Wagers, chips and seats are typed."""
    seat = option.seat
    match option.command:
        case "bet" if seat is not None:
            yield from _bets(table, option, seat)
        case "fold":
            yield _answer(option, CHOICES["fold"], f"Seat {seat} folds")
        case "choose":
            choice = option.fields["choice"]
            label = _CHOSEN.get(choice) or f"plays the {hand_title(table.game, choice)}"
            yield _answer(option, CHOICES.get(choice, choice[0]), f"Seat {seat} {label}", choice)
        case "set_hand":
            yield _answer(option, "", f"Seat {seat} has set the hand")
        case "set_house_way":
            yield _answer(option, CHOICES["set_house_way"], f"Set seat {seat} the house way")
        case "take_bank":
            co_bank = option.fields["co_bank"]
            label = "banks together with the house" if co_bank else "takes the bank"
            yield _answer(option, CHOICES["co_bank" if co_bank else "take_bank"], f"Seat {seat} {label}", str(co_bank))
        case "decline_bank":
            offered = not isinstance(step_of(table), OpenBets)
            label = "lets the bank pass" if offered else "gives the bank back"
            yield _answer(option, CHOICES["decline_bank"], f"Seat {seat} {label}")
        case "surrender":
            yield _answer(option, "", f"Seat {seat} surrenders")


_CHOSEN: Final[Mapping[str, str]] = {
    "expose": "shows the hand",
    "decline": "keeps the hand face down",
    "check": "checks",
    "withdraw": "takes the wager back",
}


def _bets(table: TableState, option: Option, seat: int) -> Iterator[DealerAct]:
    step = step_of(table)
    wager = table.game.wager(getattr(step, "wager", ""))
    base = base_of(table.game, wager.id, table.seat(seat).placed)
    for times in range(wager.stake.min, wager.stake.max + 1):
        if times * base in option.ranges["cents"]:
            label = f"Seat {seat} bets {times}×, {dollars(times * base)}"
            yield _answer(option, str(times), label, str(times), cents=times * base)


def _answer(option: Option, key: str, label: str, *which: str, **chosen: Any) -> DealerAct:
    fields = {name: value for name, value in option.fields.items() if name != "cards"}
    count = option.fields.get("cards", 0)
    places = _cards_of(f"seat {option.seat}", count)
    answer = msgspec.to_builtins({"seat": option.seat, **fields, **chosen}, enc_hook=enc_hook)
    needs = (Need(field="cards", asks=joined(places), count=count, places=places),) if count else ()
    return _act(option, key, label, (f"{option.seat}", *which), answer, needs)
