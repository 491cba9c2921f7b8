"""The compiled game: a rulebook with a submission, checked and frozen. Everything else reads a `Game`."""

from __future__ import annotations

import copy
from collections.abc import Container, Iterator, Mapping
from functools import cached_property
from itertools import chain
from math import gcd
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard, get_args

import msgspec

from crossfelt.errors import BadInput, Problem, require_none
from crossfelt.rulebooks import loader, payout_limit, submission
from crossfelt.rulebooks.hand_forms import Group
from crossfelt.rulebooks.house_ways import HouseWay, house_way_as_data, house_way_from_data, load_house_way
from crossfelt.rulebooks.model import (
    CommunityPay,
    Instead,
    Line,
    MeterRule,
    PayoutLimit,
    PayTable,
    Rulebook,
    SettingValue,
    Wager,
    Wheel,
)
from crossfelt.rulebooks.procedure import Procedure, procedure_of
from crossfelt.rulebooks.script import Deal, DealingMethod, Decide, OpenBets, Step
from crossfelt.rulebooks.submission import ChoiceValue

if TYPE_CHECKING:
    from crossfelt.games.exposure import Exposure


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The posted limits of a wager."""

    min: int
    max: int
    step: int


class Game:
    """A rulebook with every choice made. Immutable; equal games have equal hashes.

    >>> game = compile_game("md-criss-cross", {"wagers": {"ante": {"min_cents": 1000}}})
    >>> game.choices["wagers.ante.min_cents"], game.settings["cut_min_cards"]
    (1000, 10)
    >>> [wager.id for wager in game.wagers][-1]
    'bonus_spin'
    """

    def __init__(self, book: Rulebook, stated: Mapping[str, Any], house_way: HouseWay | None = None) -> None:
        """Use `compile_game`, which checks the submission; a decoded game has its own house way."""
        self.book = book
        self.stated: Mapping[str, Any] = MappingProxyType(copy.deepcopy(dict(stated)))
        """The submission as given: only the choices that it states."""
        resolved = submission.resolve(book, stated)
        self.choices: Mapping[str, ChoiceValue] = MappingProxyType(resolved.choices)
        self.settings: Mapping[str, SettingValue] = MappingProxyType(resolved.settings)
        self.illustrative = resolved.illustrative
        """Paths of choices whose values are placeholders, as no source prints one."""
        self._changed_odds = resolved.pays
        self._limits: dict[str, Limits] = {}
        self._bases: dict[str, Wager] = {}
        self._house_way = house_way

    @cached_property
    def wagers(self) -> tuple[Wager, ...]:
        """The wagers offered at this table, in the rulebook's order."""
        return tuple(w for w in self.book.wagers if self.choices.get(f"wagers.{w.id}.offered", True))

    @cached_property
    def coupon_wager(self) -> str | None:
        """The wager beside which a match play coupon is placed."""
        return next((wager.id for wager in self.wagers if wager.match_play), None)

    def wager(self, wager_id: str) -> Wager:
        return self._wager_by_id[wager_id]

    def offers(self, wager_id: str) -> bool:
        """Say if a wager may be placed at this table."""
        return wager_id in self._wager_by_id

    @cached_property
    def _wager_by_id(self) -> Mapping[str, Wager]:
        return {wager.id: wager for wager in self.wagers}

    def base(self, wager: Wager) -> Wager:
        """Return the wager that another is a multiple of; the first one of a group of equal wagers."""
        found = self._bases.get(wager.id)
        if found is None:
            found = next(other for other in self.wagers if wager.stake.of in (other.group, other.id))
            self._bases[wager.id] = found
        return found

    def bet_step(self, wager: Wager) -> int:
        """Return the step between the amounts of a bet: that of the first wager of which it is a multiple.

        Fixed amounts, of the wager or of its wheels, have no posted step; their own chips make the bets.
        """
        while wager.stake.of is not None:
            wager = self.base(wager)
        if wager.stake.posted:
            return self.limits(wager.stake.posted).step
        return gcd(*(wager.stake.cents or (wheel.stake_cents for wheel in self.wheels if wheel.wager == wager.id)))

    def asking_for(self, missing: Wager, placed: Container[str]) -> Wager:
        """Return the wager whose rule asks for a missing one: a placed wager that needs it, or the missing one itself.

        >>> game = compile_game("nj-pai-gow")
        >>> game.asking_for(game.wager("main"), {"progressive_player"}).clauses
        ('PGP-6', 'PGP-14')
        """
        named = {missing.id, missing.group}
        return next((wager for wager in self.wagers if wager.id in placed and named & set(wager.needs)), missing)

    def whole(self, path: str) -> int:
        """Return a choice that is a number."""
        value = self.choices[path]
        assert isinstance(value, int)
        return value

    def stated_whole(self, path: str) -> int | None:
        """Return a choice that is a number, or None where it has no value."""
        return self.whole(path) if path in self.choices else None

    def number(self, setting: str) -> int:
        """Return a setting that is a number."""
        value = self.settings[setting]
        assert isinstance(value, int)
        return value

    def listed(self, setting: str) -> tuple[str, ...]:
        """Return a setting that is a list."""
        value = self.settings[setting]
        assert isinstance(value, tuple)
        return value

    def fold_forfeits(self, step: Decide) -> tuple[str, ...]:
        """The wagers that a fold gives up: spin wagers as the step says, always or never (AMB-7)."""
        rule = self.settings.get("spin_after_fold", "by_the_letter")
        if step.fold is None:
            return ()
        if rule == "by_the_letter":
            return step.fold.forfeits
        spins = {wager.id for wager in self.book.wagers if wager.spins}
        named = (*step.fold.forfeits, *step.fold.keeps)
        return tuple(id_ for id_ in named if (rule == "forfeited" if id_ in spins else id_ in step.fold.forfeits))

    def fold_keeps(self, step: Decide) -> tuple[str, ...]:
        """The wagers that stay in play after a fold."""
        forfeits = self.fold_forfeits(step)
        named = (*step.fold.forfeits, *step.fold.keeps) if step.fold is not None else ()
        return tuple(id_ for id_ in named if id_ not in forfeits)

    def options(self, step: Decide) -> tuple[str, ...]:
        """Return the names of what a player may do at a decision.

        >>> game = compile_game("nj-double-cross")
        >>> [game.options(step) for step in game.book.script if isinstance(step, Decide)]
        [('expose', 'decline'), ('vertical', 'horizontal', 'fold')]
        """
        return self._options[step.id]

    @cached_property
    def _options(self) -> Mapping[str, tuple[str, ...]]:
        """The options of each decision; a bet that names a hand has one for each hand."""
        chosen = {hand.id: hand.chosen_of for hand in self.book.hands}
        decisions = [step for step in self.book.script if isinstance(step, Decide)]
        names = {step.id: [chosen.get(it.choose or "") or (it.name,) for it in step.actions] for step in decisions}
        return {step: tuple(chain.from_iterable(options)) for step, options in names.items()}

    def limits(self, posted: str) -> Limits:
        """Return the posted limits of a wager, in its own unit."""
        if posted not in self._limits:
            unit = "cents" if f"wagers.{posted}.min_cents" in self.choices else "credits"
            low, high = (self.whole(f"wagers.{posted}.{end}_{unit}") for end in ("min", "max"))
            step = self.whole(f"wagers.{posted}.step_cents") if unit == "cents" else 1
            self._limits[posted] = Limits(min=low, max=high, step=step)
        return self._limits[posted]

    @cached_property
    def pays(self) -> Mapping[str, PayTable]:
        """The pay tables in force, by id: the chosen letter, at the odds of the submission."""
        chosen = (table for table in self.book.paytables if submission.is_chosen(self.book, self.choices, table))
        return {table.id: self._in_force(table) for table in chosen}

    def _in_force(self, table: PayTable) -> PayTable:
        if self._reads(table.instead):
            other = next(other for other in self.book.paytables if other.id == table.instead.pay)
            table = msgspec.structs.replace(other, id=table.id, title=table.title)
        return submission.with_odds(table, self._changed_odds.get(table.id, {}), f"pays.{table.id}")

    @cached_property
    def pays_on_line(self) -> Mapping[str, PayTable]:
        """The pay table for the hands of each line: that of the last wager on it, bets after antes."""
        paid = [(line, wager.pays) for wager in self.wagers if wager.pays for line in self.lines_of(wager)]
        return {line: self.pays[pays] for line, pays in paid}

    def lines_of(self, wager: Wager) -> tuple[str, ...]:
        """Return the player's hands that may settle a wager.

        >>> game = compile_game("nj-criss-cross")
        >>> game.lines_of(game.wager("middle")), game.lines_of(game.wager("ante_down"))
        (('across', 'down'), ('down',))
        """
        lines = {line.id for line in self.book.lines}
        parts = {hand.id: hand.parts or (hand.id,) for hand in self.book.hands}
        own = dict.fromkeys(part for name in wager.hands for part in parts.get(name, ()))
        return tuple(line for line in own if line in lines)

    @cached_property
    def wheels(self) -> tuple[Wheel, ...]:
        """The wheels in force, with the settings applied."""
        chosen = submission.chosen_wheels(self.book, self.choices)
        return tuple(self._wheel_in_force(wheel) for wheel in chosen if self.offers(wheel.wager))

    def _wheel_in_force(self, wheel: Wheel) -> Wheel:
        """Return a wheel with its stake and its amounts as the settings read them."""
        if self._reads(wheel.instead):
            wheel = msgspec.structs.replace(wheel, stake_cents=wheel.instead.stake_cents)
        if not any(slice_.amount_setting for slice_ in wheel.slices):
            return wheel
        slices = (
            msgspec.structs.replace(slice_, pays_cents=self.number(slice_.amount_setting))
            if slice_.amount_setting is not None
            else slice_
            for slice_ in wheel.slices
        )
        return msgspec.structs.replace(wheel, slices=tuple(slices))

    def _reads(self, instead: Instead | None) -> TypeGuard[Instead]:
        return instead is not None and all(self.settings.get(name) == value for name, value in instead.where.items())

    @cached_property
    def community_pays(self) -> tuple[CommunityPay, ...]:
        """The community pay tables in force, one for each stake that has one."""
        printed = {(pay.wager, pay.letter): pay for pay in self.book.community_pays}
        found = []
        for wheel in self.wheels:
            letter = submission.community_letter(self.choices, wheel.wager, wheel.stake_cents, wheel.letter)
            if wheel.ring == "spin" and (wheel.wager, letter) in printed:
                pay = printed[wheel.wager, letter]
                found.append(msgspec.structs.replace(pay, stake_cents=wheel.stake_cents))
        return tuple(found)

    def weights(self, wheel: Wheel) -> tuple[int, ...]:
        """Return the weight of each slice of a wheel."""
        value = self.choices[wheel.weights_path]
        assert isinstance(value, tuple)
        return tuple(int(weight) for weight in value)

    @cached_property
    def lines_of_players(self) -> tuple[Line, ...]:
        """The lines that include a player's own cards."""
        return tuple(line for line in self.book.lines if set(line.places).intersection(self.hand_places))

    @cached_property
    def lines_of_layout(self) -> tuple[Line, ...]:
        """The lines of community cards only."""
        return tuple(line for line in self.book.lines if line not in self.lines_of_players)

    @cached_property
    def opening_acts(self) -> tuple[str, ...]:
        """The acts with a new deck before its first shuffle."""
        return tuple(step.step for step in self.book.opening.steps if step.step not in ("shuffle", "cut", "load"))

    @cached_property
    def steps(self) -> Mapping[str, tuple[int, Step]]:
        """The steps of the script by id, with their place in it."""
        return {step.id: (place, step) for place, step in enumerate(self.book.script)}

    def dealt_by(self, method: str) -> Procedure:
        return self._procedures[method]

    @cached_property
    def _procedures(self) -> Mapping[str, Procedure]:
        return {method: procedure_of(self.book, method) for method in get_args(DealingMethod)}

    @cached_property
    def opening_wagers(self) -> Mapping[str, Wager]:
        """The wagers on offer that are placed before the cards, by id."""
        opens = next(step for step in self.book.script if isinstance(step, OpenBets))
        return {wager.id: wager for wager in self.wagers if wager.id in opens.wagers}

    @cached_property
    def first_wagers(self) -> tuple[Wager, ...]:
        """The wagers that a hand begins with: the required ones, or the first where the player may choose.

        >>> [wager.id for wager in compile_game("md-criss-cross").first_wagers]
        ['ante_across', 'ante_down']
        """
        opening = tuple(self.opening_wagers.values())
        return tuple(wager for wager in opening if wager.required) or opening[:1]

    def credit_cents(self, wager: Wager) -> int:
        """Return the price of one unit of a stake: a credit, where the stake is counted in credits.

        >>> game = compile_game("nj-pai-gow")
        >>> game.credit_cents(game.wager("progressive_player")), game.credit_cents(game.wager("main"))
        (100, 1)
        """
        # Wagers that share a pay table share its choices.
        return self.whole(f"wagers.{wager.pays}.credit_cents") if wager.unit == "credits" else 1

    def meter(self, meter_id: str) -> MeterRule:
        return next(meter for meter in self.book.meters if meter.id == meter_id)

    def group(self, group_id: str) -> Group:
        return self._group_by_id[group_id]

    @cached_property
    def _group_by_id(self) -> Mapping[str, Group]:
        return {group.id: group for group in self.book.groups}

    @cached_property
    def _dealt(self) -> tuple[tuple[Group, tuple[str, ...]], ...]:
        """The groups in the order of the deal, with their places as they are filled."""
        deal = next(step for step in self.book.script if isinstance(step, Deal))
        orders = {delivery.to: delivery.places or self.group(delivery.to).names for delivery in deal.deliver}
        return tuple((self.group(name), places) for name, places in orders.items())

    @cached_property
    def hand_places(self) -> tuple[str, ...]:
        """The names of the cards of one player, in the order of the deal."""
        return tuple(p for group, places in self._dealt if group.owner in ("seat", "positions") for p in places)

    @cached_property
    def dealer_places(self) -> tuple[str, ...]:
        """The names of the dealer's own cards, in the order of the deal; empty where the dealer has none."""
        own = (places for group, places in self._dealt if group.owner in ("dealer", "positions"))
        return tuple(f"dealer_{place}" for places in own for place in places)

    @cached_property
    def dealer_hands(self) -> tuple[str, ...]:
        """The dealer's hands that wagers are compared with."""
        named = (hand for wager in self.wagers for rule in wager.settle for hand in (rule.versus or ()))
        groups = {group.id for group in self.book.groups if group.owner == "dealer"}
        own = {hand.id for hand in self.book.hands if groups.intersection(hand.of)}
        return tuple(dict.fromkeys(hand for hand in named if hand.startswith("dealer.") or hand in own))

    def marks_asked(self, hand: str) -> tuple[str, ...]:
        """Return the marks of a hand that settlements ask for."""
        rules = [rule for wager in self.wagers for rule in wager.settle]
        asked = (mark for rule in rules for name, mark in (*rule.when.items(), *rule.unless.items()) if name == hand)
        return tuple(dict.fromkeys(asked))

    @cached_property
    def jackpot_wagers(self) -> frozenset[str]:
        """Wagers that a meter pays a share to, or that are staked in credits of a progressive system."""
        shares = {table.id for table in self.book.paytables if any(line.meter_percent for line in table.lines)}
        return frozenset(w.id for w in self.wagers if w.unit == "credits" or shares.intersection(w.tables))

    @cached_property
    def credit_wagers(self) -> Mapping[str, bool]:
        """The wagers in credits; True for those on the dealer's hand."""
        return {w.id: w.deciding[0].startswith("dealer.") for w in self.wagers if w.unit == "credits"}

    @cached_property
    def banked_wager(self) -> str:
        """The wager that is played against the bank; empty where no player banks."""
        named = (wager.id for wager in self.wagers for hand in wager.hands if hand.startswith("bank."))
        return next(named, "")

    @cached_property
    def envy_wager(self) -> str:
        """The wager that earns envy for other players' hands; empty where none does."""
        return next((wager.id for wager in self.wagers if wager.also_pays and wager.unit == "cents"), "")

    @cached_property
    def limited_wagers(self) -> frozenset[str]:
        """Wagers whose winnings count toward a payout limit."""
        return frozenset(wager for limit in self.book.payout_limits for wager in self.covered_by(limit))

    def covered_by(self, limit: PayoutLimit) -> tuple[str, ...]:
        """Return the wagers that a payout limit covers: those it names, or all where the submission says so."""
        return limit.covers + limit.outside if self.settings.get("limit_covers_all_wagers") else limit.covers

    @cached_property
    def house_way(self) -> HouseWay | None:
        """The dealer's house way in a game of two hands. It is part of the game: a later change of its file does not
        change what was played."""
        chosen = next((self.choices.get(split.house_way) for split in self.book.splits), None)
        return self._house_way or (load_house_way(chosen) if isinstance(chosen, str) else None)

    @cached_property
    def exposure(self) -> Exposure:
        """The most one patron could win in a round at the minimum wager, as the table settles it."""
        from crossfelt.games.exposure import most_at_minimum

        try:
            return most_at_minimum(self)
        except (LookupError, StopIteration) as missing:
            what = "lacks a wager, choice or pay table that determines the most at the minimum wager"
            problem = Problem.at(self.book.id, "game.exposure", what, str(missing) or None)
            raise BadInput(problem) from None

    def limit_figure(self, limit: PayoutLimit) -> int:
        """Return the regulation's figure: the printed amount, or the exposure if that is greater."""
        return max(limit.amount_cents, self.exposure.cents)

    def limit_cents(self, limit: PayoutLimit) -> int | None:
        """Return the limit in force, or None."""
        stated = self.choices.get("payout_limit.amount_cents")
        if isinstance(stated, int):
            return stated
        return None if limit.optional else self.limit_figure(limit)

    def limit_on(self, wager_id: str) -> int | None:
        """Return the payout limit in force that covers a wager, or None.

        >>> [compile_game(book).limit_on("bonus_spin") for book in ("nj-criss-cross", "md-criss-cross")]
        [5000000, None]
        """
        covering = [limit for limit in self.book.payout_limits if wager_id in self.covered_by(limit)]
        return min((cents for limit in covering if (cents := self.limit_cents(limit)) is not None), default=None)

    @cached_property
    def rulebook_hash(self) -> str:
        return loader.content_hash(self.book)

    @cached_property
    def hash(self) -> str:
        """SHA-256 over rulebook, submission and house way in canonical JSON."""
        return loader.hash_of(self.as_data())

    def as_data(self) -> dict[str, Any]:
        """Return plain data from which `from_data` makes the same game."""
        data = {"rulebook": loader.as_data(self.book), "submission": dict(self.stated)}
        return data if self.house_way is None else {**data, "house_way": house_way_as_data(self.house_way)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any], *, where: str = "game") -> Game:
        for key in ("rulebook", "submission"):
            if not isinstance(data, Mapping) or not isinstance(data.get(key), Mapping):
                raise BadInput.at(f"{where}: {key}", "game.data", "not a table")
        book = loader.from_data(data["rulebook"], where=where)
        game = compile_game(book, data["submission"], where=where)
        if "house_way" not in data:
            return game
        return cls(book, data["submission"], house_way_from_data(data["house_way"], where=f"{where}: house_way"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        return f"Game({self.book.id!r}, {self.hash[:12]})"


def problems(
    book: Rulebook, stated: Mapping[str, Any], *, where: str = "submission", complete: bool = False
) -> Iterator[Problem]:
    """Report every violation of a submission, including its payout limit, which depends on the whole game."""
    against_limit = list(payout_limit.problems(Game(book, stated), where=where))
    told = {problem.where for problem in against_limit}
    found = submission.problems(book, stated, where=where, complete=complete)
    yield from (problem for problem in found if problem.where not in told)
    yield from against_limit


def compile_game(book: Rulebook | str, stated: Mapping[str, Any] | None = None, *, where: str = "submission") -> Game:
    """Compile a rulebook (or its id or file) and a submission over the defaults into a game, or raise BadInput.

    >>> compile_game("ma-criss-cross", {"dealing": {"method": "hand"}})
    Traceback (most recent call last):
    crossfelt.errors.BadInput: submission: dealing.shuffler: cards dealt from the hand must come from an automated \
shuffler: 'none' (allowed: automatic, counting) [MAC-26]
    """
    if isinstance(book, str):
        book = loader.load(book)
    stated = dict(stated or {})
    require_none(problems(book, stated, where=where))
    return Game(book, stated)
