"""Rounds with the progressive wager of Pai Gow Poker: a golden file for each pay table letter, and one for what is
shared, void, or paid from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playthroughs.pai_gow import HOUSE_WAY, low

Script = dict[str, Any]
Rounds = list[tuple[str, Script]]

LOSES = "Kc Jd 9h 7c 6d 4h 2h"
LOSES_TOO = "Qc Jh 9d 6h 5h Tc 3d"
KING_HIGH = "Kh Qh Jc 9d 7h 5h 3c"
HANDS = {
    "seven-card straight flush": "2s 3s 4s 5s 6s Jk 8s",
    "five aces": "As Ac Ad Ah Jk 9s 4s",
    "royal flush": "Ts Js Qs Ks As 9c 4c",
    "straight flush": "5s 6s Jk 8s 9s Kd 2d",
    "four of a kind": "8d 8c 8h 8s Ks 5d 2c",
    "full house": "Ts Th Td 9s 9c 5d 2c",
    "nothing": "Ks Qd 9s 8c 7d 4s 2c",
}
METER = {"pai_gow": 30_000_01}
NO_AWARD = {"magic_card": "none", "lucky_seat": 0, "lucky_dealer": False}


def seat(number: int, player: int = 0, dealer: int = 0, decisions: Script = HOUSE_WAY) -> Script:
    staked = {"progressive_player": player, "progressive_dealer": dealer}
    wagers = {"main": 10_00, **{wager: number for wager, number in staked.items() if number}}
    return {"seat": number, "wagers": wagers, "decisions": decisions}


def credit_files(rulebook: str) -> Iterator[tuple[str, Rounds]]:
    """The name of every file, with its rounds."""
    if rulebook != "nj-pai-gow":
        return
    for letter in "ABC":
        yield f"progressive_{letter}", list(_letter(letter))
    yield "progressive_shared", list(_shared())
    yield "progressive_void", list(_void())
    yield "progressive_by_other_settings", list(_other_settings())


def _round(cards: dict[str, str], seats: list[Script], chance: Script | None = None, **rest: Any) -> Script:
    dice = {"dice": [2, 3, 4]}
    return {
        "rulebook": "nj-pai-gow",
        "cards": cards,
        "seats": seats,
        "chance": {**dice, **(chance or {})},
        "meters": METER,
        **rest,
    }


def _letter(letter: str) -> Iterator[tuple[str, Script]]:
    """Every hand on the player's own cards, and then on the dealer's; every award that the letter has."""
    stated = {"submission": {"wagers": {"progressive": {"paytable": letter}}}}
    none = {name: value for name, value in NO_AWARD.items() if letter != "C"}
    for name, cards in HANDS.items():
        seats = [seat(1, player=2), seat(4, dealer=3)]
        yield f"a player's {name}", _round({"seat1": cards, "seat4": LOSES, "dealer": KING_HIGH}, seats, none, **stated)
    for name, cards in HANDS.items():
        seats = [seat(1, player=1, dealer=3), seat(4, dealer=2)]
        dealt = {"seat1": LOSES, "seat4": LOSES_TOO, "dealer": cards}
        yield f"the dealer's {name}", _round(dealt, seats, none, **stated)
    if letter == "C":
        return
    full, nothing = HANDS["full house"], HANDS["nothing"]
    lucky = {**none, "lucky_seat": 1}
    for name, cards in (("a full house", full), ("nothing", nothing)):
        seats = [seat(1, player=2), seat(4, player=1, dealer=3)]
        dealt = {"seat1": cards, "seat4": LOSES, "dealer": KING_HIGH}
        yield f"a lucky player with {name}", _round(dealt, seats, lucky, **stated)
    seats = [seat(1, dealer=2), seat(4, player=1, dealer=3)]
    dealt = {"seat1": nothing, "seat4": LOSES, "dealer": KING_HIGH}
    yield "a lucky dealer", _round(dealt, seats, {**none, "lucky_dealer": True}, **stated)
    if letter == "A":
        yield from _magic(none, stated)


def _magic(none: Script, stated: Script) -> Iterator[tuple[str, Script]]:
    full, nothing = HANDS["full house"], HANDS["nothing"]
    seats = [seat(1, player=2), seat(4, dealer=3)]
    on_player = {"seat1": full, "seat4": LOSES, "dealer": KING_HIGH}
    yield "the magic card in a full house", _round(on_player, seats, {**none, "magic_card": "2c"}, **stated)
    losing = {"seat1": nothing, "seat4": LOSES, "dealer": KING_HIGH}
    yield "the magic card in a losing hand", _round(losing, seats, {**none, "magic_card": "2c"}, **stated)
    on_dealer = {"seat1": LOSES, "seat4": LOSES_TOO, "dealer": full}
    yield "the magic card in the dealer's full house", _round(on_dealer, seats, {**none, "magic_card": "Ts"}, **stated)
    everything = {"magic_card": "Ts", "lucky_seat": 1, "lucky_dealer": True}
    both = [seat(1, player=5, dealer=5), seat(4, dealer=3)]
    yield "odds, lucky and magic awards at once", _round(on_player, both, everything, **stated)


def _shared() -> Iterator[tuple[str, Script]]:
    """Two and three players with a seven-card straight flush, and a dealer's award for several."""
    flushes = {
        "seat1": "2s 3s 4s 5s 6s 7s 8s",
        "seat3": "4d 5d 6d 7d 8d 9d Td",
        "seat6": "7h 8h 9h Jk Jh Qh Kh",
        "dealer": "Ac Kc Jc 9c 7c 4c 2h",
    }
    seats = [seat(1, player=1), seat(3, player=2), seat(6, player=4)]
    dealer = {**flushes, "dealer": flushes["seat6"], "seat6": "Ac Kc Jc 9c 7c 4c 2h"}
    aces = {"seat1": LOSES, "seat3": HANDS["nothing"], "seat6": LOSES_TOO, "dealer": "As Ah Ad Ac Jk 5s 3s"}
    for method in ("equally", "by_credits"):
        stated = {"submission": {"settings": {"share_method": method, "share_method_dealer": method}}}
        words = method.replace("_", " ")
        yield f"three straight flushes share {words}", _round(flushes, seats, NO_AWARD, **stated)
        on_dealer = [seat(1, dealer=1), seat(3, dealer=2), seat(6, dealer=4)]
        yield f"the dealer's five aces are shared {words}", _round(aces, on_dealer, NO_AWARD, **stated)
        both = [seat(1, player=1, dealer=1), seat(3, player=2, dealer=2), seat(6, player=4, dealer=4)]
        title = f"players' straight flushes and then the dealer's, {words}"
        yield title, _round(dealer, both, NO_AWARD, **stated)
    later = {"seat1": "As Ah Ad Ac Jk Kd 3d", "seat6": "2s 3s 4s 5s 6s 7s 8s", "dealer": "Kc Qc 9d 8c 6h 5h 3c"}
    seats = [seat(1, player=1), seat(6, player=1)]
    yield "five aces after the whole meter was paid", _round(later, seats, NO_AWARD)


