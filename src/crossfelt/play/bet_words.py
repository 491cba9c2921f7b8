"""A bet in a beginner's words: its stake, the hand that decides it, and what it pays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from crossfelt.games.rules import rules_of
from crossfelt.money import dollars
from crossfelt.play.game_words import (
    a_hand,
    asked_at,
    cards_of,
    decisions,
    hand_name,
    hands_deciding,
    known_words,
    made_of,
    names_a_line,
    places_words,
    played_lines,
    pushes,
    sets_two_hands,
)
from crossfelt.play.narration import mark_words
from crossfelt.play.posted_notice import PostedSpin, posted_notice
from crossfelt.play.text import capital, group_name, joined_with_and, number, title_of
from crossfelt.progressive.wheels import meter_of, prize_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import PayLine, PayTable, Wager, Wheel
from crossfelt.rulebooks.render.phrases import KINDS_OF_HAND, as_words, pay_words
from crossfelt.rulebooks.script import Decide
from crossfelt.rulebooks.settle_forms import PayOn, Result, Rule


class BetText(msgspec.Struct, frozen=True, kw_only=True):
    """The text of one bet, from its stake to its pay."""

    id: str
    title: str
    required: bool
    when: str
    text: tuple[str, ...]


def stake_text(game: Game, wager: Wager, step: Decide | None = None) -> str:
    """Return the stakes that a table takes, at one decision or at any.

    >>> game = compile_game("md-criss-cross")
    >>> [stake_text(game, game.wager(wager)) for wager in ("ante_across", "across", "bonus_spin")]
    ['$5 to $500', '1 to 3 times your ante', '$5']
    """
    stake = wager.stake
    if stake.of is not None:
        base = game.base(wager)
        name = group_name(base, game) or title_of(base.id, game)
        asked = [step] if step is not None else [each for each in decisions(game) if each.wager == wager.id]
        listed = sorted({times for each in asked if each.bet is not None for times in each.bet.times}) or stake.times
        least, most = (min(listed), max(listed)) if listed else (stake.min, stake.max)
        if least == most == 1:
            return f"as much as your {name}"
        gaps = 0 < len(listed) <= most - least or len(listed) == 2
        times = " or ".join(map(str, listed)) if gaps else f"{least} to {most}"
        return f"{times if most > least else least} times your {name}"
    if stake.cents:
        return " or ".join(map(dollars, stake.cents))
    if stake.by_paytable:
        return " or ".join(dollars(wheel.stake_cents) for wheel in game.wheels if wheel.wager == wager.id)
    limits = game.limits(stake.posted or wager.id)
    if wager.unit == "credits":
        credit = game.credit_cents(wager)
        most = limits.max // credit
        return f"1 to {most} credits of {dollars(credit)}" if most > 1 else f"1 credit of {dollars(credit)}"
    return f"{dollars(limits.min)} to {dollars(limits.max)}"


def bet_text(game: Game, wager: Wager) -> BetText:
    """Return what a bet does."""
    step = asked_at(game, wager)
    text = [*_stake_sentences(game, wager, step), *_decided_by(game, wager), *_pay_sentences(game, wager)]
    when = "Before the cards" if wager.id in game.opening_wagers else f"When {known_words(game, step)}"
    return BetText(id=wager.id, title=wager.title, required=wager.required, when=when, text=tuple(text))


def _stake_sentences(game: Game, wager: Wager, step: Decide | None) -> Iterator[str]:
    stake = stake_text(game, wager)
    group = [other for other in game.wagers if wager.group and other.group == wager.group and other.id != wager.id]
    if group:
        yield f"{stake}, the same on {joined_with_and([title_of(other.id, game) for other in group])}."
    elif wager.id not in game.opening_wagers:
        yield f"{capital(stake)}{', or fold' if step is not None and step.fold else ''}."
    else:
        yield f"{stake}{'' if wager in game.first_wagers else ', if you like'}."


def side_bet_text(game: Game, wager: Wager) -> str:
    """Return what an optional bet does in two sentences, and in a third what else it is paid on."""
    parts = (list(_decided_by(game, wager))[:1], list(_pay_sentences(game, wager))[:1], _also_paid(game, wager))
    return " ".join(sentence for part in parts for sentence in part)


def short_bet_text(game: Game, wager: Wager) -> str:
    """Return in one sentence when an optional bet wins.

    >>> game = compile_game("nj-criss-cross")
    >>> [short_bet_text(game, game.wager(wager)) for wager in ("five_card_bonus", "bonus_spin")]
    ['5 Card Bonus wins with a pair of sixes or better.', 'Bonus Spin: a pair in your two cards spins the wheel.']
    """
    if wager.pays is not None:
        return f"{wager.title} wins with {_least(winning_lines(game.pays[wager.pays]))}."
    told = next(_decided_by(game, wager), "")
    return f"{wager.title}: {told[:1].lower()}{told[1:]}"


def _decided_by(game: Game, wager: Wager) -> Iterator[str]:
    lines = hands_deciding(game, wager)
    if wager.line is not None and len(lines) > 1:
        hands = [hand_name(game, line) for line in lines]
        yield f"It is paid on the better of your {' and your '.join(hands)}."
    elif wager.line is not None and len(lines) == 1:
        (line,) = lines
        own = bool(set(line.places).intersection(game.hand_places))
        cards = made_of(game, line)
        step = asked_at(game, wager)
        shows = step is not None and step.shows
        if not own:
            yield f"It is paid on {cards}; your own cards do not count."
        elif wager.id in game.opening_wagers and (shows or line not in played_lines(game)):
            yield f"It is paid on {cards}{', whatever the dealer has' if game.dealer_places else ''}."
        else:
            yield f"It is paid on your {hand_name(game, line)}."
        if shows:
            yield "Show your hand when you are asked: a hand that stays hidden loses this bet."
    elif wager.spins:
        yield from (spin_trigger(spin) for spin in posted_notice(game).spins if spin.wager == wager.id)
    elif wager in game.first_wagers or wager.stake.of is not None:
        if sets_two_hands(game):
            yield "It wins if both your hands beat the dealer's, and pushes if only one does."
        else:
            yield f"It wins if {'the hand you chose' if names_a_line(game) else 'your hand'} beats the dealer's."
            if "dealer_hand_push" in game.settings:
                yield equal_hands(game)
    elif wager.pays is not None:
        yield f"It is paid on {_paid_on(game, wager)}."


def _paid_on(game: Game, wager: Wager) -> str:
    """Return the cards that a side bet is paid on, where they include the dealer's; else the kind of hand."""
    places = set(rules_of(game).places(wager.deciding[0])) if wager.deciding else set()
    if places.isdisjoint(game.dealer_places) or sets_two_hands(game):
        hand = wager.deciding[0] if wager.deciding else ""
        return _whose_hand(hand, game.pays[wager.pays or ""])
    own = len(places.intersection(game.hand_places))
    yours = [f"your {cards_of(own)}"] if own else []
    cards = joined_with_and([*yours, places_words(game, places)])
    best = next(hand.best for hand in game.book.hands if hand.id == side_of(wager.deciding[0])[1])
    return f"the best {number(best)} of {cards}" if best else cards


