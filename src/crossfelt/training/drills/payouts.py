"""Payout drill: one wager of a round played by the table engine, in real chips and odd amounts; and the payouts of a
wheel, to the spinner and to the other players with the wager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.notation import format_cards
from crossfelt.cards.shuffle import Chance
from crossfelt.games.round_stakes import greatest_cents
from crossfelt.games.rules import ranker_of, rules_of
from crossfelt.hands.kinds import KINDS
from crossfelt.money import dollars
from crossfelt.play.narration import narrate
from crossfelt.play.payment_explanation import arithmetic, explain_payment
from crossfelt.play.scripted.runner import PlayedRound
from crossfelt.play.text import title_of
from crossfelt.progressive.meter import in_cents
from crossfelt.progressive.wheels import stakes as wheel_stakes
from crossfelt.progressive.wheels import wheel_for
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import PayLine, PayTable, Wager, Wheel
from crossfelt.rulebooks.orders import kinds_of
from crossfelt.rulebooks.render.phrases import the
from crossfelt.rulebooks.script import Decide
from crossfelt.table.events import AwardGranted, AwardPaid, ChoiceMade, DealerHandsSet, HandsExposed, WagerSettled
from crossfelt.training.drill_rounds import (
    all_places,
    chips_shown,
    decisions,
    filled,
    laid_out,
    named_cards,
    play,
    stakes,
    texts,
)
from crossfelt.training.hand_generator import HandNotFound, hand_of
from crossfelt.training.question import Amount, CardsShown, Note, QuestionContent, Shown, basis_of, explained

TRIES: Final = 400
NOTHING: Final = "nothing"
LIMIT: Final = "limit"
ABOVE_RESET_CENTS: Final = 50_000_00
"""The most that a meter of a drill has grown since its reset."""
NEAR_LIMIT: Final = 10
"""A payment of at least a tenth of the limit shows the limit."""
OUTCOMES: Final = ("win", "push", "lose")


def subjects(game: Game) -> tuple[str, ...]:
    """List each pay line of each wager, losing hands, the payout limit and wheels.

    >>> [name for name in subjects(compile_game("nj-double-cross")) if name.startswith("three_card")]
    ['three_card.straight_flush', 'three_card.three_of_a_kind', 'three_card.straight', 'three_card.flush', \
'three_card.one_pair', 'three_card.nothing']
    """
    wagers = list(_paid_by_hands(game))
    by_hands = (name for wager in wagers for name in _of_wager(game, wager))
    bonuses = ((wager, game.pays[bonus.pay]) for wager in wagers for bonus in wager.bonus)
    beside = (f"{wager.id}.{table.id}.{line.name}" for wager, table in bonuses for line in table.lines)
    return (*by_hands, *beside, *_limited(game), *wheel_subjects(game))


def _paid_by_hands(game: Game) -> Iterator[Wager]:
    asked = {step.wager for step in game.book.script if isinstance(step, Decide)}
    for wager in game.wagers:
        laid = wager.id in game.opening_wagers or wager.id in asked
        if laid and not wager.spins:
            yield wager


def _of_wager(game: Game, wager: Wager) -> Iterator[str]:
    if wager.pays is None:
        # A hand against a hand: equal ones are too rare to search for, and only a rule of its own makes pushes common.
        pushes = any("push" in (rule.odds, *rule.by_wins) for rule in wager.settle)
        yield from (f"{wager.id}.{outcome}" for outcome in OUTCOMES if pushes or outcome != "push")
        return
    for table in _tables(game, wager):
        yield from (f"{wager.id}.{line.name}" for line in table.lines if _is_price(line))
    yield f"{wager.id}.{NOTHING}"


def _tables(game: Game, wager: Wager) -> list[PayTable]:
    """List the pay tables of this wager that pay for a hand."""
    named = [name for name in (*wager.tables, *wager.also_pays) if name in game.pays]
    tables = [game.pays[name] for name in named if name]
    return [table for table in tables if table.order in kinds_of(game.book) and any(map(_is_price, table.lines))]


def _is_price(line: PayLine) -> bool:
    """Return whether a line pays odds or a share of a meter; an envy bonus pays an amount to other players."""
    return line.odds is not None or line.meter_percent is not None


def _limited(game: Game) -> tuple[str, ...]:
    """List the wagers whose payment a limit in force can cut."""
    limits = {rule: cents for rule in game.book.payout_limits if (cents := game.limit_cents(rule)) is not None}
    covered = {wager for rule in limits for wager in game.covered_by(rule)}
    best = {wager.id: game.pays[wager.pays].best_odds().profit for wager in _paid_by_hands(game) if wager.pays}
    least = min(limits.values(), default=0)
    reached = [name for name, odds in best.items() if name in covered and greatest_cents(game, name) * odds > least]
    return tuple(f"{name}.{LIMIT}" for name in reached)


class _Wanted:
    """The outcome that a round must show for a subject."""

    def __init__(self, game: Game, subject: str) -> None:
        wager_id, *table, self.name = subject.split(".")
        self.game = game
        self.wager = game.wager(wager_id)
        self.bonus = table[0] if table else ""
        self.at_limit = self.name == LIMIT
        self.table, self.line = self._found()

    def _found(self) -> tuple[PayTable | None, PayLine | None]:
        tables = [self.game.pays[self.bonus]] if self.bonus else _tables(self.game, self.wager)
        if self.at_limit:
            return tables[0], max(tables[0].lines, key=lambda line: line.odds.profit if line.odds else 0)
        for table in tables:
            for line in table.lines:
                if line.name == self.name and _is_price(line):
                    return table, line
        return (tables[0] if tables else None), None

    def fits(self, settled: WagerSettled, bonuses: Sequence[AwardPaid]) -> bool:
        if self.bonus:
            return any((bonus.award, bonus.line) == (self.bonus, self.name) for bonus in bonuses)
        if self.at_limit:
            return settled.limited > 0
        if self.line is not None:
            return self.name in settled.line.split(", ") and settled.result != "lose"
        return settled.result == ("lose" if self.name == NOTHING else self.name)


def ask(game: Game, subject: str, chance: Chance) -> QuestionContent:
    """Play rounds until the wager has the wanted outcome."""
    if subject in wheel_subjects(game):
        wager, _, whose = subject.partition(".")
        return _ask_wheel(game, game.wager(wager), whose, chance)
    wanted = _Wanted(game, subject)
    for _ in range(TRIES):
        seat = chance.between(1, game.book.table.seats)
        also = (wanted.wager.id, *wanted.wager.needs)
        placed = stakes(game, chance, largest=wanted.at_limit, also=also)
        decided = decisions(game, chance, placed, largest=wanted.at_limit)
        try:
            places = filled(game, chance, _cards(wanted, decided, chance), all_places(game))
        except HandNotFound:
            continue
        player = {"seat": seat, "wagers": placed, "decisions": decided}
        meters = _meters(game, wanted.wager, chance)
        played = play(game, chance, {"seats": [player], "cards": named_cards(game, seat, places), **meters})
        own = [event for event in played.events if getattr(event, "wager", "") == wanted.wager.id]
        settled = next((event for event in own if isinstance(event, WagerSettled)), None)
        tables = {bonus.pay for bonus in wanted.wager.bonus}
        bonuses = [event for event in own if isinstance(event, AwardPaid) and event.award in tables]
        if settled is not None and wanted.fits(settled, bonuses):
            return _question(game, settled, bonuses, played, places)
    raise HandNotFound(f"{game.book.id}: no round shows {subject}")


def _cards(wanted: _Wanted, decided: Mapping[str, Any], chance: Chance) -> dict[str, Card]:
    """Draw the cards that decide the wager: on its line, in the player's hand or in the dealer's hand."""
    table, line = wanted.table, wanted.line
    if table is None or line is None:
        return {}
    kind, ranker = kinds_of(wanted.game.book)[table.order], ranker_of(wanted.game, table.order)
    cards = hand_of(kind, line.hand, chance, ranker, wanted=lambda rank: table.line_for(rank) == line)
    places = rules_of(wanted.game).places(_paid_hand(wanted, table, decided, chance))
    return dict(zip(places if len(places) == len(cards) else chance.shuffled(places), cards, strict=False))


def _paid_hand(wanted: _Wanted, table: PayTable, decided: Mapping[str, Any], chance: Chance) -> str:
    """Choose a hand that the pay table pays; of several that a player may name, the named one."""
    hands = {hand.id: hand for hand in wanted.game.book.hands}
    paid = [pay.on for rule in wanted.wager.settle for pay in rule.paid if pay.pay == table.id]
    paid += [bonus.on for bonus in wanted.wager.bonus if bonus.pay == table.id]
    side, own = side_of(paid[0] if paid else wanted.wager.deciding[0])
    parts = hands[own].parts or (own,)
    named = [part for part in parts if part in decided.values()] if hands[own].chosen_of else parts
    part = named[chance.below(len(named))]
    return f"{side}.{part}" if side else part


def _meters(game: Game, wager: Wager, chance: Chance) -> dict[str, dict[str, int]]:
    """Draw the amount of the meter that pays the wager, at its reset amount or above."""
    fed = [meter.id for meter in game.book.meters if wager.id in meter.fed_by]
    resets = {meter: game.whole(f"meters.{meter}.reset_cents") for meter in fed}
    return {"meters": {meter: chance.between(least, least + ABOVE_RESET_CENTS) for meter, least in resets.items()}}


def _question(
    game: Game, settled: WagerSettled, bonuses: Sequence[AwardPaid], played: PlayedRound, places: dict[str, Card]
) -> QuestionContent:
    title, stake = title_of(settled.wager, game), dollars(settled.stake)
    wagers = played.result.seats[str(settled.seat)].wagers
    placed = [(wager, one) for wager, one in wagers.items() if game.offers(wager)]
    cut_by = [limit for limit in game.book.payout_limits if settled.limited and settled.wager in game.covered_by(limit)]
    paid = settled.paid - settled.commission + sum(bonus.cents for bonus in bonuses)
    also = [explain_payment(bonus, game) for bonus in bonuses]
    text = " ".join([arithmetic(settled, game), *(step for one in also if one is not None for step in one.steps)])
    in_all = ", with its bonus" if game.wager(settled.wager).bonus else ""
    return QuestionContent(
        asks=f"Seat {settled.seat} has {stake} on {the(title)}. What do you pay{in_all}?",
        shown=(
            *_cards_shown(game, played, places),
            *(chips_shown(game, settled.seat, wager, one.stake) for wager, one in placed if one.stake),
            # What cards and chips do not show.
            *(Note(text=f"{narrate(event, game)}.") for event in played.events if isinstance(event, ChoiceMade)),
            *_meter_note(game, settled, played),
            *_limit_note(game, settled),
        ),
        answer=Amount(),
        right=(str(paid),),
        explanation=explained(text, game, basis_of(settled, *bonuses, *cut_by)),
    )


def _cards_shown(game: Game, played: PlayedRound, places: dict[str, Card]) -> tuple[Shown, ...]:
    exposed = next((event for event in played.events if isinstance(event, HandsExposed)), None)
    dealer = next((event for event in played.events if isinstance(event, DealerHandsSet)), None)
    if exposed is None or dealer is None:
        return laid_out(game, places)
    return (*_two_hands("", "The player", exposed), *_two_hands("dealer_", "The dealer", dealer))


def _two_hands(prefix: str, whose: str, hands: HandsExposed | DealerHandsSet) -> tuple[Shown, Shown]:
    behind = [card for card in hands.cards if card not in hands.low]
    return (
        CardsShown(place=f"{prefix}front", label=f"{whose}, in front", cards=texts(hands.low)),
        CardsShown(place=f"{prefix}behind", label=f"{whose}, behind", cards=texts(behind)),
    )


def _meter_note(game: Game, settled: WagerSettled, played: PlayedRound) -> Iterator[Note]:
    """State the meter at the claim if a share of it is won."""
    pays = game.wager(settled.wager).pays
    lines = game.pays[pays].lines if pays else ()
    if any(line.meter_percent for line in lines if line.name == settled.line):
        granted = next(event for event in played.events if isinstance(event, AwardGranted))
        yield Note(text=f"The meter shows {dollars(in_cents(granted.before_micros))}.")


def _limit_note(game: Game, settled: WagerSettled) -> Iterator[Shown]:
    """State the payout limit beside a payment that reaches it or comes near."""
    for limit in game.book.payout_limits:
        most = game.limit_cents(limit)
        near = NEAR_LIMIT * (settled.paid + settled.limited)
        if most is not None and settled.wager in game.covered_by(limit) and near >= most:
            yield Note(text=f"The payout limit per player and round is {dollars(most)}. The last payment is cut first.")


# --- wheels -----------------------------------------------------------------------------------------------------------

SPINNER: Final = "spinner"
OTHERS: Final = "others"
_ORDER: Final = ("", "first", "second", "third")


def wheel_subjects(game: Game) -> Iterator[str]:
    """List the payouts of each wheel: to the spinner, and to other players if it has community slices.

    >>> list(wheel_subjects(compile_game("nj-criss-cross"))), list(wheel_subjects(compile_game("ma-criss-cross")))
    (['bonus_spin.spinner', 'bonus_spin.others'], [])
    """
    for wager in game.wagers:
        wheels = [wheel for wheel in game.wheels if (wheel.wager, wheel.ring) == (wager.id, "spin")]
        if wheels:
            yield f"{wager.id}.{SPINNER}"
        if any(slice_.community for wheel in wheels for slice_ in wheel.slices):
            yield f"{wager.id}.{OTHERS}"


def _ask_wheel(game: Game, wager: Wager, whose: str, chance: Chance) -> QuestionContent:
    """Play a round in which a pair spins the wheel, and the wheel stops at an amount."""
    amounts = wheel_stakes(game, wager.id)
    stake = amounts[chance.below(len(amounts))]
    wheel = wheel_for(game, wager.id, stake)
    index = _slice(wheel, whose, chance)
    spinner, other = chance.shuffled(range(1, game.book.table.seats + 1))[:2]
    two, rank = KINDS["two_card"], ranker_of(game, "two_card")
    pair = hand_of(two, "pair", chance, rank, without=[JOKER])
    others = hand_of(two, "high_card", chance, rank, without=[JOKER, *pair])
    script = {
        "seats": [_seat(game, seat, {wager.id: stake}, chance) for seat in sorted((spinner, other))],
        "cards": {f"seat{spinner}": format_cards(pair), f"seat{other}": format_cards(others)},
        "chance": {"wheel": {f"seat{spinner}": wheel.places[index]}},
    }
    asked_seat, stops = (spinner if whose == SPINNER else other), _stops(wheel, index)
    paid = _payment(play(game, chance, script), asked_seat, wager.id)
    if isinstance(paid, AwardPaid):
        cents, why = paid.cents, f"Every other player with the wager is paid {dollars(paid.cents)}."
    else:
        kept = "The stake is returned." if paid.returned else "The stake is not returned."
        cents, why = paid.paid, f"The spinner is paid {dollars(paid.paid)}. {kept}"
    return QuestionContent(
        asks=f"What do you pay seat {asked_seat} for the {wager.title}?",
        shown=(
            CardsShown(place=f"seat{spinner}", label=f"Seat {spinner}", cards=texts(pair)),
            *(chips_shown(game, seat, wager.id, stake) for seat in sorted((spinner, other))),
            Note(text=f"Seat {spinner} spins the wheel of table {wheel.letter}. It stops {stops}."),
        ),
        answer=Amount(),
        right=(str(cents),),
        explanation=explained(f"The wheel stops {stops}. {why}", game, basis_of(paid)),
    )


def _seat(game: Game, seat: int, spins: dict[str, int], chance: Chance) -> dict[str, Any]:
    placed = {**stakes(game, chance), **spins}
    return {"seat": seat, "wagers": placed, "decisions": decisions(game, chance, placed)}


def _payment(played: PlayedRound, seat: int, wager: str) -> AwardPaid | WagerSettled:
    """Return the wheel's payment to a seat, for its own spin or that of another seat."""
    own = [event for event in played.events if isinstance(event, WagerSettled) and event.wager == wager]
    awards = [event for event in played.events if isinstance(event, AwardPaid) and event.seat == seat]
    return awards[0] if awards else next(event for event in own if event.seat == seat)


def _slice(wheel: Wheel, whose: str, chance: Chance) -> int:
    fitting = [
        index
        for index, slice_ in enumerate(wheel.slices)
        if slice_.pays_cents is not None and (whose == SPINNER or slice_.community)
    ]
    return fitting[chance.below(len(fitting))]


def _stops(wheel: Wheel, index: int) -> str:
    slice_ = wheel.slices[index]
    amount = dollars(slice_.pays_cents or 0)
    return f"at {amount}" + (f", the {_ORDER[slice_.community]} slice with community pay" if slice_.community else "")
