"""A game as plain data for a screen: layout, stakes, pay tables, and the steps of a round.

Every value is text or a number that a page can print, with the operator's choices applied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Group, Hand, Split, side_of
from crossfelt.rulebooks.model import PayLine, PayTable, Rulebook, Wager, Wheel
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.render.phrases import as_words, line_title, pay_words, wager_words
from crossfelt.rulebooks.render.settle_words import bonus_words, rule_words, titles_of
from crossfelt.rulebooks.render.step_phrases import choice_titles, step_words
from crossfelt.rulebooks.rulebook_law import document_of
from crossfelt.rulebooks.script import Action, Decide, Reveal, Step

WITHOUT_JOKER: Final = 52
CROSS: Final = ("bottom", "right", "middle", "left", "top")
OWNERS: Final = ("dealer", "community", "seat")


def describe(game: Game) -> dict[str, Any]:
    """Return the data of a game for a player's screen.

    >>> described = describe(compile_game("nj-criss-cross"))
    >>> described["jurisdiction"], described["layout"]["rows"][0]
    ('New Jersey', ('five_card_bonus',))
    >>> [line["pays"] for line in described["pays"][1]["lines"]][:3]
    ['500 to 1', '100 to 1', '40 to 1']
    """
    book, document = game.book, document_of(game.book)
    return {
        "rulebook": book.id,
        "title": book.title,
        "game": book.game,
        "version": book.version,
        "hash": game.hash,
        "document": document.title,
        "citation": document.citation,
        "jurisdiction": whose_rules(book),
        "operator": game.choices.get("operator", ""),
        "deck_cards": book.deck.cards,
        "seats": book.table.seats,
        "tint": tint_of(game),
        "layout": {"rows": book.table.layout.rows, "clauses": book.table.layout.clauses},
        "groups": list(groups_on_felt(book)),
        "hands": [_hand(game, hand) for hand in book.hands],
        "splits": [_split(game, split) for split in book.splits],
        "wagers": [_wager(game, wager) for wager in game.wagers],
        "pays": [_pay_table(game, pays) for pays in game.pays.values() if in_use(game, pays)],
        "wheels": [_wheel(game, wheel) for wheel in game.wheels],
        "community_pays": [msgspec.to_builtins(pay) for pay in game.community_pays],
        "meters": [
            {"id": meter.id, "title": meter.title, "wagers": list(meter.fed_by)}
            for meter in book.meters
            if any(game.offers(wager) for wager in meter.fed_by)
        ],
        "choices": {path: value for path, value in game.choices.items() if value is not None},
        "illustrative": sorted(game.illustrative),
        "script": [_step(game, step) for step in book.script],
        "surrender": _surrender(game),
    }


def whose_rules(book: Rulebook) -> str:
    """Return the jurisdiction or house whose rules these are: as the title ends, or as the document says.

    >>> from crossfelt.rulebooks.loader import load
    >>> whose_rules(load("md-criss-cross"))
    'Maryland'
    """
    document = document_of(book)
    named = book.title.rpartition(", ")[2] if ", " in book.title else document.jurisdiction or document.authority
    return named[:1].upper() + named[1:]


def tint_of(game: Game) -> int:
    """Return the number of the felt's colour: by the deck, and by whether the dealer has cards."""
    return 3 if game.book.deck.cards > WITHOUT_JOKER else 2 if game.dealer_places else 1


def _hand(game: Game, hand: Hand) -> dict[str, Any]:
    """Return a hand with the places of its cards; a hand found among several has their ids instead."""
    places = {group.id: group.names for group in game.book.groups}
    return {
        "id": hand.id,
        "title": hand.title or as_words(hand.id).capitalize(),
        "places": [
            f"dealer_{place}" if whose else place
            for whose, name in map(side_of, hand.of)
            for place in places.get(name, (name,))
        ],
        "parts": hand.parts,
        "split": hand.split,
    }


def _split(game: Game, split: Split) -> dict[str, Any]:
    """Return the hands that cards are divided into, the higher first, each with its number of cards."""
    hands = {hand.id: hand for hand in game.book.hands}
    into = [
        {
            "id": one,
            "title": hands[one].title or as_words(one).capitalize(),
            "cards": kinds_of(game.book)[hands[one].order or ""].cards,
        }
        for one in split.into
    ]
    return {"id": split.id, "of": split.of, "into": into}


def _surrender(game: Game) -> dict[str, Any] | None:
    """Return what a surrender returns, which wagers it leaves in play, and which bar it; None without surrender."""
    if "surrender_until" not in game.settings:
        return None
    return {
        "returns_per_mille": game.number("surrender_refund_per_mille"),
        "keeps": [wager for wager in game.listed("surrender_keeps") if game.offers(wager)],
        "barred_by": [wager for wager in game.listed("surrender_barred_by") if game.offers(wager)],
    }


