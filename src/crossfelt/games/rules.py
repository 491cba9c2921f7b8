"""The rules of a compiled game: which hands its cards form, and how its wagers settle.

Everything here is read from the rulebook: its groups of cards, its hands, and the settlement of each wager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from itertools import combinations

from msgspec.structs import replace

from crossfelt.cards.card import Card
from crossfelt.games.progressive_wager import RandomAward, in_credits, random_awards
from crossfelt.games.settlement import LinePay, Places, Settlement, Spot, commission, settle_at_odds
from crossfelt.games.split_hands import HighLowHand, set_hand
from crossfelt.hands.joker import best_of_seven, rank_joker_five
from crossfelt.hands.kinds import KINDS
from crossfelt.hands.poker import rank_five
from crossfelt.hands.rank import LEVELS, HandRank
from crossfelt.hands.strength import hand_classes, strength
from crossfelt.money import Odds
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Hand, Mark, side_of
from crossfelt.rulebooks.model import Wager
from crossfelt.rulebooks.orders import own_ranker
from crossfelt.rulebooks.script import Decide
from crossfelt.rulebooks.settle_forms import Bonus, PayOn, Result, Rule

Ranker = Callable[[Sequence[Card]], HandRank]


@lru_cache(maxsize=64)
def rules_of(game: Game) -> Rules:
    """Return the rules of a game."""
    return Rules(game)


class Rules:
    """The rules of one compiled game.

    >>> from crossfelt.cards import parse_cards
    >>> game = compile_game("nj-criss-cross")
    >>> places = ("hole_1", "hole_2", "across_left", "middle", "across_right")
    >>> spot = Spot(cards=dict(zip(places, parse_cards("Ks Kd 2c 7h 9s"))))
    >>> rules_of(game).settle(game.wager("across"), 3000, spot).paid
    3000
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._hands = {hand.id: hand for hand in game.book.hands}
        self._groups = {group.id: group for group in game.book.groups}
        self._shared = {place for group in game.book.groups if group.owner == "community" for place in group.names}
        self._fixed = self._shared.union(place for place in game.dealer_places)
        """Places that are the same for the player and the dealer."""
        self._split = next(iter(game.book.splits), None)
        self._places = {hand.id: self._places_of(hand) for hand in game.book.hands}
        self._rank = {hand.id: ranker_of(game, hand.order) for hand in game.book.hands if hand.order}
        self._pays: dict[tuple[str, HandRank], LinePay] = {}
        self.in_force = {
            wager.id: tuple(rule for rule in wager.settle if self._chosen(rule.where)) for wager in game.wagers
        }
        """The rules of each wager that the settings let apply."""
        self._must_show = {step.wager for step in game.book.script if isinstance(step, Decide) and step.shows}

    def _places_of(self, hand: Hand) -> tuple[str, ...]:
        places: list[str] = []
        for name in hand.of:
            side, own = side_of(name)
            group = self._groups.get(own)
            of_dealer = bool(side) or (group is not None and group.owner == "dealer")
            names = group.names if group is not None else (own,)
            places += [f"dealer_{place}" if of_dealer else place for place in names]
        return tuple(places)

    # --- hands --------------------------------------------------------------------------------------------------

    def hand(self, name: str, cards: Places) -> HandRank:
        """Return a hand of the player, the dealer or the bank that the cards on the table form."""
        return self._formed(name, Spot(cards=cards))[1]

    def dealer_hand(self, name: str, cards: Places) -> tuple[str, HandRank]:
        """Return the id and the rank of the hand that the dealer plays."""
        return self._formed(name, Spot(cards=cards))

    def _formed(self, name: str, spot: Spot) -> tuple[str, HandRank]:
        """Return the id and the rank of a hand; of one of several hands, those of the hand it is."""
        side, own = side_of(name)
        hand = self._hands[own]
        if hand.chosen_of:
            own = next(choice for choice in spot.choices.values() if choice in hand.chosen_of)
            return self._formed(f"{side}.{own}" if side else own, spot)
        if hand.parts:
            each = [self._formed(f"{side}.{part}" if side else part, spot) for part in hand.parts]
            return (min if hand.lowest_of else max)(each, key=lambda made: made[1])
        if hand.split is not None:
            made = self.set_hands(side, spot)
            assert self._split is not None
            return own, made.high if own == self._split.into[0] else made.low
        given = spot.ranks.get(name)
        if given is not None:
            return own, given
        cards = self._cards(name, spot)
        if hand.best is None or hand.best == len(cards):
            return own, self._rank[own](cards)
        if self._rank[own] is _by_strength:
            return own, hand_classes()[max(strength(*five) for five in combinations(cards, hand.best))]
        return own, max(self._rank[own](some) for some in combinations(cards, hand.best))

    def _cards(self, name: str, spot: Spot) -> list[Card]:
        if name.startswith("bank.") and spot.bank:
            return list(spot.bank)
        return [spot.cards[place] for place in self.places(name)]

    def places(self, name: str) -> tuple[str, ...]:
        """Return the places of a hand's cards; those of the bank are the dealer's, where the house banks.

        >>> rules_of(compile_game("nj-double-cross")).places("dealer.three_card")
        ('dealer_hole_1', 'dealer_hole_2', 'down_far')
        """
        if name not in self._places:
            own = self._places[side_of(name)[1]]
            self._places[name] = tuple(place if place in self._fixed else f"dealer_{place}" for place in own)
        return self._places[name]

    def hands_of_cards(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the hands of cards among which these hands are found; the parts of a split are none."""
        found: dict[str, None] = {}
        for name in names:
            side, own = side_of(name)
            hand = self._hands[own]
            if hand.parts:
                found |= dict.fromkeys(self.hands_of_cards(f"{side}.{part}" if side else part for part in hand.parts))
            elif hand.split is None:
                found[name] = None
        return tuple(found)

    def needs_own_cards(self, wagers: Iterable[str]) -> bool:
        """Say if one of these wagers is settled on the player's own cards; a wheel's trigger is read when it spins."""
        settled = [wager for wager in wagers if self._game.offers(wager) and not self._game.wager(wager).spins]
        return bool(self.hands_shown(settled, {}))

    def hands_shown(self, wagers: Sequence[str], choices: Mapping[str, str]) -> tuple[str, ...]:
        """Return the hands that are announced when a player's cards are turned up: those that settle these wagers."""
        named = (hand for wager in wagers if self._game.offers(wager) for hand in self._game.wager(wager).hands)
        own = dict.fromkeys(part for name in named if "." not in name for part in self._parts(name, choices))
        return tuple(part for part in own if not set(self._game.hand_places).isdisjoint(self._places[part]))

    def _parts(self, name: str, choices: Mapping[str, str]) -> tuple[str, ...]:
        hand = self._hands[name]
        if hand.chosen_of:
            return tuple(choice for choice in choices.values() if choice in hand.chosen_of)
        return hand.parts or (name,)

    def has(self, name: str, mark: str, spot: Spot) -> bool:
        """Say if a hand has one of its marks."""
        return has_mark(self._formed(name, spot)[1], self._hands[side_of(name)[1]].marks[mark])

    # --- hands that are set -------------------------------------------------------------------------------------

    def set(self, cards: Sequence[Card], low: Sequence[Card]) -> HighLowHand:
        """Set the cards of a position, with these in front."""
        return _set(tuple(cards), tuple(low), bool(self._game.settings["wheel_second_highest"]))

    def set_hands(self, side: str, spot: Spot) -> HighLowHand:
        """Return the hands that the player, the dealer or the bank set."""
        assert self._split is not None
        if side:
            return self.set(spot.bank, spot.bank_low)
        return self.set([spot.cards[place] for place in self._groups[self._split.of].names], spot.low)

    # --- settlement ---------------------------------------------------------------------------------------------

    def settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        """Settle one wager: the first rule that applies decides, and where none does the wager loses."""
        settled = self._settle(wager, stake, spot)
        return in_credits(self._game, wager, stake, spot, settled) if wager.unit == "credits" else settled

    def _settle(self, wager: Wager, stake: int, spot: Spot) -> Settlement:
        if wager.id in self._must_show and spot.choices.get(wager.id) != "expose":
            return Settlement(result="lose", under=_cited(wager.settle[-1], wager))
        if self._split is not None and self._split.into[0] in wager.hands:
            made = self.set_hands("", spot)
            if made.foul:
                name = f"foul: {made.high.name}; {made.low.name}"
                return Settlement(result="lose", hand=name, under=_also(wager.settle[-1], self._split))
        for rule in self.in_force[wager.id]:
            if self.applies(rule, spot) and (settled := self._by_rule(wager, rule, stake, spot)) is not None:
                return self._less_commission(wager, settled)
        return Settlement(result="lose", hand=self.named(wager, spot), under=_cited(wager.settle[-1], wager))

    def spins(self, wager: Wager, spot: Spot) -> bool:
        """Say if a player's own hand spins the wheel of a wager."""
        applying = (rule for rule in self.in_force[wager.id] if self.applies(rule, spot))
        return getattr(next(applying, None), "spin", None) == "own"

    def bonuses(self, wager: Wager, stake: int, spot: Spot) -> Iterator[tuple[Bonus, Settlement]]:
        """Yield each bonus that a settled wager wins, with its payment."""
        for bonus in wager.bonus:
            if self.applies(bonus, spot):
                settled = self.on_line(wager, self.pay(bonus.pay, self._formed(bonus.on, spot)[1]), stake)
                if settled.result == "win":
                    yield bonus, settled

    def applies(self, rule: Rule | Bonus | Decide, spot: Spot) -> bool:
        """Say if the hands have the marks that a rule or a decision asks for, and none that it excludes."""
        return all(self.has(hand, mark, spot) for hand, mark in rule.when.items()) and not any(
            self.has(hand, mark, spot) for hand, mark in rule.unless.items()
        )

    def _chosen(self, where: Mapping[str, object]) -> bool:
        return all(self._game.settings[setting] == value for setting, value in where.items())

    def _by_rule(self, wager: Wager, rule: Rule, stake: int, spot: Spot) -> Settlement | None:
        """Settle a wager by one rule; None where it leaves the wager to the next."""
        settled: Settlement | None
        if rule.versus is not None:
            settled = self._versus(wager, rule, stake, spot)
        elif rule.versus_each:
            settled = self._versus_each(wager, rule, stake, spot)
        elif rule.pays:
            settled = self._pay_all(wager, rule, stake, spot)
        elif rule.pay is not None and rule.on is not None:
            settled = self._by_table(wager, rule, stake, spot)
        else:
            settled = self._result(wager, rule.odds or "lose", stake, spot, self.named(wager, spot))
        return None if settled is None else replace(settled, under=_cited(rule, wager, push=settled.result == "push"))

    def named(self, wager: Wager, spot: Spot) -> str:
        """Name the hand on which a wager is settled, or both where two hands count."""
        return "; ".join([self._formed(name, spot)[1].name for name in wager.deciding])

    def _by_table(self, wager: Wager, rule: Rule, stake: int, spot: Spot) -> Settlement | None:
        assert rule.pay is not None
        assert rule.on is not None
        pay = self.pay(rule.pay, self._formed(rule.on, spot)[1])
        if pay.line is None:
            name = self.named(wager, spot)
            return None if rule.else_ == "next" else self._result(wager, rule.else_ or "lose", stake, spot, name)
        if rule.only == "push" and not pay.pushes:
            return None
        return self.on_line(wager, pay, stake)

    def _versus(self, wager: Wager, rule: Rule, stake: int, spot: Spot) -> Settlement:
        assert rule.versus is not None
        own, other = (self._formed(name, spot)[1] for name in rule.versus)
        result = (rule.tie or "push") if own == other else (rule.win if own > other else rule.lose) or "lose"
        return self._result(wager, result, stake, spot, own.name)

    def _versus_each(self, wager: Wager, rule: Rule, stake: int, spot: Spot) -> Settlement:
        pairs = [(self._formed(one, spot)[1], self._formed(other, spot)[1]) for one, other in rule.versus_each]
        won = sum(own > other for own, other in pairs)
        if self._split is not None and self.set_hands("bank", spot).foul:
            won = len(pairs)
        return self._result(wager, rule.by_wins[won], stake, spot, "; ".join(own.name for own, _ in pairs))

    def _pay_all(self, wager: Wager, rule: Rule, stake: int, spot: Spot) -> Settlement:
        """Settle by several pay tables together, or by the best; the stake is returned once."""
        pays = [self.pay(each.pay, self._formed(each.on, spot)[1]) for each in rule.pays]
        won = tuple(pay for pay in pays if pay.wins)
        pushed = next((pay for pay in pays if pay.pushes), None)
        if not won:
            return self.on_line(wager, pushed, stake) if pushed else Settlement(result="lose", hand=pays[0].name)
        return self._on_lines(wager, (self.best(wager, won, stake),) if rule.take == "best" else won, stake)

    def best(self, wager: Wager, pays: Sequence[LinePay], stake: int) -> LinePay:
        """Return the line that brings the most for a stake, the first of several."""
        settled = [self.on_line(wager, pay, stake) for pay in pays]
        return pays[max(range(len(pays)), key=lambda place: settled[place].returned + settled[place].paid)]

    def _on_lines(self, wager: Wager, pays: tuple[LinePay, ...], stake: int) -> Settlement:
        if len(pays) == 1:
            return self.on_line(wager, pays[0], stake)
        won = [self.on_line(wager, pay, stake) for pay in pays]
        return Settlement(
            result="win",
            returned=max(part.returned for part in won),
            paid=sum(part.paid for part in won),
            hand="; ".join(part.hand for part in won),
            line=", ".join(part.line for part in won),
            odds=", ".join(part.odds for part in won),
        )

    def at_result(self, wager: Wager, result: str | tuple[LinePay, ...], stake: int) -> Settlement:
        """Settle a wager at odds, as a push or a loss, or by lines of pay tables, whatever the cards are."""
        if isinstance(result, str):
            settled = self._result(wager, result, stake, Spot(cards={}), "")
        else:
            settled = self._on_lines(wager, result, stake)
        return self._less_commission(wager, settled)

    def _result(self, wager: Wager, result: Result, stake: int, spot: Spot, name: str) -> Settlement:
        """Settle at plain odds, as a push or a loss, or by the pay table of a hand."""
        if isinstance(result, PayOn):
            pay = self.pay(result.pay, self._formed(result.on, spot)[1])
            if pay.line is not None:
                return self.on_line(wager, pay, stake)
            result = result.else_ or "lose"
        if result == "lose":
            return Settlement(result="lose", hand=name)
        return settle_at_odds(Odds(result), stake, wager.parts, name)

    def on_line(self, wager: Wager, pay: LinePay, stake: int) -> Settlement:
        """Settle by a line of a pay table: at its odds, or with an amount or a share of a meter without the stake."""
        line = pay.line
        if line is None:
            return Settlement(result="lose", hand=pay.name)
        if pay.odds is not None:
            return settle_at_odds(pay.odds, stake, wager.parts, pay.name, line.name)
        if (percent := line.meter_percent) is not None:
            share, meter = f"{percent} percent of the meter", line.meter or ""
            return Settlement(
                result="win", hand=pay.name, line=line.name, odds=share, meter_percent=percent, meter=meter
            )
        return Settlement(result="win", paid=line.amount_cents or 0, hand=pay.name, line=line.name)

    def pay(self, table: str, rank: HandRank) -> LinePay:
        """Return the pay of a hand by a pay table of the game."""
        pay = self._pays.get((table, rank))
        if pay is None:
            line = self._game.pays[table].line_for(rank)
            pay = LinePay(rank=rank, line=line, odds=line.odds if line else None, name=rank.name)
            self._pays[table, rank] = pay
        return pay

    # --- awards beside a wager ----------------------------------------------------------------------------------

    def random_awards(self, wager: Wager, stake: int, spot: Spot) -> tuple[RandomAward, ...]:
        """Return the random awards of credits on a hand."""
        paid = wager.settle[0].paid[0]
        pay = self.pay(paid.pay, self._formed(paid.on, spot)[1])
        return tuple(random_awards(self._game, wager, stake, spot, pay, self._cards(paid.on, spot)))

    def envy(self, wager: Wager, cards: Sequence[Card]) -> tuple[str, int]:
        """Return the hand and the cents that cards bring every other player whose wager earns envy."""
        table = wager.also_pays[0]
        pay = self.pay(table, ranker_of(self._game, self._game.pays[table].order)(cards))
        return pay.name, (pay.line.amount_cents or 0) if pay.line else 0

    # --- commission ---------------------------------------------------------------------------------------------

    def _less_commission(self, wager: Wager, settled: Settlement) -> Settlement:
        """Take the commission of a win; where a setting waives it, the settlement rests on that setting too."""
        if wager.commission is None or settled.result != "win":
            return settled
        if self._chosen(wager.commission.where):
            return replace(settled, commission=self.commission(wager, settled.paid))
        waived = (self._game.book.settings[setting] for setting in wager.commission.where)
        return replace(settled, under=_also(settled.under, *waived))

    def commission(self, wager: Wager, won_cents: int) -> int:
        """Return the commission on what a wager, or a bank of such wagers, wins in a round."""
        if wager.commission is None or not self._chosen(wager.commission.where):
            return 0
        rounding = str(self._game.settings["commission_rounding"])
        return commission(won_cents, self._game.number("commission_per_mille"), rounding)


@lru_cache(maxsize=256)
def _set(cards: tuple[Card, ...], low: tuple[Card, ...], wheel_second: bool) -> HighLowHand:
    # The same cards are ranked when hands are exposed, collected and paid, and the dealer's for every seat.
    return set_hand(cards, low, wheel_second=wheel_second)


def _cited(rule: Rule, wager: Wager, *, push: bool = False) -> Cited:
    """Return what a settlement by one rule of a wager rests on: the rule's citations, or else the wager's."""
    cited = rule if rule.basis else wager
    readings = cited.readings + (rule.tie_readings if push else ())
    return Cited(clauses=cited.clauses, readings=readings, house_rule=rule.house_rule or wager.house_rule)


def _also(rule: Cited, *others: Cited) -> Cited:
    """Return what a settlement rests on where other rules decide beside its own; the last house rule counts."""
    clauses = tuple(clause for each in (rule, *others) for clause in each.clauses)
    readings = tuple(reading for each in (rule, *others) for reading in each.readings)
    return Cited(clauses=clauses, readings=readings, house_rule=others[-1].house_rule)


# --- marks --------------------------------------------------------------------------------------------------------


def has_mark(rank: HandRank, mark: Mark) -> bool:
    """Say if a rank has a mark."""
    if mark.is_ is not None:
        return mark.is_.fits(rank.category, rank.ranks)
    assert mark.at_least is not None
    level = LEVELS[rank.order][mark.at_least.hand]
    return (rank.level, rank.ranks) >= (level, mark.at_least.lowest)


# --- ranking by the settings of a game ----------------------------------------------------------------------------


def ranker_of(game: Game, kind: str) -> Ranker:
    """Return the function that ranks hands of one kind by the settings of a game.

    >>> from crossfelt.cards import parse_cards
    >>> ranker_of(compile_game("nj-pai-gow"), "joker_five")(parse_cards("As 2d 3c 4h 5s")).name
    'ace-to-five straight'
    """
    ace_low = bool(game.settings.get("ace_low_straight", True))
    if kind not in KINDS:
        return own_ranker(next(order for order in game.book.orders if order.id == kind), ace_low)
    return _ranker(kind, ace_low, bool(game.settings.get("wheel_second_highest", True)))


@cache
def _ranker(kind: str, ace_low: bool, wheel_second: bool) -> Ranker:
    by_setting: dict[str, Ranker] = {
        "five_card": _by_strength if ace_low else partial(rank_five, ace_low_straight=False),
        "joker_five": partial(rank_joker_five, wheel_second=wheel_second),
        "joker_seven": partial(best_of_seven, wheel_second=wheel_second),
    }
    return by_setting.get(kind, KINDS[kind].classify)


def _by_strength(five: Sequence[Card]) -> HandRank:
    return hand_classes()[strength(*five)]
