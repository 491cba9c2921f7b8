"""What may be asked of a deck: what is done with it next, how it is mixed, whether it may still be used."""

from __future__ import annotations

from crossfelt.problems import Problem
from crossfelt.rulebooks.citing import Cited
from crossfelt.rulebooks.model import Requirement
from crossfelt.rulebooks.script import OfferBank, OpenBets, OpeningStep, Shuffle
from crossfelt.table.acts import refuse
from crossfelt.table.commands import ShuffleMethod
from crossfelt.table.state import Deck, Table, step_of

HOUR = 3_600_000
"""Milliseconds."""
DECK_NAMES = ("A", "B")
AFTER_IDLE = ("show", "wash", "stack")


# --- opening ------------------------------------------------------------------------------------------------------


def opening_step(table: Table, act: str) -> OpeningStep:
    return table.game.dealt_by(table.dealing).opening[act]


def acts_due(table: Table, deck: Deck) -> tuple[str, ...]:
    """What is done with a deck before it is shuffled; pre-inspected cards skip most of it.

    A deck that lay idle is shown, washed and stacked again, however it arrived.
    """
    acts = table.game.opening_acts
    if deck.since is not None and deck.stage in ("idle", "new"):
        return tuple(act for act in acts if act in AFTER_IDLE)
    skips = table.game.settings["preinspected_skips_opening"] and table.game.choices.get("dealing.preshuffled")
    return acts[:1] if skips else acts


def next_act(table: Table, deck: Deck) -> str | None:
    """The next act of opening a deck."""
    return next((act for act in acts_due(table, deck) if act not in deck.prepared), None)


# --- one deck or two ----------------------------------------------------------------------------------------------


def _without_shuffler(table: Table) -> Requirement | None:
    """The rule that a second deck breaks where no shuffler mixes it."""
    rules = (rule for rule in table.game.book.requirements if 2 in rule.when.get("dealing.decks", ()))
    return next(rules, None) if table.shuffling != "device" else None


def decks_allowed(table: Table) -> int:
    """How many decks the table may have now."""
    return 1 if _without_shuffler(table) else table.game.whole("dealing.decks")


def deck_names(table: Table) -> tuple[str, ...]:
    """The decks at the table, and those it may still receive."""
    free = [name for name in DECK_NAMES if name not in table.decks]
    if free:
        free = free[: max(0, decks_allowed(table) - len(table.decks))]
    return tuple(sorted((*table.decks, *free)))


def one_too_many(table: Table) -> Problem | None:
    """A second deck stays at the table no longer than the shuffler does."""
    rule = _without_shuffler(table)
    if rule is None or len(table.decks) < 2:
        return None
    return refuse("deck.second", rule.says, ", ".join(table.decks), "remove_deck", rule.clauses, where="deck")


# --- rounds -------------------------------------------------------------------------------------------------------


def between_rounds(table: Table) -> bool:
    """No round is open, or one is open for bets and nobody has bet."""
    step = step_of(table)
    if step is None or isinstance(step, Shuffle):
        return True
    return isinstance(step, OfferBank | OpenBets) and not any(seat.wagers for seat in table.seats)


def round_open(table: Table) -> bool:
    """A round that a recut or an ordered shuffle has interrupted goes on with the same deck."""
    step = step_of(table)
    return step is not None and not isinstance(step, Shuffle)


def bets_closed(table: Table) -> bool:
    """A round is being played that can no longer be called off."""
    return round_open(table) and not isinstance(step_of(table), OfferBank | OpenBets)


def no_card_dealt(deck: Deck) -> bool:
    """Nothing has left the deck: neither a card that was dealt nor one that was found face up."""
    return deck.next == 0 and not deck.skipped


# --- shuffle and cut ----------------------------------------------------------------------------------------------


def shuffle_due(table: Table, deck: Deck) -> ShuffleMethod:
    """How a deck is mixed next."""
    if _arrives_preshuffled(table, deck):
        return "preshuffled"
    return "device" if table.shuffling == "device" else "manual"


def _arrives_preshuffled(table: Table, deck: Deck) -> bool:
    """Some cards arrive pre-shuffled and skip the first shuffle; not once they have been in use or washed again."""
    first = deck.stage in ("new", "prepared") and deck.since is None
    skips = table.game.settings["preshuffled_skips_first_shuffle"]
    return bool(first and skips and table.game.choices.get("dealing.preshuffled"))


def wrong_method(table: Table, deck: Deck, method: str, rule: Cited) -> Problem | None:
    """Why a deck is not mixed this way now."""
    if method == "preshuffled":
        if not _arrives_preshuffled(table, deck):
            what = "only cards that arrive pre-shuffled skip a shuffle, and only the first"
            return refuse("shuffle.method", what, method, table.shuffling, rule.clauses)
    elif method != table.shuffling:
        what = "is not how this table shuffles"
        return refuse("shuffle.method", what, method, table.shuffling, rule.clauses)
    elif method == "device" and table.devices.get("shuffler") != "in_use":
        return refuse("shuffle.device", "the shuffler is out of use", table.devices.get("shuffler"), "", rule.clauses)
    return None


def needs_cut(table: Table, method: ShuffleMethod) -> bool:
    """Whether a cut follows the shuffle."""
    return method in table.game.listed("cut_after") and not waives_cut(table)


def waives_cut(table: Table) -> bool:
    """A device that reshuffles by itself makes the cut, the recut and the idle spread unnecessary."""
    allowed = table.game.settings.get("reshuffling_device_waives_cut", False)
    return bool(allowed and table.game.choices.get("dealing.reshuffling_device"))


def count_clauses(table: Table) -> tuple[str, ...]:
    return table.game.book.irregularities["shuffler_count_wrong"]["any"].clauses


# --- age and devices ----------------------------------------------------------------------------------------------


def deck_hours_allowed(table: Table) -> tuple[int, tuple[str, ...]]:
    """How long a deck may be used with this way of dealing, in hours; 0 for as long as one likes."""
    name = "deck_change_hours_hand" if table.dealing == "hand" else "deck_change_hours_shoe"
    return table.game.number(name), table.game.book.settings[name].clauses


def use_ends(table: Table, deck: Deck) -> int | None:
    """When the deck must have been changed, in milliseconds; None where nothing limits its use, or it is unused."""
    hours, _ = deck_hours_allowed(table)
    return deck.since + hours * HOUR if hours and deck.since is not None else None


def too_old(table: Table, deck: Deck, at: int) -> Problem | None:
    """Why a round cannot begin with this deck any more."""
    ends = use_ends(table, deck)
    if ends is None or deck.since is None or at < ends:
        return None
    hours, clauses = deck_hours_allowed(table)
    used = (at - deck.since) // HOUR
    return refuse("deck.old", f"the deck has been in use for {used} hours", deck.id, f"under {hours} hours", clauses)


def shoe_problem(table: Table) -> Problem | None:
    """An automated shoe that is out of use gives no cards."""
    if table.dealing != "automated_shoe" or table.devices.get("shoe") == "in_use":
        return None
    outcome = table.game.book.irregularities["device_out_of_order"]["any"]
    return refuse("device.shoe", "the shoe is out of use", table.devices.get("shoe"), "change_method", outcome.clauses)
