"""A second set of books: the money of a table counted from its events, without the ledger that moved it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from crossfelt.proof.entries import Entries

Data = Mapping[str, Any]


class MoneyTotals(msgspec.Struct, kw_only=True):
    """Money in, money out and results, in cents."""

    opened: int = 0
    """Inventory at all openings of the table; `closed` is that of all closings."""
    closed: int = 0
    fills: int = 0
    credits: int = 0
    bought: int = 0
    """Chips that players brought or bought; `cashed` is what they took away."""
    cashed: int = 0
    staked: int = 0
    """Wagers that were locked or bet. Each came back, was lost, or is still on the layout."""
    returned: int = 0
    lost: int = 0
    paid: int = 0
    """Winnings and awards, before the commission."""
    commission: int = 0
    banked: int = 0
    """The winnings of players' banks, before commission: not the house's, though players lost them."""
    limited: int = 0
    """The cuts by payout limits."""
    contributed: int = 0
    """The contributions to the meters with reset amounts; `jackpots` are the winnings that meters paid."""
    jackpots: int = 0
    corrected: int = 0
    """The cents that reversals of paid rounds moved from the tray to seats."""

    @property
    def won(self) -> int:
        """The tray's win: lost stakes and commission, less its payments and the winnings of players' banks."""
        return self.lost + self.commission - self.paid + self.jackpots - self.banked - self.corrected

    @property
    def house(self) -> int:
        """The house's win: the tray's, less the contributions to meters."""
        return self.won - self.contributed


class Recount:
    """The second count, event by event.

    >>> books = Recount()
    >>> books.see({"event": "seat_taken", "seat": 1, "chips_cents": 5000})
    >>> books.see({"event": "wagers_placed", "seat": 1, "wagers": {"ante_across": 500, "ante_down": 500}})
    >>> books.chips, books.layout
    ({1: 4000}, {1: 1000})
    """

    def __init__(self) -> None:
        self.money = MoneyTotals()
        self.bank = 0
        """The escrow of a player's bank: its cover, the house's part of it, and the dealer's stake against it."""
        self.house_cover = 0
        self.house_stake = 0
        self.chips: dict[int, int] = {}
        self.layout: dict[int, int] = {}
        self.meters: dict[str, int] = {}
        """This table's contributions to each meter, less its awards from it."""
        self._residues: dict[str, int] = {}
        self._granted: dict[tuple[str, int], str] = {}
        self._entries = Entries()

    @property
    def tray(self) -> int:
        money = self.money
        at_risk = self.house_cover + self.house_stake
        return money.opened + money.fills + money.won - money.closed - money.credits - at_risk

    def see(self, event: Data) -> None:
        self._entries.follow(event, self)
        money, cents, seat_cents = self.money, event.get("cents", 0), event.get("chips_cents", 0)
        match event["event"]:
            case "table_opened":
                money.opened += event["inventory_cents"]
            case "table_closed":
                money.closed += event["inventory_cents"]
            case "inventory_filled":
                money.fills += cents
            case "inventory_credited":
                money.credits += cents
            case "seat_taken":
                money.bought += seat_cents
                self._chips(event, seat_cents)
            case "seat_left":
                money.cashed += seat_cents
                self._chips(event, -seat_cents)
            case "chips_bought":
                money.bought += cents
                self._chips(event, cents)
            case "chips_corrected":
                moved = event["after_cents"] - event["before_cents"]
                money.corrected += moved
                self._chips(event, moved)
            case "wagers_placed":  # new wagers replace the earlier ones
                self._stake(event, sum(event["wagers"].values()) - self.layout.get(event["seat"], 0))
            case "bet_placed":
                self._stake(event, cents)
            case "choice_made":  # a wager that its player took back
                self._lift(event, cents)
                self._chips(event, cents)
                money.returned += cents
            case "fold_collected" | "wagers_forfeited":
                self._lift(event, sum(event["wagers"].values()))
                money.lost += sum(event["wagers"].values())
            case "wagers_returned":
                self._return(event)
            case "wager_settled":
                self._settle(event)
            case "coupon_settled":  # the coupon itself is not money
                self._win(event, event.get("paid", 0))
            case "award_paid":
                self._win(event, cents)
                self._from_meter(event, cents)
            case "award_granted":
                self._granted |= {(event["wager"], seat): event["meter"] for seat, _ in event["shares"]}
                self._feed(event, event.get("seeded_micros", 0))
            case "contribution_made":
                self._feed(event, event["micros"])
            case "contribution_reversed":
                self._feed(event, -event["micros"])
            case "settlement_reversed":
                self._reverse(event["settled"])
            case _:
                self._see_bank(event)

    def differences(self, balances: Mapping[str, int]) -> Iterator[str]:
        """Yield each difference to the ledger, and each impossible amount."""
        own = {"tray": self.tray, "bank": self.bank, "risk:house": self.house_stake}
        own |= {f"chips:{seat}": cents for seat, cents in self.chips.items()}
        own |= {f"risk:{seat}": cents for seat, cents in self.layout.items()}
        own |= {f"meter:{meter}": cents for meter, cents in self.meters.items()}
        for account in sorted(own.keys() | {name for name in balances if name != "cage"}):
            counted, kept = own.get(account, 0), balances.get(account, 0)
            if counted != kept:
                yield f"{account} stands at {kept:,} cents in the ledger; counted again it is {counted:,}"
            if counted < 0 and not account.startswith("meter:"):
                yield f"{account} is overdrawn: {counted:,} cents"
        if sum(balances.values()):
            yield f"the accounts sum to {sum(balances.values()):,} cents, not to nothing"

    def _see_bank(self, event: Data) -> None:
        cents, house_cents = event.get("cents", 0), event.get("house_cents", 0)
        match event["event"]:
            case "bank_covered":
                self._chips(event, -cents)
                self.house_cover, self.house_stake = house_cents, event.get("house_wager", 0)
                self.bank += cents + house_cents
            case "house_wager_settled":
                gain = event.get("returned", 0) + event.get("paid", 0) - event["stake"]
                self.bank -= gain
                self.money.banked -= gain
                self.house_stake = 0
            case "bank_settled":
                back, commission = event["returned"] + event.get("paid", 0), event.get("commission", 0)
                self.bank -= back + house_cents
                self._chips(event, back - commission)
                self.money.commission += commission
                self.money.banked -= house_cents - self.house_cover
                self.house_cover = 0
            case "bank_released":
                self.bank -= cents + house_cents
                self._chips(event, cents)
                self.money.banked -= house_cents - self.house_cover
                self.house_cover = self.house_stake = 0

    def _settle(self, event: Data) -> None:
        stake, returned, paid = event["stake"], event.get("returned", 0), event.get("paid", 0)
        commission = event.get("commission", 0)
        self._lift(event, stake)
        self._chips(event, returned - commission)
        self.money.returned += returned
        self.money.commission += commission
        self.money.lost += stake - returned
        self._win(event, paid)
        self._from_meter(event, paid)
        if event.get("bank"):
            self.bank += stake - returned - paid
            self.money.banked += stake - returned - paid

    def _win(self, event: Data, cents: int) -> None:
        self._chips(event, cents)
        self.money.paid += cents
        self.money.limited += event.get("limited", 0)

    def _from_meter(self, event: Data, cents: int) -> None:
        """Count a payment from the meter that granted an award on that wager."""
        if event.get("source") == "meter":
            cents -= event.get("from_inventory", 0)
            self.money.jackpots += cents
            meter = self._granted[event["wager"], event["seat"]]
            self.meters[meter] = self.meters.get(meter, 0) - cents

    def _feed(self, event: Data, micros: int) -> None:
        """Add millionths of a cent; whole cents move once there are enough."""
        meter = event["meter"]
        cents, self._residues[meter] = divmod(self._residues.get(meter, 0) + micros, 1_000_000)
        self.money.contributed += cents
        self.meters[meter] = self.meters.get(meter, 0) + cents

    def _reverse(self, settled: Data) -> None:
        """Count the same settlement with every amount turned round; a bank covers again what it covered."""
        self.see({**settled, **{name: -settled[name] for name in _AMOUNTS if name in settled}})
        if settled["event"] == "house_wager_settled":
            self.house_stake = settled["stake"]
        elif settled["event"] == "bank_settled":
            self.house_cover = settled.get("house_stake", 0)
            self.money.banked -= self.house_cover

    def _return(self, event: Data) -> None:
        """Count returned wagers; a fold that a void round undoes is no loss."""
        back, undone = sum(event["wagers"].values()), sum(event.get("forfeited", {}).values())
        self._lift(event, back)
        self._chips(event, back + undone)
        self.money.returned += back + undone
        self.money.lost -= undone

    def _chips(self, event: Data, cents: int) -> None:
        self.chips[event["seat"]] = self.chips.get(event["seat"], 0) + cents

    def _lift(self, event: Data, cents: int) -> None:
        self.layout[event["seat"]] = self.layout.get(event["seat"], 0) - cents

    def _stake(self, event: Data, cents: int) -> None:
        self.money.staked += cents
        self._chips(event, -cents)
        self._lift(event, -cents)


_AMOUNTS: Final = ("stake", "returned", "paid", "commission", "limited", "cents", "house_cents", "from_inventory")
