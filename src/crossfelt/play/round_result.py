"""The result of a round by seat and wager: the JSON that `crossfelt round` prints.

It follows from the events of the round alone, so that a live table, a scripted round and a stored history give the
same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.games.settlement import Result
from crossfelt.money.ledger import CAGE, TRAY, Balances, Unbalanced, chips_of, meter_account
from crossfelt.play.text import signed
from crossfelt.progressive.wheels import paying_meter
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Settle
from crossfelt.table import events as e
from crossfelt.tabular import Record, Tabular

COUPON = "match_play"
"""The entry of a match play coupon."""


class WagerResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one wager, in cents."""

    stake: int
    result: Result
    returned: int
    """Stake handed back."""
    paid: int
    """The win, before commission."""
    hand: str = ""
    """The deciding hand; a folded hand is not shown."""
    limited: int = 0
    """Cents by which a payout limit cut the payment."""
    commission: int = 0
    source: str = ""
    """``meter`` where the meter pays at least a part."""
    from_inventory: int = 0
    """Cents of `paid` that the table inventory pays, where the meter pays the rest."""
    clauses: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    house_rule: str = ""
    """The house rule it rests on where no document decides."""
    illustrative: bool = False
    """No source prints the amount."""

    @property
    def net(self) -> int:
        return self.returned + self.paid - self.commission - self.stake


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one seat; a bank and awards for other players' hands are entries beside the wagers."""

    net: int
    wagers: dict[str, WagerResult]


class RoundResult(Tabular, msgspec.Struct, frozen=True, kw_only=True):
    """The result of a round. All nets, the house's and the changes of the meters sum to zero."""

    rulebook: str
    outcome: Literal["settled", "void"]
    seats: dict[str, SeatResult]
    house_net: int
    meters: dict[str, int]
    """The change of each meter in whole cents: contributions and reset amounts, less its payments."""

    def headline(self) -> str:
        nets = ", ".join(f"seat {seat} {signed(seat_result.net)}" for seat, seat_result in self.seats.items())
        return f"{self.rulebook}, {self.outcome}: {nets}; house {signed(self.house_net)}"

    def records(self) -> list[Record]:
        return [
            {
                "seat": int(seat),
                "wager": name,
                "stake_cents": wager.stake,
                "result": wager.result,
                "returned_cents": wager.returned,
                "paid_cents": wager.paid,
                "net_cents": wager.net,
                "hand": wager.hand,
                "clauses": ", ".join(wager.clauses),
            }
            for seat, seat_result in self.seats.items()
            for name, wager in seat_result.wagers.items()
        ]


def result_of(game: Game, events: Iterable[e.Event]) -> RoundResult:
    """Return the result of one round from its events; events outside the round are ignored."""
    account = _Account(game)
    for event in events:
        account.see(event)
    if account.outcome is None:
        raise ValueError("the round has not closed")
    seats = {str(seat): _seat_result(game, account.seats[seat]) for seat in sorted(account.seats)}
    result = RoundResult(
        rulebook=game.book.id, outcome=account.outcome, seats=seats, house_net=account.house_net, meters=account.meters
    )
    check_sums(result)
    return result


def check_sums(result: RoundResult) -> None:
    """Check that the nets of a round sum to zero."""
    total = sum(seat.net for seat in result.seats.values()) + result.house_net + sum(result.meters.values())
    if total:
        raise Unbalanced(f"the nets of a round sum to {total} cents")


def check_ledger(result: RoundResult, before: Balances, after: Balances) -> None:
    """Check a result against the movements of the ledger between the opening and the close of the round.

    No player may buy chips in between; fills and credits of the tray do not matter.
    """

    def moved(*accounts: str) -> int:
        return sum(after.get(account, 0) - before.get(account, 0) for account in accounts)

    for seat, seat_result in result.seats.items():
        if moved(chips_of(int(seat))) != seat_result.net:
            raise Unbalanced(f"seat {seat}: the ledger moved {moved(chips_of(int(seat)))} cents, not {seat_result.net}")
    if moved(TRAY, CAGE) != result.house_net:
        raise Unbalanced(f"the ledger moved {moved(TRAY, CAGE)} cents for the house, not {result.house_net}")
    for meter, change in result.meters.items():
        if moved(meter_account(meter)) != change:
            raise Unbalanced(f"the ledger moved {moved(meter_account(meter))} cents for {meter}, not {change}")


def _seat_result(game: Game, wagers: Mapping[str, WagerResult]) -> SeatResult:
    ordered = {wager: wagers[wager] for wager in _order(game) if wager in wagers}
    ordered |= {entry: wagers[entry] for entry in wagers if entry not in ordered}
    return SeatResult(net=sum(wager.net for wager in ordered.values()), wagers=ordered)


@lru_cache(maxsize=64)
def _order(game: Game) -> tuple[str, ...]:
    """Return the wagers in the order of settlement, required wagers and those that depend on them first."""
    required = {wager.id for wager in game.book.wagers if wager.required}
    steps = [step for step in game.book.script if isinstance(step, Settle)]
    steps.sort(key=lambda step: required.isdisjoint(step.wagers))
    settled = [wager for step in steps for wager in step.wagers]
    return tuple(dict.fromkeys([*settled, *(wager.id for wager in game.book.wagers), COUPON]))


