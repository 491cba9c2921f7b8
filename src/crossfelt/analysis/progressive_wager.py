"""The progressive wager of Pai Gow Poker (11.14A): its exact return per credit, by a census of all seven-card hands."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Final

from crossfelt.analysis.made_hands import cards_making_hands
from crossfelt.analysis.pai_gow_advice import CARDS, DECK
from crossfelt.kernels.census import by_category, counted
from crossfelt.progressive.micros import MICROS
from crossfelt.progressive.returns import MeterAward, Part, WagerReturn
from crossfelt.rulebooks.game import Game

ORDER: Final = "progressive_seven"
MAGIC: Final = "magic_card"
HANDS: Final = comb(DECK, CARDS)


def progressive_return(game: Game, others: int = 0, *, wager: str = "progressive_player") -> WagerReturn | None:
    """One credit on the player's or the dealer's hand, with so many others betting on the same.

    Percentages of the meter are of one winner: a share for several players with a seven-card straight flush at once is
    too rare to count, a share of the dealer's hand is not. None where the wager is not offered.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> found = progressive_return(compile_game("nj-pai-gow"))
    >>> round(float(found.fixed), 4), round(float(found.cycle))
    (0.6231, 676066)
    """
    if wager not in {offered.id for offered in game.wagers}:
        return None
    counts = by_category(counted(), ORDER)
    stake = game.whole("wagers.progressive.credit_cents")
    back = stake if game.settings["credit_returned_on_win"] else 0
    own: list[tuple[Fraction, int | Fraction]] = []
    awards = []
    paid = Fraction(0)
    for line in game.pays["progressive"].table.lines:
        chance = Fraction(counts[line.hand], HANDS)
        if line.odds is not None:
            own.append((chance, line.odds.ratio * stake + back))
            paid += chance * line.odds.ratio * stake
        elif line.meter_percent is not None:
            shared = others + 1 if wager == "progressive_dealer" else 1
            awards.append(MeterAward(line.meter_percent, chance / shared))
    lucky = _lucky(game, wager, others)
    if not game.settings["lucky_stake_follows_hand"]:
        # A stake that the hand returns does not come back twice.
        by_hand = sum(chance for chance, _ in own) if back else 0
        own.append((lucky * (1 - by_hand), stake))
    award = wager.replace("progressive", "lucky")
    apart = {
        award: Part.of(stake, [(lucky, stake * _odds(game, award))]),
        MAGIC: Part.of(stake, [(_magic(game, counts), stake * _odds(game, MAGIC))]),
    }
    paid += stake * sum(part.mean for part in apart.values())
    return WagerReturn(
        stake_cents=stake,
        own=Part.of(stake, own),
        apart=apart,
        awards=tuple(awards),
        drawn_cents=paid if game.settings["odds_paid_from"] == "meter" else Fraction(0),
        rate_per_million=game.whole("meters.pai_gow.rate_per_million"),
        reset_cents=game.whole("meters.pai_gow.reset_cents"),
        limit_cents=game.stated_whole("meters.pai_gow.limit_cents"),
    )


def _rate(game: Game, award: str) -> Fraction:
    """How often a random award is drawn; never where the chosen pay table has none."""
    if not _odds(game, award):
        return Fraction(0)
    return Fraction(game.whole(f"wagers.progressive.{award}_per_million"), MICROS)


def _odds(game: Game, award: str) -> Fraction:
    lines = game.pays["progressive_bonus"].table.lines
    return next((line.odds.ratio for line in lines if line.hand == award and line.odds is not None), Fraction(0))


def _lucky(game: Game, wager: str, others: int) -> Fraction:
    """How often a lucky award falls on this bettor: a seat is drawn for players, a dealer's is everybody's."""
    if wager == "progressive_dealer":
        return _rate(game, "lucky_dealer")
    seats = others + 1 if game.settings["lucky_player_goes_to"] == "wagered_seats" else game.book.table.seats
    return _rate(game, "lucky_player") / seats


def _magic(game: Game, counts: dict[str, int]) -> Fraction:
    """How often the magic card brings something: it must lie in a hand that wins. Of 52 cards no joker is drawn."""
    if not _rate(game, MAGIC):
        return Fraction(0)
    drawn_from = game.number("magic_card_from")
    winning = [line.hand for line in game.pays["progressive"].table.lines]
    if game.settings["magic_card_in"] == "all_seven":
        jokers = by_category(counted((1,)), ORDER)
        cards = sum(CARDS * counts[hand] - jokers[hand] for hand in winning)
        with_joker = sum(jokers[hand] for hand in winning)
    else:
        making = cards_making_hands()
        cards = sum(making[hand].cards for hand in winning)
        with_joker = sum(making[hand].jokers for hand in winning)
    return _rate(game, MAGIC) * Fraction(cards + (with_joker if drawn_from == DECK else 0), drawn_from * HANDS)
