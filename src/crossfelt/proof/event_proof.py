"""The proof of one event: what happened, the arithmetic, the lines of the rulebook, the clauses with their tests, and
the second settlement.

It is plain data from the events of one round, so that the browser, the terminal and a program show the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from crossfelt.cards.card import enc_hook
from crossfelt.money import dollars
from crossfelt.play.narration import narrate
from crossfelt.play.payment_explanation import PaymentExplanation, explain_payment, lines_paid, table_of
from crossfelt.proof.resettle import Data, Resettlement
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayLine, PayTable, Wager, Wheel
from crossfelt.rulebooks.render.clause_text import ClauseText, clause_text
from crossfelt.rulebooks.render.flatten import RULES, Item, flatten
from crossfelt.rulebooks.render.phrases import as_words, line_title, pay_words, setting_words, slice_words
from crossfelt.rulebooks.render.toml_lines import inline, toml_of
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.table import events as e

MOST_LINES: Final = 3
"""Lines of the rulebook in one proof."""


class RulebookLine(msgspec.Struct, frozen=True, kw_only=True):
    """One datum of the rulebook."""

    path: str
    """``paytable.bets.lines.flush``, ``settings.cut_min_cards``, ``script.deal``."""
    title: str
    says: str
    """Its meaning in words, as it is in force at the table."""
    text: str
    """The datum as the rulebook prints it."""
    in_force: str = ""
    """The datum in force, where the submission has changed it."""


class SecondSettlement(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the second settlement for a payment."""

    equal: bool
    says: str
    returned: int
    paid: int
    commission: int
    complaints: tuple[str, ...] = ()
    """The differences, in sentences. They may name cards that a player did not see."""


class RuleProof(msgspec.Struct, frozen=True, kw_only=True):
    """The rules behind an event or a refusal."""

    lines: tuple[RulebookLine, ...]
    clauses: tuple[ClauseText, ...]
    """Clauses and adopted readings, in the order of the citation."""
    house_rule: str = ""


class EventProof(RuleProof, frozen=True, kw_only=True):
    """Everything that proves one event."""

    event: str
    at: int
    by: str
    says: str
    seat: int | None
    wager: str
    """The wager whose house edge belongs to the event; empty where it is about none or several."""
    payment: PaymentExplanation | None
    net: int | None
    second: SecondSettlement | None
    """None for an event that moves no money, and without a second settlement."""


class Resettled(msgspec.Struct, frozen=True):
    """The answer of the second settlement to one event."""

    complaints: tuple[str, ...]
    due: Data


def settle_again(game: Game, players: Mapping[int, str], events: Iterable[e.Event]) -> list[Resettled]:
    """Settle the events of one round again, from its opening.

    The second settlement needs nothing of earlier rounds to settle a wager, only who sits where.
    """
    again = Resettlement(game.as_data())
    for seat, player in players.items():
        list(again.see({"event": "seat_taken", "seat": seat, "player": player, "chips_cents": 0}))
    answers = []
    for event in events:
        complaints = tuple(again.see(msgspec.to_builtins(event, enc_hook=enc_hook)))
        answers.append(Resettled(complaints, again.due))
    return answers


def prove_event(
    event: e.Event, game: Game, resettled: Resettled | None = None, *, step: str = "", you: int = 0
) -> EventProof:
    """Return the proof of an event, as its reader may see it, in a step of the script; `you` is the reader's seat.

    >>> won = e.WagerSettled(by="dealer", at=0, seat=1, wager="across", stake=3000, result="win", returned=3000,
    ...     paid=9000, hand="three kings", line="three_of_a_kind", odds="3 to 1", clauses=("MDC-38",))
    >>> proof = prove_event(won, compile_game("md-criss-cross"))
    >>> proof.payment.steps[1], proof.lines[0].path, proof.lines[0].text
    ('$30 × 3 = $90.', 'paytable.bets.lines.three_of_a_kind', '{ hand = "three_of_a_kind", odds = "3 to 1" }')
    >>> proof.clauses[0].citation, len(proof.clauses[0].tests) > 0
    ('Md. Standard Rules, Criss Cross Poker, ch. 12 § A', True)
    """
    payment = explain_payment(event, game)
    tag = str(event.__struct_config__.tag)
    return EventProof(
        event=tag,
        at=event.at,
        by=event.by,
        says=narrate(event, game, you=you) or as_words(tag),
        seat=getattr(event, "seat", None),
        wager=getattr(event, "wager", ""),
        payment=payment,
        net=payment.net if payment else None,
        second=_second(payment, resettled) if payment and resettled else None,
        lines=tuple(_lines(event, game, step)),
        clauses=_clauses((*event.clauses, *event.readings), game),
        house_rule=event.house_rule,
    )


