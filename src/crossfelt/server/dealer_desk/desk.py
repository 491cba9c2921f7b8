"""The dealer's desk: the steps of the round, the dealer's acts, and every movement of chips with its arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from crossfelt._util.shared_fields import shared_fields
from crossfelt.play.areas import places_words
from crossfelt.play.narration import narrate
from crossfelt.play.payment_explanation import arithmetic
from crossfelt.play.posted_notice import stated_rule
from crossfelt.play.text import rule_words, title_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.render.step_phrases import step_words
from crossfelt.rulebooks.script import Decide, Lock, Reveal, SetHands, Settle, Spin, Step
from crossfelt.server.core.bots import bot_style
from crossfelt.server.core.commit import TableEntry
from crossfelt.server.dealer_desk.acts import KEYS, DealerAct, acts_now
from crossfelt.server.pit.actor import TableActor
from crossfelt.table import events as e
from crossfelt.table.acts.clock import awaited
from crossfelt.table.acts.dealing import count_due
from crossfelt.table.decks import fittings_due, next_act
from crossfelt.table.events import DealerHandsSet
from crossfelt.table.state import TableState
from crossfelt.training.question import Chips, chips_of

Way = Literal["take", "pay", "give back", "leave", "meter", "asked"]
"""To the tray; from the tray; the player's own chips back; a push, which moves nothing; from a meter, not the tray;
still to be typed, in an exam."""

_MovesChips = (
    e.FoldCollected | e.WagersForfeited | e.WagersReturned | e.WagerSettled
    | e.CouponSettled | e.AwardPaid | e.BankSettled | e.BankReleased
)  # fmt: skip


class Movement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One movement of chips: from a betting area to the tray, or from the tray to a player."""

    id: str
    seat: int
    way: Way
    title: str
    cents: int
    chips: tuple[Chips, ...] = ()
    stake_cents: int = 0
    hand: str = ""
    line: str = ""
    """The line of the pay table that pays."""
    odds: str = ""
    words: str = ""
    """The arithmetic behind it."""
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    """The hand that the seat has shown; only where the payment is asked, in an exam."""
    low: tuple[str, ...] = ()
    """The cards of the low hand among them, if the player has split them."""


def movements(rows: Iterable[TableEntry]) -> tuple[Movement, ...]:
    """Return the movements of some rows, in the order in which the table made them."""
    return tuple(
        replace(movement, id=f"{row.seq}.{place}.{number}")
        for row in rows
        for place, event in enumerate(row.events)
        for number, movement in enumerate(_moves(event, row.before.game))
    )


def _moves(event: e.Event, game: Game) -> Iterator[Movement]:
    match event:
        case e.WagerSettled():
            yield from _settled(event, game)
        case e.FoldCollected() | e.WagersForfeited():
            for wager, cents in event.wagers.items():
                yield _movement(event, "take", _wager_title(wager, game), cents, game)
        case e.WagersReturned():
            for wager, cents in {**event.wagers, **event.forfeited}.items():
                yield _movement(event, "give back", _wager_title(wager, game), cents, game)
        case e.CouponSettled() if event.paid:
            yield _movement(event, "pay", f"Match play on the {title_of(event.wager, game)}", event.paid, game)
        case e.AwardPaid() if event.cents:
            pay = game.pays.get(event.award)
            title = pay.title if pay is not None else event.award.replace("_", " ").capitalize()
            yield _movement(event, "meter" if event.source else "pay", title, event.cents, game)
        case e.BankSettled():
            yield _movement(event, "pay", "The bank", event.returned + event.paid - event.commission, game)
        case e.BankReleased() if event.cents:
            yield _movement(event, "give back", "The bank's cover", event.cents, game)


def _settled(event: e.WagerSettled, game: Game) -> Iterator[Movement]:
    """Yield the stake that is taken and the payment on it. A push stays in its betting area."""
    won = event.paid - event.commission
    moves: list[tuple[Way, int]] = [("take", event.stake - event.returned)] if event.stake > event.returned else []
    if won > 0:
        moves.append(("meter" if event.source else "pay", won))
    elif event.returned:
        moves.append(("give back", event.returned) if moves else ("leave", 0))
    for way, cents in moves:
        movement = _movement(event, way, _wager_title(event.wager, game), cents, game)
        line, words = event.line.replace("_", " "), arithmetic(event, game)
        yield replace(movement, stake_cents=event.stake, hand=event.hand, line=line, odds=event.odds, words=words)


def _movement(event: _MovesChips, way: Way, title: str, cents: int, game: Game) -> Movement:
    return Movement(
        id="",
        seat=event.seat,
        way=way,
        title=title,
        cents=cents,
        chips=chips_of(cents),
        words=narrate(event, game),
        clauses=event.clauses,
        readings=event.readings,
    )


def _wager_title(wager: str, game: Game) -> str:
    title = title_of(wager, game)
    return title[0].upper() + title[1:]


# --- the desk ---------------------------------------------------------------------------------------------------------


class DeskStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the round, in the words of the rulebook."""

    id: str
    title: str
    words: tuple[str, ...]
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str
    """The house rule behind it, if the document has none."""


class Stub(msgspec.Struct, frozen=True, kw_only=True):
    """The cards left after the deal, and their last count."""

    due: bool
    every: int
    rounds: int
    """The rounds since the last count, including this one."""
    gone: bool


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """The dealer's page after one row of the table."""

    seq: int
    live: bool
    round: int
    step: str
    steps: tuple[DeskStep, ...]
    acts: tuple[DealerAct, ...]
    keys: dict[str, str]
    """Every act of this game by its key, even if it is not possible now."""
    waits: str
    """The player, floor or meter that the table waits for; empty if it is the dealer's turn."""
    movements: tuple[Movement, ...]
    house_way: str
    """The rule by which the dealer's seven cards were set; empty before that."""
    stub: Stub


def desk_of(actor: TableActor) -> Desk:
    table, live = actor.table, actor.settings.live
    script = table.game.dealt_by(table.dealing).script
    acts = acts_now(table, actor.now(), live=live)
    return Desk(
        seq=actor.seq,
        live=live,
        round=table.round,
        step=table.step,
        steps=tuple(_steps(table, script)),
        acts=acts,
        keys={key: command for command, key in KEYS.items() if command in _used(script)},
        waits="" if any(act.regular for act in acts) else waits(table, live=live),
        movements=movements(actor.memory.round_rows),
        house_way=_house_way(table, actor.memory.round_rows),
        stub=Stub(
            due=count_due(table),
            every=table.game.number("stub_count_every"),
            rounds=table.rounds_since_count,
            gone=table.stub_gone,
        ),
    )


def _steps(table: TableState, script: Iterable[Step]) -> Iterable[DeskStep]:
    for step in script:
        wagers = step.wagers if isinstance(step, Settle | Spin) else (step.wager,) if isinstance(step, Decide) else ()
        if wagers and not any(wager == table.game.envy_wager or table.game.offers(wager) for wager in wagers):
            continue
        words = {"title": _title(step, table.game), "words": tuple(step_words(step, table.game.book))}
        yield DeskStep(**shared_fields(step, DeskStep) | words | {"house_rule": stated_rule(table.game, step)})


_TITLES: Final[Mapping[str, str]] = {
    "offer_bank": "The bank is offered",
    "open_bets": "Wagers",
    "lock": "No more bets",
    "first_hand": "The first hand",
    "deal": "The deal",
    "stub": "The stub",
    "compare": "Hands are exposed and compared",
    "discard": "Cards are picked up",
    "shuffle": "Shuffle and cut",
}


def _title(step: Step, game: Game) -> str:
    match step:
        case Decide():
            return f"Players decide: {title_of(step.wager, game)}"
        case Reveal():
            return f"Turn up {places_words(game, step.cards)}"
        case SetHands():
            return "Players set their hands" if step.who == "players" else "The dealer's hand is set"
        case Settle() | Spin():
            titles = ", ".join(title_of(wager, game) for wager in step.wagers if game.offers(wager))
            return f"{'Spins' if isinstance(step, Spin) else 'Take and pay'}: {titles}"
    return _TITLES[str(step.__struct_config__.tag)]


_OF_STEP: Final[Mapping[str, tuple[str, ...]]] = {
    "lock": ("no_more_bets",),
    "first_hand": ("choose_first_hand",),
    "deal": ("deal_cards",),
    "stub": ("count_stub", "discard_stub"),
    "decide": ("collect_folds", "time_out"),
    "reveal": ("turn_up",),
    "set_hands": ("set_dealer_hand", "time_out"),
    "compare": ("expose_seat",),
    "settle": ("settle_seat",),
    "spin": ("spin_wheel", "pass_spin", "spin_xtreme", "pay_spin"),
    "discard": ("discard_cards",),
    "shuffle": ("prepare_deck", "shuffle_deck", "cut_deck", "load_deck"),
}


def _used(script: Iterable[Step]) -> set[str]:
    steps = list(script)
    used = {command for step in steps for command in _OF_STEP.get(str(step.__struct_config__.tag), ())}
    draws = any(isinstance(step, Lock) and "start_button" in step.also for step in steps)
    return used | {"draw_awards"} if draws else used


def _house_way(table: TableState, rows: Iterable[TableEntry]) -> str:
    set_by = [event.house_way for row in rows for event in row.events if isinstance(event, DealerHandsSet)]
    return rule_words(set_by[-1], table.game) if set_by and table.dealer_low else ""


def waits(table: TableState, *, live: bool) -> str:
    """Name the player, the floor or the meter that the table waits for."""
    if table.phase != "open":
        return "The table is closed: the floor must open it"
    if table.pending is not None:
        return f"The floor decides about {table.pending.kind.replace('_', ' ')}"
    if table.claims:
        return f"Waiting for the meter {table.claims[0].meter}"
    if seats := awaited(table):
        players = {seat: table.seat(seat).player for seat in seats}
        names = ", ".join(
            f"{name} in seat {at}" if bot_style(name) is None else f"Bot {at}" for at, name in players.items()
        )
        return f"Ask {names}" if live else f"Waiting for {names}"
    if fittings_due(table):
        return "The floor must check the fittings of the table"
    if unverified := [deck.id for deck in table.decks.values() if next_act(table, deck) == "verify"]:
        return f"The floor must verify deck {unverified[0]}"
    if not any(seat.player for seat in table.seats):
        return "No player sits at the table yet"
    if table.step == "open_bets":
        return "Bets are open: enter each seat's wagers" if live else "Bets are open: no wagers yet"
    return "The floor prepares the cards"
