"""Rules for a deck: the next act of its opening, its shuffle, and its time in use."""

from __future__ import annotations

from crossfelt.errors import Problem
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.model import Requirement
from crossfelt.rulebooks.script import OfferBank, OpenBets, OpeningStep, Shuffle
from crossfelt.table.act import joined, refuse
from crossfelt.table.events import ShuffleMethod
from crossfelt.table.state import Deck, TableState, step_of

HOUR = 3_600_000
"""Milliseconds."""
SLOTS = ("A", "B")
"""The first and the second deck; each deck that takes the place of another has the next number."""
AFTER_IDLE = ("show", "wash", "stack")


def opening_step(table: TableState, act: str) -> OpeningStep:
    return table.game.dealt_by(table.dealing).opening[act]


def recut_rule(table: TableState) -> Cited:
    """Return the rule of a new cut."""
    cut = opening_step(table, "cut")
    return cut.recut_rule or cut


def second_deck(table: TableState) -> Cited:
    """Return the rule of a second deck."""
    return table.game.book.deck.second_rule or table.game.book.deck


def next_act(table: TableState, deck: Deck) -> str | None:
    """Return the next act that opens a deck before its shuffle; pre-inspected cards skip most of them.

    A deck that lay idle is shown, washed and stacked again, however it arrived.
    """
    acts = table.game.opening_acts
    if deck.since is not None and deck.stage in ("idle", "new"):
        acts = tuple(act for act in acts if act in AFTER_IDLE)
    elif table.game.settings["preinspected_skips_opening"] and table.game.choices.get("dealing.preshuffled"):
        acts = acts[:1]
    return next((act for act in acts if act not in deck.prepared), None)


def _without_shuffler(table: TableState) -> Requirement | None:
    """Return the rule that a second deck breaks where no shuffler mixes it."""
    rules = (rule for rule in table.game.book.requirements if 2 in rule.when.get("dealing.decks", ()))
    return next(rules, None) if table.shuffling != "device" else None


def deck_names(table: TableState) -> tuple[str, ...]:
    """Return the names of the table's decks, and of decks that it may still receive."""
    taken = {slot_of(name) for name in table.decks}
    free = [f"{slot}-{1 + table.decks_received.get(slot, 0)}" for slot in SLOTS if slot not in taken]
    most = 1 if _without_shuffler(table) else table.game.whole("dealing.decks")
    return tuple(sorted((*table.decks, *free[: max(0, most - len(table.decks))])))


def slot_of(deck: str) -> str:
    """Return the first or second deck whose place a deck has."""
    return deck.partition("-")[0]


def one_too_many(table: TableState) -> Problem | None:
    """Refuse a second deck at a table without a shuffler."""
    rule = _without_shuffler(table)
    if rule is None or len(table.decks) < 2:
        return None
    return refuse("deck.second", rule.says, ", ".join(table.decks), "remove the deck", rule.clauses, where="deck")


def between_rounds(table: TableState) -> bool:
    """Say if no round is open, or one is open for bets without a wager."""
    step = step_of(table)
    if step is None or isinstance(step, Shuffle):
        return True
    return isinstance(step, OfferBank | OpenBets) and not any(seat.wagers for seat in table.seats)


def round_open(table: TableState) -> bool:
    """Say if a round is open; a recut or an ordered shuffle interrupts it but keeps its deck."""
    step = step_of(table)
    return step is not None and not isinstance(step, Shuffle)


def bets_closed(table: TableState) -> bool:
    """Say if a round is past its bets and can no longer be called off."""
    return round_open(table) and not isinstance(step_of(table), OfferBank | OpenBets)


def no_card_dealt(deck: Deck) -> bool:
    """Say if the deck is complete: no card was dealt, and none was found face up."""
    return deck.next == 0 and not deck.skipped


def shuffle_due(table: TableState, deck: Deck) -> ShuffleMethod:
    """Return the next way to mix a deck."""
    if _arrives_preshuffled(table, deck):
        return "preshuffled"
    return "device" if table.shuffling == "device" else "manual"