def prove_rules(cites: Collection[str], game: Game, house_rule: str = "") -> RuleProof:
    """Return the rules behind a refusal, from the clauses and readings that it cites.

    >>> late = prove_rules(("NJC-22",), compile_game("nj-criss-cross"))
    >>> [line.path for line in late.lines]
    ['settings.cut_method', 'settings.cut_min_cards']
    """
    found = _cited(cites, house_rule, frozenset(), "", game)
    return RuleProof(lines=tuple(found), clauses=_clauses(cites, game), house_rule=house_rule)


def _clauses(cites: Iterable[str], game: Game) -> tuple[ClauseText, ...]:
    return tuple(clause_text(name, game.book.own_clauses) for name in dict.fromkeys(cites))


def _second(payment: PaymentExplanation, resettled: Resettled) -> SecondSettlement:
    due = resettled.due
    paid, commission = due.get("paid", payment.paid), due.get("commission", payment.commission)
    returned = due.get("returned", payment.returned)
    says = f"pays {dollars(paid - commission)}" if paid > 0 else "pays nothing"
    says += f" and returns {dollars(returned)}" if returned > 0 else ""
    return SecondSettlement(
        equal=not resettled.complaints,
        says="undoes the settlement" if payment.result == "reversed" else says,
        returned=returned,
        paid=paid,
        commission=commission,
        complaints=resettled.complaints,
    )


# --- lines of the rulebook --------------------------------------------------------------------------------------------


def _lines(event: e.Event, game: Game, step: str) -> list[RulebookLine]:
    """Return the pay lines of a wager, the slice of a wheel or the step first, then the other data of its citation."""
    found: list[RulebookLine] = []
    if isinstance(event, e.WagerSettled):
        found += _pay_lines(event, game)
    if isinstance(event, e.WheelSpun):
        found += _slice(event, game)
    step = event.step if isinstance(event, e.StepEntered) else step
    named = {value for value in msgspec.structs.asdict(event).values() if isinstance(value, str) and value}
    if getattr(event, "commission", 0):
        found += [_line_of(item, game) for item in _items(game) if item.key == "settings.commission_per_mille"]
    tables = {line.path.partition(".lines.")[0] for line in found}
    about = str(event.__struct_config__.tag).partition("_")[0]
    cited = _cited((*event.clauses, *event.readings), event.house_rule, {*named, step}, about, game)
    found += [line for line in cited if line.path not in tables]
    own_step = f"script.{step}"
    if not found:
        found = [_line_of(item, game) for item in _items(game) if item.key == own_step]
    if not getattr(event, "wager", ""):
        found.sort(key=lambda line: line.path != own_step)
    return found[:MOST_LINES]


def _pay_lines(event: e.WagerSettled, game: Game) -> Iterator[RulebookLine]:
    """Yield the lines of the pay table that a hand reached; the lowest line where it reached none."""
    wager = game.wager(event.wager)
    for name, _ in lines_paid(event):
        if (table := table_of(name, game, wager)) is not None:
            yield _pay_line(table, next(line for line in table.lines if line.name == name), game)
    pays = game.pays.get(wager.pays or "")
    if event.result == "lose" and event.hand and pays is not None and pays.lines:
        yield _pay_line(pays, pays.lines[-1], game, lowest=True)


