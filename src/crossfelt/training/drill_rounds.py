"""Rounds for drills: real chips, odd stakes, named cards, played by the table engine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import Chance
from crossfelt.play.areas import areas_of
from crossfelt.play.careful_player import multiples
from crossfelt.play.scripted.file import HOUSE_WAY, SET
from crossfelt.play.scripted.runner import PlayedRound, ScriptRunner
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.script import Decide, SetHands
from crossfelt.training.question import CardsShown, ChipsShown, Shown, chips_of

ODD_STAKES: Final = (5_00, 7_00, 10_00, 12_00, 15_00, 17_00, 20_00, 25_00, 35_00, 40_00, 55_00, 65_00, 85_00, 115_00)
"""Realistic stakes, including some that are hard to multiply."""

LARGEST_SEED: Final = 1 << 30

Places = Mapping[str, Card]
"""Cards of one seat and of the layout, by place."""


def play(game: Game, chance: Chance, script: Mapping[str, Any]) -> PlayedRound:
    """Play a scripted round whose other cards are drawn."""
    round_ = {"rulebook": game.book.id, "seed": chance.below(LARGEST_SEED), **script}
    return ScriptRunner(game=game).play(round_, where="drill")


def stakes(game: Game, chance: Chance, *, largest: bool = False, also: Sequence[str] = ()) -> dict[str, int]:
    """Draw the stakes of a seat before the deal: on the required wagers (the first where none is), and on `also`."""
    placed: dict[str, int] = {}
    for wager in game.opening_wagers.values():
        if wager in game.first_wagers or wager.id in also:
            placed.setdefault(wager.group or wager.id, _stake(game, wager, chance, largest=largest))
    return placed


def _stake(game: Game, wager: Wager, chance: Chance, *, largest: bool) -> int:
    if wager.stake.cents:
        return wager.stake.cents[chance.below(len(wager.stake.cents))]
    if wager.stake.posted is None:
        return next(wheel.stake_cents for wheel in game.wheels if wheel.wager == wager.id)
    limits = game.limits(wager.stake.posted)
    if largest:
        return limits.max
    if wager.unit == "credits":
        return chance.between(limits.min, limits.max)
    fitting = [cents for cents in ODD_STAKES if limits.min <= cents <= limits.max and cents % limits.step == 0]
    return fitting[chance.below(len(fitting))] if fitting else limits.min


def decisions(game: Game, chance: Chance, placed: Mapping[str, int], *, largest: bool = False) -> dict[str, Any]:
    """Draw the decisions of a seat that never folds; it exposes its hands and sets them the house way."""
    made: dict[str, Any] = {}
    for step in game.book.script:
        if isinstance(step, SetHands) and step.who == "players":
            made[SET] = HOUSE_WAY
        elif isinstance(step, Decide):
            made[step.name] = decided = _decision(game, step, chance, placed, largest=largest)
            placed = {**placed, step.wager: decided} if isinstance(decided, int) else placed
    return {name: decision for name, decision in made.items() if decision is not None}


def _decision(
    game: Game, step: Decide, chance: Chance, placed: Mapping[str, int], *, largest: bool
) -> int | str | None:
    options = game.options(step)
    if "bet" in options and ("check" not in options or largest or chance.below(2)):
        wager, times = game.wager(step.wager), multiples(game, step)
        base = placed.get(str(wager.stake.of))
        if base is None:
            return None
        # The cards are not known yet: no more than the lowest ceiling, which every hand may bet.
        ceiling = min((most.times for most in (step.bet.most if step.bet else ())), default=max(times))
        times = tuple(each for each in times if each <= ceiling) or times[:1]
        if largest:
            return max(times) * base
        fixed = (step.bet is not None and step.bet.times) or wager.stake.times or wager.stake.whole
        if fixed or game.settings.get("whole_multiples_only"):
            return base * times[chance.below(len(times))]
        unit = game.bet_step(wager)
        return unit * chance.between(wager.stake.min * base // unit, ceiling * base // unit)
    if step.shows:
        return "expose" if step.wager in placed else None
    others = [option for option in options if option not in ("fold", "bet")]
    return others[chance.below(len(others))]


def named_cards(game: Game, seat: int, places: Places) -> dict[str, str]:
    """Format the cards of one seat and of the layout for a scripted round; other cards stay open."""
    cards = {f"seat{seat}": [places.get(place) for place in game.hand_places]}
    for area in areas_of(game):
        if area.whose == "community":
            cards[area.group.id] = [places.get(place) for place in area.places]
    cards["dealer"] = [places.get(place) for place in game.dealer_places]
    return {
        name: " ".join("??" if card is None else card.text for card in found)
        for name, found in cards.items()
        if any(card is not None for card in found)
    }


def filled(game: Game, chance: Chance, places: Places, wanted: Sequence[str]) -> dict[str, Card]:
    """Return cards for all wanted places, drawn where none is given."""
    rest = iter([card for card in chance.shuffled(deck_of(game.book.deck.cards)) if card not in places.values()])
    return {place: places[place] if place in places else next(rest) for place in wanted}


def all_places(game: Game) -> tuple[str, ...]:
    """List every place of one seat, the layout and the dealer."""
    return (*game.hand_places, *(place for area in areas_of(game) for place in area.places))


def laid_out(game: Game, places: Places) -> tuple[Shown, ...]:
    """Show the known cards of the layout, the player and the dealer; a group with a known card is shown whole."""
    own = texts(places[place] for place in game.hand_places if place in places)
    areas = [
        CardsShown(
            place="dealer" if area.whose == "dealer" else area.group.id,
            label="The dealer's cards" if area.whose == "dealer" else area.title.capitalize(),
            cards=texts(places.get(place, HIDDEN) for place in area.places),
            shape=area.group.shape,
        )
        for area in areas_of(game)
        if not places.keys().isdisjoint(area.places)
    ]
    player = [CardsShown(place="player", label="The player's cards", cards=own)] if own else []
    return tuple(sorted([*areas, *player], key=lambda shown: shown.place == "dealer"))


def texts(cards: Iterable[Card]) -> tuple[str, ...]:
    """Return cards as a question shows them."""
    return tuple(card.text for card in cards)


def chips_shown(game: Game, seat: int, wager: str, cents: int) -> ChipsShown:
    """Show a stake on its betting area."""
    return ChipsShown(place=wager, label=game.wager(wager).title, cents=cents, chips=chips_of(cents), seat=seat)