def _void() -> Iterator[tuple[str, Script]]:
    cards = {"seat1": HANDS["full house"], "seat4": LOSES, "dealer": KING_HIGH}
    seats = [seat(1, player=2, dealer=1), seat(4, dealer=3)]
    wrong = {"irregularities": [{"kind": "stub_count_wrong", "step": "stub", "count": 5, "finding": "misdealt"}]}
    late = {"irregularities": [{"kind": "wrong_card_count", "step": "settle_dealer_hand", "seat": 1}]}
    dealer = {"seat1": HANDS["straight flush"], "seat4": LOSES, "dealer": "Ts Th Td 9d 9c 5d 2c"}
    for kept in ("reversed", "kept"):
        stated = {"submission": {"settings": {"void_contributions": kept}}}
        yield f"a void round, its contribution {kept}", _round(cards, seats, NO_AWARD, **stated, **wrong)
        # The inventory pays the hand, and a void round takes that back.
        title = f"void when the player's hand was paid, the contribution {kept}"
        tray = {"submission": {"settings": {"void_contributions": kept, "odds_paid_from": "inventory"}}}
        yield title, _round(dealer, seats, {**NO_AWARD, "lucky_dealer": True}, **tray, **late)


def _other_settings() -> Iterator[tuple[str, Script]]:
    cards = {"seat1": HANDS["full house"], "seat4": LOSES, "dealer": KING_HIGH}
    seats = [seat(1, player=2, decisions=low("9s 9c")), seat(4, player=3)]
    awards = {"magic_card": "5d", "lucky_seat": 4, "lucky_dealer": False}
    for name, settings in {
        "odds from the tray": {"odds_paid_from": "inventory"},
        "odds that are the whole award": {"credit_returned_on_win": False},
        "a lucky stake comes back": {"lucky_stake_follows_hand": False},
        "the magic card among the cards of the hand": {"magic_card_in": "made_hand"},
        "ez pai gow": {"ez_variation": True},
    }.items():
        yield name, _round(cards, seats, awards, submission={"settings": settings})
    foul = [seat(1, player=2, decisions=low("Ts Th")), seat(4, player=3)]
    fouled = {**cards, "seat1": "Ts Th Td Tc 8s 5d 3s"}
    yield "a foul loses the main wager alone", _round(fouled, foul, NO_AWARD)
    banked = [seat(1, player=2), seat(2), seat(4, dealer=3)]
    dealt = {**cards, "seat2": "Ac Kd Qc 7s 6h 4c 3d", "dealer": "8h 8d 8c Jh Jc 3s 2s"}
    yield "a player banks, the house pays the credits", _round(dealt, banked, NO_AWARD, bank=2)