def _pay_line(table: PayTable, line: PayLine, game: Game, *, lowest: bool = False) -> RulebookLine:
    book = next(printed for printed in game.book.paytables if printed.name == table.name)
    printed = next((one for one in book.lines if one.name == line.name), line)
    return RulebookLine(
        path=f"paytable.{table.name}.lines.{line.name}",
        title=f"{table.title}: the lowest line" if lowest else table.title,
        says=f"{line_title(line)}: {pay_words(line)}",
        text=inline(printed),
        in_force=inline(line) if printed != line else "",
    )


def _slice(event: e.WheelSpun, game: Game) -> Iterator[RulebookLine]:
    for wheel in game.wheels:
        if wheel.name == event.wheel:
            stopped_at = wheel.slices[event.index]
            yield RulebookLine(
                path=f"wheel.{wheel.name}.slices.{event.index}",
                title=f"{game.wager(wheel.wager).title} wheel",
                says=slice_words(stopped_at),
                text=inline(stopped_at),
            )


def _cited(cites: Collection[str], house_rule: str, named: Set[str], about: str, game: Game) -> Iterator[RulebookLine]:
    """Yield the data that cite the same: first those that the event names, then those that cite nothing else."""
    items, wanted = _items(game), set(cites)
    overlaps = [_overlap(parts, wanted) for parts in _citations(game)]
    with_rule = [item for item in items if house_rule and item.basis.house_rule == house_rule]
    specific = len(with_rule) <= MOST_LINES
    of_wager = any(wager.id in named for wager in game.wagers)
    ranked = []
    for place, (item, (shared, whole)) in enumerate(zip(items, overlaps, strict=True)):
        is_named = not named.isdisjoint(item.key.split("."))
        same_rule = item in with_rule and (specific or is_named or f".{about}_" in item.key)
        if item.section == "wagers" and of_wager and not is_named:
            continue
        if same_rule or (shared and (is_named or whole)):
            ranked.append((not is_named, not whole, -shared, place, item))
    if not ranked:  # a step cites the clauses of every way of dealing, an event only those of its own
        shares = [
            (-shared, place, item)
            for place, (item, (shared, _)) in enumerate(zip(items, overlaps, strict=True))
            if shared
        ]
        yield from (_line_of(item, game) for *_, item in sorted(shares)[:1])
    yield from (_line_of(item, game) for *_, item in sorted(ranked)[:MOST_LINES])


def _overlap(parts: Sequence[Set[str]], cites: Set[str]) -> tuple[int, bool]:
    """Return how many citations an item shares, and whether it cites nothing else for one of its parts."""
    return max(len(part & cites) for part in parts), any(part and part <= cites for part in parts)


@lru_cache(maxsize=32)
def _citations(game: Game) -> tuple[tuple[Set[str], ...], ...]:
    """Return what each part of each datum in use cites."""
    sources = [item.source for item in _items(game)]
    rules = [(it, *getattr(it, "settle", ()), *(getattr(it, name, None) for name in RULES)) for it in sources]
    return tuple(tuple({*rule.clauses, *rule.readings} for rule in each if rule is not None) for each in rules)


def _line_of(item: Item, game: Game) -> RulebookLine:
    says, in_force = item.says, ""
    name = item.key.removeprefix("settings.")
    if item.section == "settings" and game.settings[name] != item.source.value:
        says = setting_words(setting_rules()[name], game.settings[name])
        in_force = toml_of(replace(item, source=replace(item.source, value=game.settings[name])))
    return RulebookLine(path=item.key, title=item.title, says=says, text=toml_of(item), in_force=in_force)


@lru_cache(maxsize=32)
def _items(game: Game) -> tuple[Item, ...]:
    """Return the data in use: wagers on offer, pay tables and wheels in force."""
    wheels = {wheel.name for wheel in game.wheels}
    pays = {pays.name for pays in game.pays.values()}
    return tuple(
        item
        for item in flatten(game.book)
        if isinstance(item.source, Cited)
        and item.section not in ("choices", "requirements")
        and not (isinstance(item.source, Wager) and not game.offers(item.source.id))
        and not (isinstance(item.source, Wheel) and item.source.name not in wheels)
        and not (isinstance(item.source, PayTable) and item.source.name not in pays)
    )
