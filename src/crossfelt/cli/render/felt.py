"""A player's view of the table as text: cards, pay tables, chips and clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from crossfelt.cards.card import HIDDEN, Card
from crossfelt.games.house_way import house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.games.split_hands import set_hand
from crossfelt.money import dollars
from crossfelt.play.areas import areas_of, community_places, place_label
from crossfelt.play.text import amounts_words, card_sign, card_words, hand_title, rule_words, signed
from crossfelt.proof.event_proof import prove_event
from crossfelt.rulebooks import clauses as law
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.phrases import as_words, line_title, pay_words
from crossfelt.table.events import Event
from crossfelt.table.views import SeatView, TableView
from crossfelt.table.visible_hands import HandView
from crossfelt.text_layout import columns

BACK: Final = "▒▒"


def sign(text: str) -> str:
    """Render a card: its face, or its back.

    >>> sign("Td"), sign("??")
    ('10♦', '▒▒')
    """
    card = Card(text)
    return BACK if card is HIDDEN else card_sign(card)


def cards_lines(view: TableView, seats: Sequence[int], game: Game) -> list[str]:
    """Render the layout from the dealer's side, then the hands of some seats."""
    if not view.layout and not any(view.seats[number - 1].cards for number in seats):
        return ["There are no cards on the table."]
    lines: list[str] = []
    for area in areas_of(game):
        cards = [view.layout[place] for place in area.places if place in view.layout]
        if area.whose == "dealer":
            lines += hand_lines("dealer", cards, ()) if cards else ()
        elif len(cards) == len(area.places):
            lines += [*group_lines(cards, area.group.shape, [place_label(game, place) for place in area.places]), ""]
    for seat in (view.seats[number - 1] for number in seats):
        lines += hand_lines(f"seat {seat.number}", seat.cards, _hand_words(seat.hands, game)) if seat.cards else ()
    return lines


def group_lines(cards: Sequence[str], shape: str, labels: Sequence[str] = ()) -> list[str]:
    """Render a group of cards in its shape. The far end of a cross is at the top, and the dealer below it.

    >>> print("\\n".join(group_lines(["Kd", "??", "2c"], "row", ["3rd", "4th", "5th"])))
            ┌────┐ ┌────┐ ┌────┐
            │ K♦ │ │ ▒▒ │ │ 2♣ │
            └────┘ └────┘ └────┘
             3rd    4th    5th
    """
    if shape == "cross":
        far, left, *_ = labels or ("", "")
        rows = (_row(15, cards[:1], far), _row(8, cards[1:4], left), _row(15, cards[4:], ""))
        return [*(line for row in rows for line in row), f"{'dealer':>21}"]
    if len(set(labels)) < 2:
        return list(_row(8, cards, next(iter(labels), "")))
    below = " " * 8 + " ".join(f"{label:^6}" for label in labels)
    return [*_row(8, cards, ""), below.rstrip()]


def _row(margin: int, cards: Sequence[str], label: str) -> tuple[str, str, str]:
    edges = (" " * margin + " ".join(edge for _ in cards) for edge in ("┌────┐", "└────┘"))
    faces = " " * margin + " ".join(f"│{sign(card):^4}│" for card in cards)
    top, bottom = edges
    return top, f"{faces}  {label}".rstrip(), bottom


def hand_lines(whose: str, cards: Sequence[str], words: Sequence[str]) -> list[str]:
    top, faces, bottom = _row(8, cards, "")
    rows = (top, f"{whose:>7} {faces.strip()}", bottom)
    return [f"{row}  {text}".rstrip() for row, text in zip(rows, (*words, "", "", ""), strict=False)]


def _hand_words(hands: Mapping[str, HandView], game: Game) -> list[str]:
    words = {name: f"{hand.name}{'' if hand.complete else ' so far'}" for name, hand in hands.items()}
    return (
        list(words.values()) if len(words) == 1 else [f"{hand_title(game, name)}: {it}" for name, it in words.items()]
    )