def _whose_hand(hand: str, table: PayTable) -> str:
    """Return the kind of hand that a pay table ranks, with the side whose cards make it.

    >>> table = compile_game("nj-pai-gow").pays["progressive"]
    >>> _whose_hand("jackpot", table), _whose_hand("dealer.jackpot", table)
    ('the best hand in your seven cards', "the best hand in the dealer's seven cards")
    """
    kind = KINDS_OF_HAND.get(table.order, as_words(table.order))
    side = side_of(hand)[0]
    whose = f"the {side}'s" if side else "your"
    before, cards, after = kind.partition("seven cards")
    return f"{f'the {before}' if before else ''}{whose} {cards}{after}" if cards else f"{whose} {kind}"


def _also_paid(game: Game, wager: Wager) -> Iterator[str]:
    """Yield what a wager is paid on beside its first hand."""
    rule = next(iter(rules_of(game).in_force[wager.id]), None)
    for paid in rule.pays[1:] if rule is not None else ():
        table = game.pays[paid.pay]
        yield f"It also wins on {_whose_hand(paid.on, table)}: {pay_span(table.lines, named=True)}."
    if rule is not None and rule.take == "best":
        yield "If several of these hands win, the one that pays most counts."


def _pay_sentences(game: Game, wager: Wager) -> Iterator[str]:
    if wager.odds is not None:
        commission = commission_words(game) if wager in game.first_wagers and sets_two_hands(game) else ""
        yield f"A win pays {wager.odds_words}{commission}."
    for bonus in wager.bonus:
        asked = marks_text(game, bonus.when, bonus.unless)
        held = f"if {asked}" if asked else "whatever the dealer has"
        yield f"Beside it, {held}: {pay_span(game.pays[bonus.pay].lines, named=True)}."
    against = not sets_two_hands(game) and bool(game.dealer_places) and wager.line is None
    if wager.pays is not None:
        told = list(pay_sentences(game.pays[wager.pays], against=against))
        also = list(_also_paid(game, wager))
        yield from [*told[:-1], *also, "Any other hand loses."] if also else told
    for name in wager.also_pays:
        table = game.pays[name]
        if table.lines and table.order == "random_award":
            yield f"Drawn at random beside it: {pay_span(table.lines)}."
        elif table.lines:
            yield f"If another player has {_least(table.lines)}, you get {pay_span(table.lines)}."
    for wheel in game.wheels:
        if wheel.wager == wager.id:
            yield _wheel_span(game, wheel)


