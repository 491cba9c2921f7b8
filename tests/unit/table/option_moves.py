"""Commands made of listed options, and the check that a command matches an option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Final

from crossfelt.cards.card import HIDDEN, JOKER, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import seed_hash
from crossfelt.games.rules import rules_of
from crossfelt.table import commands as c
from crossfelt.table.act import Option, Range
from crossfelt.table.commands import Command
from crossfelt.table.state import TableState
from unit.table.table_invariants import CARD

OWN_WORDS: Final = frozenset(("reason", "note", "document"))
"""Fields for free text."""
COMMON: Final = frozenset(Command.__struct_fields__)


def pairs_among(cards: Sequence[Card]) -> list[tuple[Card, Card]]:
    return [
        (one, other) for one, other in combinations(cards, 2) if JOKER not in (one, other) and one.rank == other.rank
    ]


def granted(table: TableState, rng: Random) -> dict[str, Any]:
    """Return a possible answer of a meter: it pays an amount in part, and the inventory pays the rest."""
    claim = table.claims[0]
    before = rng.randint(0, 10**13)
    most = claim.cents or before * claim.percent // (100 * 10**6)
    due = min(most, most if claim.at_most_cents is None else claim.at_most_cents)
    paid = rng.choice((0, due // 2, due)) if claim.cents else due
    seeded = rng.choice((0, 5_000_00 * 10**6))
    after = before - paid * 10**6 + seeded
    first, *others = (seat for seat, _ in claim.winners)
    shares = ((first, paid), *((seat, 0) for seat in others))
    fields = {"number": 1, "shares": shares, "before_micros": before, "after_micros": after, "seeded_micros": seeded}
    return {**fields, "from_inventory": due - paid}


def adds_up(table: TableState, command: c.GrantAward) -> bool:
    """Say if an answer fits the waiting claim: no more than it, to its winner, and balanced."""
    claim = table.claims[0]
    paid = sum(cents for _, cents in command.shares)
    most = claim.cents or command.before_micros * claim.percent // (100 * 10**6)
    most = most if claim.at_most_cents is None else min(most, claim.at_most_cents)
    balanced = command.before_micros + command.seeded_micros == command.after_micros + paid * 10**6
    whole = command.from_inventory == (most - paid if claim.cents else 0)
    to_winners = [seat for seat, _ in command.shares] == [seat for seat, _ in claim.winners]
    return to_winners and balanced and whole and 0 <= paid <= most


def within(amounts: Range, rng: Random) -> int:
    """Return an end of a range, or a plausible value between."""
    if amounts.of:
        return rng.choice(amounts.of)
    steps = (amounts.max - amounts.min) // amounts.step
    return amounts.min + amounts.step * rng.choice((0, min(steps, 10**9), rng.randint(0, min(steps, 10**4))))


def stakes(option: Option, rng: Random) -> dict[str, int]:
    """Stakes on all required wagers and some others, equal where they must be, within the purse."""
    left = option.most_in_all or 0
    placed: dict[str, int] = {}
    groups = [*option.equal, *((w,) for w in option.ranges if not any(w in group for group in option.equal))]
    for group in groups:
        amounts = option.ranges[group[0]]
        most = min(amounts.max, left // len(group))
        if group[0] in option.optional and (most < amounts.min or rng.random() < 0.3):
            continue
        assert most >= amounts.min, f"cannot be paid: {option}"
        largest = max((one for one in amounts.of if one <= most), default=most - (most - amounts.min) % amounts.step)
        cents = largest if amounts.of else within(Range(amounts.min, largest, amounts.step), rng)
        cents = amounts.min if rng.random() < 0.6 else cents
        placed |= dict.fromkeys(group, cents)
        left -= cents * len(group)
    return placed


def unseen(table: TableState) -> list[Card]:
    """Return cards that are not known to lie on the table or in the rack."""
    known = {card for seat in table.seats for card in seat.cards} | set(table.community.values())
    known |= {Card(text) for entry in table.pile for text in CARD.findall(entry)}
    return [card for card in deck_of(table.game.book.deck.cards) if card not in known]


def fits(option: Option, command: Command, table: TableState) -> bool:
    """Say if a command matches an option: its fixed values, and open values within the offer."""
    if option.command != command.__struct_config__.tag:
        return False
    given = {name: getattr(command, name) for name in command.__struct_fields__ if name not in COMMON}
    if isinstance(command, c.GrantAward):
        return command.claim == option.fields["claim"] and adds_up(table, command)
    if isinstance(command, c.MixDeck):
        sent = {(seat, table.seat(seat).seed_hash) for seat in table.seeds_due}
        return all(len(seed) >= 16 and (seat, seed_hash(seed)) in sent for seat, seed in command.seeds)
    if isinstance(command, c.ChangeMethod):
        given |= {"dealing": command.dealing or table.dealing, "shuffling": command.shuffling or table.shuffling}
    if option.seat is not None and given.pop("seat") != option.seat:
        return False
    fields = dict(option.fields)
    if isinstance(count := fields.pop("cards", None), int):
        cards = given.pop("cards")
        if len(cards) != count or len(set(cards)) != count or not set(cards) <= set(unseen(table)):
            return False
        if isinstance(command, c.SpinWheel) and cards not in pairs_among(cards):
            return False
    if fields.get("magic_card"):
        card = given.pop("magic_card")
        del fields["magic_card"]
        if card is None or card >= table.game.number("magic_card_from"):
            return False
    if not hands_fit(fields, command, table):
        return False
    given = {name: value for name, value in given.items() if name not in ("low", "insists", "dice")}
    if any(given.pop(name) != value for name, value in fields.items() if name not in OWN_WORDS):
        return False
    if isinstance(command, c.PrepareDeck) and command.act == "receive":
        return colours_fit(table, command)
    if isinstance(command, c.CheckFittings):
        return all(bool(given.pop(name)) or name == "variance" for name in option.texts) and not any(given.values())
    if any(given.pop(name) not in words for name, words in option.choices.items()):
        return False
    if isinstance(command, c.PlaceWagers):
        taken_back = "wagers" in fields and command.instrument in table.game.listed("instruments")
        if command.seed_hash and (len(command.seed_hash) != 64 or not table.deck.cards):
            return False
        return taken_back or ("wagers" not in fields and stakes_fit(option, command.wagers))
    for name, amounts in option.ranges.items():
        value = given.pop(name)
        if value not in amounts and not (value is None and name in option.optional):
            return False
    return nothing_else_said(command, given, table)


def hands_fit(fields: dict[str, Any], command: Command, table: TableState) -> bool:
    """Say if dice and the two cards in front fit an option; a foul fits only with a player who insists."""
    if "dice" in fields:
        dice = getattr(command, "dice", None) or ()
        return len(dice) == fields.pop("dice") and all(1 <= die <= 6 for die in dice)
    if getattr(command, "dice", None):
        return False
    low, wanted = getattr(command, "low", ()), fields.pop("low", ())
    if wanted != 2:
        return bool(low == wanted)
    cards = getattr(command, "cards", ()) or table.seat(getattr(command, "seat", 1)).cards
    if len(set(low)) != 2 or not set(low) <= set(cards) - {HIDDEN}:
        return False
    rules = rules_of(table.game)
    return not isinstance(command, c.SetHand) or command.insists or not rules.set(cards, low).foul


def stakes_fit(option: Option, wagers: Mapping[str, int]) -> bool:
    return (
        all(wager in option.ranges and cents in option.ranges[wager] for wager, cents in wagers.items())
        and all(wager in wagers for wager in option.ranges if wager not in option.optional)
        and all(len({wagers[wager] for wager in group}) == 1 for group in option.equal)
        and sum(wagers.values()) <= (option.most_in_all or 0)
    )


def colours_fit(table: TableState, command: c.PrepareDeck) -> bool:
    """Say if backs and cover card have colours, and colours of their own where they must."""
    settings = table.game.settings
    spared = table.dealing == "automated_shoe" and not settings.get("cover_card_with_automated_shoe", True)
    alike = command.back == command.cover and settings["cover_card"] == "unlike_the_backs"
    taken = {deck.back for deck in table.decks.values()}
    return bool(command.back) and command.back not in taken and (bool(command.cover) or spared) and not alike


def nothing_else_said(command: Command, given: Mapping[str, Any], table: TableState) -> bool:
    """Say if the other fields are empty, or free text."""
    if isinstance(command, c.ShuffleDeck):
        given = {name: value for name, value in given.items() if name != "cards"}
        size = table.game.book.deck.cards
        if len(command.cards) not in (0, size) or set(command.cards) not in (set(), set(deck_of(size))):
            return False
    if isinstance(command, c.PrepareDeck):  # colours are noted when a deck is received
        given = {name: value for name, value in given.items() if name not in ("back", "cover")}
    if isinstance(command, c.LoadDeck) and command.loader == "dealer":
        given = {name: value for name, value in given.items() if name != "loader"}
    return all(name in OWN_WORDS or value in (None, "", (), "any") or value is False for name, value in given.items())