def _arrives_preshuffled(table: TableState, deck: Deck) -> bool:
    """Say if a deck skips its first shuffle: it arrived pre-shuffled, and was not used or washed since."""
    first = deck.stage in ("new", "prepared") and deck.since is None
    skips = table.game.settings["preshuffled_skips_first_shuffle"]
    return bool(first and skips and table.game.choices.get("dealing.preshuffled"))


def wrong_method(table: TableState, deck: Deck, method: str, rule: Cited) -> Problem | None:
    """Refuse a way to mix a deck that is not open now."""
    if method == "preshuffled":
        if not _arrives_preshuffled(table, deck):
            what = "only pre-shuffled cards skip a shuffle, and only their first"
            return refuse("shuffle.method", what, method, table.shuffling, rule.clauses)
    elif method != table.shuffling:
        return refuse("shuffle.method", "this table does not shuffle this way", method, table.shuffling, rule.clauses)
    elif method == "device" and table.devices.get("shuffler") != "in_use":
        return refuse("shuffle.device", "the shuffler is out of use", table.devices.get("shuffler"), "", rule.clauses)
    return None


def needs_cut(table: TableState, method: ShuffleMethod) -> bool:
    """Say if a cut follows the shuffle."""
    return method in table.game.listed("cut_after") and not waives_cut(table)


def waives_cut(table: TableState) -> bool:
    """Say if a reshuffling device makes the cut, the recut and the idle spread unnecessary."""
    allowed = table.game.settings.get("reshuffling_device_waives_cut", False)
    return bool(allowed and table.game.choices.get("dealing.reshuffling_device"))


def deck_hours_allowed(table: TableState) -> tuple[int, tuple[str, ...]]:
    """Return the hours that a deck may be used with this way of dealing, and the clauses; 0 for no limit."""
    name = "deck_change_hours_hand" if table.dealing == "hand" else "deck_change_hours_shoe"
    return table.game.number(name), table.rule(name).clauses


def use_ends(table: TableState, deck: Deck) -> int | None:
    """Return the time by which the deck must be changed, in milliseconds; None without a limit or before its use."""
    hours, _ = deck_hours_allowed(table)
    return deck.since + hours * HOUR if hours and deck.since is not None else None


def too_old(table: TableState, deck: Deck, at: int) -> Problem | None:
    """Refuse to begin a round with a deck that is too old."""
    ends = use_ends(table, deck)
    if ends is None or deck.since is None or at < ends:
        return None
    hours, clauses = deck_hours_allowed(table)
    used = (at - deck.since) // HOUR
    return refuse("deck.old", f"the deck has been in use for {used} hours", deck.id, f"under {hours} hours", clauses)


def devices_used(table: TableState) -> tuple[str, ...]:
    """Return the devices that the table deals and shuffles with now."""
    used = {"shoe": table.dealing != "hand", "shuffler": table.shuffling == "device"}
    return tuple(device for device, in_use in used.items() if in_use)


def fittings_due(table: TableState) -> bool:
    """Say if the fittings must be checked: since the opening of the table, or since a device was changed."""
    checked = table.fittings
    return checked is None or not all(getattr(checked, device) for device in devices_used(table))


def device_rule(table: TableState, device: str) -> Cited:
    """Return the rule of a shoe or a shuffler."""
    return opening_step(table, "load" if device == "shoe" else "shuffle")


def fittings_rule(table: TableState) -> Cited:
    """Return the rules of the fittings, and of the devices in use."""
    return joined(table.game.book.table.fixtures, *(device_rule(table, device) for device in devices_used(table)))


def fittings_problem(table: TableState) -> Problem | None:
    """Refuse to shuffle or load cards before the fittings are checked and the devices named."""
    if not fittings_due(table):
        return None
    what, allowed = "the fittings of the table are not checked", "a check of the fittings by the floor"
    return refuse("fittings.due", what, "", allowed, fittings_rule(table))


def shoe_problem(table: TableState) -> Problem | None:
    """Refuse to deal from an automated shoe that is out of use."""
    if table.dealing != "automated_shoe" or table.devices.get("shoe") == "in_use":
        return None
    what, clauses = "the shoe is out of use", table.game.book.irregularities["device_out_of_order"]["any"].clauses
    return refuse("device.shoe", what, table.devices.get("shoe"), "change the dealing method", clauses)