def _wheel_span(game: Game, wheel: Wheel) -> str:
    """Return the lowest and the highest prize of a wheel, and its meter.

    >>> game = compile_game("nj-criss-cross")
    >>> _wheel_span(game, game.wheels[0])
    'The wheel pays $25 to $2,500, or the Bonus Spin jackpot.'
    """
    prizes = [prize_of(game, wheel, index) for index in range(len(wheel.slices))]
    cents = [prize.cents for prize in prizes if not prize.meter]
    ring = "" if wheel.ring == "spin" else f"{as_words(wheel.ring)} "
    jackpot = f", or the {meter_of(game, wheel.wager).title}" if len(cents) < len(prizes) else ""
    return f"The {ring}wheel pays {dollars(min(cents))} to {dollars(max(cents))}{jackpot}."


def pay_sentences(table: PayTable, *, against: bool = False) -> Iterator[str]:
    """Yield what a pay table pays; `against` where the hand must also beat the dealer's."""
    wins = winning_lines(table)
    if not wins:
        return
    if against:
        whole = wins[-1].hand == "high_card"
        yield f"A win pays by your hand{',' if whole else ':'} {pay_span(wins, named=not whole)}."
        return
    yield f"{capital(_least(wins))} pays {pay_span(wins)}."
    for line in table.lines:
        if pushes(line):
            yield f"{capital(a_hand(line))} pushes: you get the bet back."
    yield "Any lower hand loses."


def winning_lines(table: PayTable) -> list[PayLine]:
    """Return the lines of a pay table that do not push."""
    return [line for line in table.lines if not pushes(line)]


def _least(lines: Sequence[PayLine]) -> str:
    """Return the lowest hand of some lines of a pay table, "or better" where there are more."""
    worst = a_hand(lines[-1])
    return worst if len(lines) == 1 or worst.endswith(" or better") else f"{worst} or better"


def pay_span(lines: Sequence[PayLine], *, named: bool = False) -> str:
    """Return the lowest and the highest pay of some lines, the lowest with its hand if it is `named`."""
    low, high = f"{f'{a_hand(lines[-1])} pays ' if named else ''}{pay_words(lines[-1])}", pay_words(lines[0])
    return low if low == high else f"{low}, and up to {high} for {a_hand(lines[0])}"


def required_text(game: Game) -> str:
    """Return the bet that opens the hand."""
    required = game.first_wagers
    names = joined_with_and([title_of(wager.id, game) for wager in required])
    yours = names if names.startswith("bet ") else f"your {names}"  # a numbered bet: "bet 1"
    stake = stake_text(game, required[0])
    if len(required) == 1:
        return f"Place {yours}: {stake}."
    return f"Place {yours}: {stake} each. They are equal and go down together."


def equal_hands(game: Game) -> str:
    """Return what equal hands of the player and the dealer do."""
    ties = [(wager, rule, rule.tie or "push") for wager in game.wagers for rule in wager.settle if rule.versus]
    results = {str(tie) for *_, tie in ties}
    if results == {"push"}:
        return "Equal hands: a push, which gives the bet back."
    if len(results) == 1:
        (tie,) = results
        return f"Equal hands {'lose' if tie == 'lose' else f'pay {tie}'}."
    words = [f"{result_words(game, wager, tie)}{circumstance(game, wager, rule)}" for wager, rule, tie in ties]
    return f"Equal hands: {joined_with_and(words)}."


def marks_text(game: Game, when: Mapping[str, str], unless: Mapping[str, str]) -> str:
    """Return the marks that hands must have, and must not have."""
    asked = [(*one, True) for one in when.items()] + [(*one, False) for one in unless.items()]
    whose = {hand: "the dealer" if side_of(hand)[0] or hand in game.dealer_hands else "your hand" for hand, *_ in asked}
    return " and ".join(f"{whose[hand]} {mark_words(mark, has=has)}" for hand, mark, has in asked)


def circumstance(game: Game, wager: Wager, rule: Rule) -> str:
    """Return when a comparison of hands decides, where a wager has several."""
    asked = marks_text(game, rule.when, rule.unless)
    first = next(one for one in wager.settle if one.versus)
    return f" if {asked}" if asked else "" if rule is first else " otherwise"


def result_words(game: Game, wager: Wager, result: Result) -> str:
    """Return what a result does to a wager of the player."""
    name = f"your {title_of(wager.id, game)}"
    if isinstance(result, PayOn):
        other = f", and {result.else_} for any other hand" if result.else_ not in (None, "push", "lose") else ""
        return f"{name} pays by the pay table{other}"
    return f"{name} {'pushes' if result == 'push' else 'loses' if result == 'lose' else f'pays {result}'}"


def commission_words(game: Game) -> str:
    """Return the commission on a win; empty where none is taken."""
    per_mille = game.settings.get("commission_per_mille")
    if not per_mille or game.settings.get("ez_variation"):
        return ""
    return f", less {game.number('commission_per_mille') / 10:g} % commission"


def spin_trigger(spin: PostedSpin) -> str:
    """Return what spins a wheel, to the player."""
    return spin.trigger.replace("the player's", "your")