class _Account:
    """The result of each wager so far."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.outcome: Literal["settled", "void"] | None = None
        self.seats: dict[int, dict[str, WagerResult]] = {}
        self._folds: dict[int, e.HandFolded] = {}
        self.house_net = 0
        self.meters: dict[str, int] = {}

    def see(self, event: e.Event) -> None:
        match event:
            case e.BetsLocked():
                self.seats = {seat: {} for seat in event.seats}
            case e.WagerSettled() | e.BankSettled() | e.HouseWagerSettled() | e.AwardPaid() | e.CouponSettled():
                self._settle(event)
            case e.BankReleased():
                self.house_net += event.house_cents - event.house_stake
                returned, paid = min(event.cents, event.stake), max(0, event.cents - event.stake)
                money = {"stake": event.stake, "returned": returned, "paid": paid}
                self._enter(event.seat, "bank", event, result="returned", house_rule=event.house_rule, **money)
            case e.ContributionMade() | e.AwardGranted():
                self._feed(event.meter, event.cents)
                self.house_net -= event.cents
            case e.ContributionReversed():
                self._feed(event.meter, -event.cents)
                self.house_net += event.cents
            case e.HandFolded():
                self._folds[event.seat] = event
            case e.FoldCollected() | e.WagersForfeited():
                cited = self._folds[event.seat] if isinstance(event, e.FoldCollected) else event
                for wager, cents in event.wagers.items():
                    self.house_net += cents
                    self._enter(event.seat, wager, cited, stake=cents, result="forfeit")
            case e.SettlementReversed():
                self.house_net -= _house_gain(event.settled)
                if not isinstance(event.settled, e.HouseWagerSettled):
                    self.seats[event.seat].pop(_entry_of(event.settled), None)
            case e.WagersReturned():
                self.house_net -= sum(event.forfeited.values())
                for wager, cents in {**event.wagers, **event.forfeited}.items():
                    self._enter(event.seat, wager, event, stake=cents, result="returned", returned=cents)
            case e.RoundClosed():
                self.outcome = event.outcome

    def _settle(self, settled: e.Settlement) -> None:
        """Pay from the meter of a wager as far as it pays, and the rest from the house."""
        self.house_net += _house_gain(settled)
        if isinstance(settled, e.WagerSettled | e.AwardPaid) and settled.source:
            paid = settled.paid if isinstance(settled, e.WagerSettled) else settled.cents
            self.house_net += paid - settled.from_inventory
            self._feed(paying_meter(self._game, settled.wager, settled.line), settled.from_inventory - paid)
        match settled:
            case e.AwardPaid():
                self._award(settled)
            case e.WagerSettled() | e.BankSettled():
                self._enter(settled.seat, _entry_of(settled), settled, **shared_fields(settled, WagerResult))
            case e.CouponSettled(result=result, paid=paid, limited=limited):
                self._enter(settled.seat, COUPON, settled, result=result, paid=paid, limited=limited)

    def _award(self, event: e.AwardPaid) -> None:
        """Add an award; awards of one kind share an entry, with the hands that brought them."""
        before = self.seats[event.seat].get(event.award)
        self._enter(
            event.seat,
            event.award,
            event,
            result="win",
            paid=event.cents + (before.paid if before else 0),
            hand=f"{before.hand}; {event.hand}" if before and event.hand else event.hand,
            limited=event.limited + (before.limited if before else 0),
            source=event.source or (before.source if before else ""),
            from_inventory=event.from_inventory + (before.from_inventory if before else 0),
            house_rule=event.house_rule,
            illustrative=event.illustrative,
        )

    def _feed(self, meter: str, cents: int) -> None:
        self.meters[meter] = self.meters.get(meter, 0) + cents

    def _enter(self, seat: int, name: str, cited: e.Event, **fields: Any) -> None:
        """Enter the result of a wager, bank, award or coupon, with the clauses of an event."""
        basis = {"clauses": cited.clauses, "readings": cited.readings}
        self.seats[seat][name] = WagerResult(**{"stake": 0, "returned": 0, "paid": 0, **basis, **fields})


def _entry_of(settled: e.WagerSettled | e.BankSettled | e.AwardPaid | e.CouponSettled) -> str:
    match settled:
        case e.WagerSettled():
            return settled.wager
        case e.AwardPaid():
            return settled.award
        case e.CouponSettled():
            return COUPON
        case e.BankSettled():
            return "bank"


def _house_gain(settled: e.Settlement) -> int:
    """Return the cents that the house wins by a settlement, with what a meter pays as if the house paid it."""
    match settled:
        case e.WagerSettled():
            return settled.commission + (0 if settled.bank else settled.stake - settled.returned - settled.paid)
        case e.HouseWagerSettled():
            return settled.returned + settled.paid - settled.stake
        case e.BankSettled():
            return settled.house_cents - settled.house_stake + settled.commission
        case e.AwardPaid():
            return -settled.cents
        case e.CouponSettled():  # the coupon itself is not money
            return -settled.paid