def _wager(game: Game, wager: Wager) -> dict[str, Any]:
    posted = wager.stake.posted
    titles = titles_of(game.book.hands)
    settled = [rule_words(rule, titles) for rule in wager.settle]
    settled += [bonus_words(bonus, titles) for bonus in wager.bonus]
    return {
        "id": wager.id,
        "title": wager.title or as_words(wager.id).capitalize(),
        "says": wager_words(wager, settled),
        "unit": wager.unit,
        "credit_cents": game.credit_cents(wager) if wager.unit == "credits" else None,
        "group": wager.group,
        "required": wager.required,
        "opening": wager.id in game.opening_wagers,
        "first": wager in game.first_wagers,
        "needs": wager.needs,
        "stake": msgspec.to_builtins(wager.stake),
        "limits": msgspec.to_builtins(game.limits(posted)) if posted else None,
        "pays": wager.pays,
        "also_pays": wager.also_pays,
        "lines": game.lines_of(wager),
        "hands": wager.deciding,
        "odds": None if wager.odds is None else str(wager.odds),
        "paid_by": "wheel" if wager.spins else "table",
        "clauses": wager.clauses,
    }


def in_use(game: Game, table: PayTable) -> bool:
    """Say if a wager on offer is paid by a table."""
    return bool(table.lines) and any(table.id in _paid_by(wager) for wager in game.wagers)


def _paid_by(wager: Wager) -> tuple[str, ...]:
    """Return the pay tables of a wager, its bonus and its awards."""
    return (*wager.tables, *wager.also_pays, *(bonus.pay for bonus in wager.bonus))


def _pay_table(game: Game, table: PayTable) -> dict[str, Any]:
    return {
        "id": table.id,
        "letter": table.letter,
        "title": table.title,
        "hand": table.order,
        "odds_are": table.odds_are,
        "wagers": [wager.id for wager in game.wagers if table.id in _paid_by(wager)],
        "lines": [_pay_line(line) for line in table.lines],
        "clauses": table.clauses,
        "readings": table.readings,
        "house_rule": table.house_rule,
        "illustrative": table.illustrative,
    }


def _pay_line(line: PayLine) -> dict[str, Any]:
    return {
        "id": line.name,
        "title": line_title(line),
        "pays": pay_words(line),
        "odds": None if line.odds is None else str(line.odds),
        "meter_percent": line.meter_percent,
        "amount_cents": line.amount_cents,
    }


def _wheel(game: Game, wheel: Wheel) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(wheel),
        "ring": wheel.ring,
        "top": wheel.top,
        "name": wheel.name,
        "weights": game.weights(wheel),
        "illustrative": wheel.weights_path in game.illustrative,
    }


def _step(game: Game, step: Step) -> dict[str, Any]:
    return {
        "id": step.id,
        "step": step.__struct_config__.tag,
        "words": step_words(step, game.book),
        "wager": step.wager if isinstance(step, Decide) else None,
        "forfeits": game.fold_forfeits(step) if isinstance(step, Decide) else (),
        "cards": step.cards if isinstance(step, Reveal) else (),
        "actions": [_action(game, action) for action in step.actions] if isinstance(step, Decide) else [],
        "titles": choice_titles(game, step) if isinstance(step, Decide) else {},
        "clauses": step.clauses,
    }


def _action(game: Game, action: Action) -> dict[str, Any]:
    """Return what a player may do at a decision: its form, its wager, and the hands that the player names one of."""
    form = action.forms[0]
    named = next((hand.parts for hand in game.book.hands if hand.id == action.choose), ())
    wager = action.bet or action.withdraw or ""
    return {"form": form, "title": action.title, "wager": wager, "times": action.times, "names": named}


# --- the groups of cards on the felt ----------------------------------------------------------------------------------
# Positions follow from a group's shape and the order of its places. A cross lists them as the dealer sees it.


def groups_on_felt(book: Rulebook) -> Iterator[dict[str, Any]]:
    """Yield the groups of the dealer, of the table and of a seat; a group of all positions is one of each.

    >>> from crossfelt.rulebooks.loader import load
    >>> for group in groups_on_felt(load("nj-double-cross")):
    ...     print(group["owner"], group["shape"], *group["names"])
    dealer pair dealer 1 dealer 2
    community cross bottom right middle left top
    seat pair card 1 card 2
    """
    for owner in OWNERS:
        for group in book.groups:
            if group.owner == owner or (group.owner == "positions" and owner != "community"):
                yield {
                    "id": group.id,
                    "owner": owner,
                    "shape": group.shape,
                    "places": places_of(group, owner),
                    "names": names_of(group, owner),
                    "labels": _printed(book, group) if owner == "community" else (),
                }


def places_of(group: Group, owner: str) -> tuple[str, ...]:
    """Return the places of a group; the dealer's have a prefix, since a seat may have the same."""
    return tuple(f"dealer_{name}" for name in group.names) if owner == "dealer" else group.names


def names_of(group: Group, owner: str) -> tuple[str, ...]:
    """Return the name of each place in words, as a player sees it."""
    if group.shape == "cross" and len(group.names) == len(CROSS):
        return CROSS
    if owner != "community":
        return tuple(f"{'dealer' if owner == 'dealer' else 'card'} {at}" for at in range(1, len(group.names) + 1))
    if not group.labels:
        return tuple(map(as_words, group.names))
    numbered, seen = Counter(group.labels), Counter[str]()
    names = []
    for label in group.labels:
        seen[label] += 1
        names.append(f"{label} {seen[label]}" if numbered[label] > 1 else label)
    return tuple(names)


def _printed(book: Rulebook, group: Group) -> tuple[str, ...]:
    """Return the label printed for each place: the group's own, or the layout's with which the place's name begins."""
    labels = book.table.layout.community_labels
    if group.labels or not labels:
        return group.labels
    return tuple(next((label for label in labels if name.startswith(label.lower())), "") for name in group.names)
