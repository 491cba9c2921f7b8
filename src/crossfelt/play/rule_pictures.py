"""The pictures of the rules: hands of example cards, betting areas and pay tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from crossfelt.cards.card import Card
from crossfelt.cards.notation import parse_cards
from crossfelt.games.house_way import house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.games.split_hands import set_hand
from crossfelt.play.areas import areas_of
from crossfelt.play.bet_words import stake_text
from crossfelt.play.game_words import pushes
from crossfelt.play.text import capital, hand_title
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Line, PayTable, Wager
from crossfelt.rulebooks.render.phrases import line_title, pay_words

SAMPLE_OWN: Final = "Kh 9c Kc 5d 3s 8h Js"
SAMPLE_CROSS: Final = "9d 4s 7h Kd 2c"
"""Example cards of the pictures: a pair of kings in the row, a pair of nines in the column."""
SAMPLE_ROW: Final = "Kd 4s 7h 2c 9d Td 6s"
SAMPLE_SEVEN: Final = "As Ad Kc Qh 9s 9d 4c"
MOST_PAY_LINES: Final = 12


class GroupPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A group of community cards, in the order of its places; cards that are not lit lie face down."""

    shape: str
    cards: tuple[str, ...]
    lit: tuple[bool, ...]


class CardsPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="cards"):
    """The community cards with those of one hand lit, and the player's cards below them."""

    caption: str
    groups: tuple[GroupPicture, ...]
    own: tuple[str, ...]


class HandsPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="hands"):
    """Seven cards as two hands."""

    caption: str
    high: tuple[str, ...]
    low: tuple[str, ...]


class BetArea(msgspec.Struct, frozen=True, kw_only=True):
    """A betting area in a picture, with its stake in words."""

    id: str
    title: str
    stake: str
    required: bool
    opening: bool


class BetsPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="bets"):
    """The betting areas as they lie on the layout."""

    caption: str
    rows: tuple[tuple[BetArea, ...], ...]


class PaysPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="pays"):
    """A pay table: each hand with its pay."""

    caption: str
    lines: tuple[tuple[str, str], ...]


Picture = CardsPicture | HandsPicture | BetsPicture | PaysPicture


def bet_areas(game: Game, required: Sequence[Wager], optional: Sequence[Wager]) -> tuple[tuple[BetArea, ...], ...]:
    rows = [[game.wager(wager) for wager in row if game.offers(wager)] for row in game.book.table.layout.rows]
    shown = {wager.id for row in rows for wager in row}
    rows.append([wager for wager in (*required, *optional) if wager.id not in shown])
    return tuple(tuple(_area(game, wager) for wager in row) for row in rows if row)


def _area(game: Game, wager: Wager) -> BetArea:
    opening = wager.id in game.opening_wagers
    stake = stake_text(game, wager).replace("times your ", "× ").replace(" × ", "× ")
    return BetArea(id=wager.id, title=wager.title, stake=stake, required=wager.required, opening=opening)


def cards_picture(game: Game, line: Line) -> CardsPicture:
    """Show the cards of a hand: its community cards lit, the others face down, the player's own below."""
    cards = dict(zip(game.hand_places, SAMPLE_OWN.split(), strict=False))
    groups = []
    for area in areas_of(game):
        if area.whose == "community":
            sample = (SAMPLE_CROSS if area.group.shape == "cross" else SAMPLE_ROW).split()[: len(area.places)]
            cards |= dict(zip(area.places, sample, strict=False))
            lit = tuple(place in line.places for place in area.places)
            groups.append(GroupPicture(shape=area.group.shape, cards=tuple(sample), lit=lit))
    rank = rules_of(game).hand(line.id, {place: Card(card) for place, card in cards.items()})
    pays = game.pays_on_line.get(line.id)
    found = None if pays is None else pays.line_for(rank)
    words = "no pay" if found is None else "a push" if pushes(found) else f"pays {pay_words(found)}"
    result = "" if pays is None else f": {words}"
    return CardsPicture(
        caption=f"{capital(hand_title(game, line.id))}, here {rank.name}{result}",
        groups=tuple(groups),
        own=tuple(cards[place] for place in line.places if place in game.hand_places),
    )


def hands_picture(game: Game) -> HandsPicture:
    seven = parse_cards(SAMPLE_SEVEN)
    made = house_way_of(game).set(seven)
    hands = set_hand(seven, made.low)
    return HandsPicture(
        caption=f"High hand: {hands.high.name}. Low hand: {hands.low.name}.",
        high=tuple(card.text for card in made.high),
        low=tuple(card.text for card in made.low),
    )


def pays_picture(table: PayTable) -> PaysPicture:
    lines = tuple((capital(line_title(line)), pay_words(line)) for line in table.lines[:MOST_PAY_LINES])
    return PaysPicture(caption=table.title, lines=lines)