def standing(view: TableView, seat: SeatView, game: Game) -> str:
    """Render in one line the cards that a player holds and sees before a decision."""
    ordered = seat.cards if len(seat.cards) == 2 else sorted(seat.cards, key=Card, reverse=True)
    shared = {name: [p for p in rules_of(game).places(name) if p in community_places(game)] for name in seat.hands}
    own = next((seat.hands[name].name for name, places in shared.items() if not places), "")
    alone = f" ({own})" if own else ""
    parts = [" ".join(map(sign, ordered)) + f" in hand{alone}"]
    for name, places in shared.items():
        within = any(set(places) < set(other) for other in shared.values())
        if not within and any(view.layout[place] != HIDDEN.text for place in places):
            cards = " ".join(sign(view.layout[place]) for place in places)
            parts.append(f"{hand_title(game, name)} {cards} ({seat.hands[name].name})")
    dealer = [view.layout[place] for place in game.dealer_places if place in view.layout]
    if any(card != HIDDEN.text for card in dealer):
        parts.append(f"dealer {' '.join(map(sign, dealer))}")
    return " · ".join(parts)


def house_way_lines(seat: SeatView, game: Game) -> list[str]:
    """Render the house way's setting of a player's cards, with its rules."""
    cards = tuple(map(Card, seat.cards))
    if game.house_way is None or len(cards) != len(game.hand_places) or HIDDEN in cards:
        return ["You have no hand to set."]
    setting = house_way_of(game).set(cards)
    hands = set_hand(cards, setting.low, wheel_second=bool(game.settings["wheel_second_highest"]))
    front, behind = card_words(setting.low), card_words(setting.high)
    return [
        f"The house way sets {front} in front ({hands.low.name}), {behind} behind ({hands.high.name}).",
        *setting.trace,
    ]


def pays_lines(game: Game, wagers: Sequence[str]) -> list[str]:
    """Render the pay tables of some wagers side by side, one row for each hand.

    Tables for other kinds of hand follow below.

    >>> lines = pays_lines(compile_game("md-criss-cross"), ["ante_across", "across", "five_card_bonus"])
    >>> print("\\n".join(lines[:2] + lines[-1:]))
                               ante      bets  five card bonus
    royal flush              1 to 1  500 to 1         250 to 1
    pair of sixes or better       —         —           1 to 1
    """
    found = [game.wager(wager) for wager in wagers]
    named = [(*wager.tables, *(bonus.pay for bonus in wager.bonus), *wager.also_pays) for wager in found]
    kinds: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for names in named for name in names):
        kinds.setdefault(game.pays[name].order, []).append(name)
    lines = [line for names in kinds.values() for line in ("", *_side_by_side(game, names))]
    return lines[1:]


def _side_by_side(game: Game, names: Sequence[str]) -> list[str]:
    rows: dict[str, dict[str, str]] = {}
    for name in names:
        for line in game.pays[name].lines:
            rows.setdefault(line_title(line), {})[name] = pay_words(line)
    cells = [(hand, *(paid.get(name, "—") for name in names)) for hand, paid in rows.items()]
    return columns([("", *map(as_words, names)), *cells], right=range(1, len(names) + 1))


def balance_line(seat: SeatView, bought_cents: int, game: Game, cover_cents: int = 0) -> str:
    """Render a seat's chips, wagers, bank cover and net."""
    at_risk = sum(seat.wagers.values())
    on_layout = f", wagered {amounts_words(seat.wagers, game)}" if at_risk else ""
    on_layout += f", {dollars(cover_cents)} covers the bank" if cover_cents else ""
    net = seat.chips_cents + at_risk + cover_cents - bought_cents
    return (
        f"Seat {seat.number}: chips {dollars(seat.chips_cents)}{on_layout}; "
        f"bought in for {dollars(bought_cents)}, net {signed(net)}"
    )


def cited(*events: Event) -> str:
    """Cite the clauses and readings of one or several events."""
    ids = dict.fromkeys(cited for event in events for cited in (*event.clauses, *event.readings))
    marks = [*ids, *(["house rule"] if any(event.house_rule for event in events) else [])]
    return f"  [{', '.join(marks)}]" if marks else ""


def proof_lines(event: Event, game: Game, step: str) -> list[str]:
    """Render the proof of an event: its arithmetic, the line of the rulebook, its clauses with their tests."""
    proof, readings = prove_event(event, game, step=step), law.readings()
    return [
        *(proof.payment.steps if proof.payment else ()),
        *(f"Rulebook, {line.path}: {line.title}, {line.says}" for line in proof.lines[:1]),
        *(f"{it.id}, {'adopted reading' if it.id in readings else it.citation}: {it.says}" for it in proof.clauses),
        *([f"House rule: {event.house_rule}"] if event.house_rule else []),
        *([f"House way, {rule}: {rule_words(rule, game)}"] if (rule := getattr(event, "house_way", "")) else []),
    ]
