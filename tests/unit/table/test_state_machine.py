"""A state machine of random acts: the table accepts the options that `allowed` lists, no others, and all adds up.

At every step a person takes a listed option, or tries an unlisted act: an option altered in one place, or an invented
command. `make soak` runs the long version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec
import pytest
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from crossfelt.cards.card import HIDDEN, Card, dec_hook, enc_hook
from crossfelt.cards.deck import deck_of
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.money.ledger import BANK, CAGE, HOUSE_RISK, TRAY, chips_of, meter_account, risk_of
from crossfelt.play.sources import ShuffledSource
from crossfelt.rulebooks.script import Deal, Decide, Discard, OfferBank, OpenBets, SetHands, Settle, Spin, Stub
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.act import Option
from crossfelt.table.automation import Dealer
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import ACTS, Accepted, Refused, allowed, run
from crossfelt.table.reduce import evolve
from crossfelt.table.state import Bank, TableState, new_table, step_of
from properties import HealthCheck, assume, note, settings, st
from soak_length import Progress, Recorded, scaled
from unit.table.command_values import some
from unit.table.manual_table import KINDS, NAMES, game_of, low_limit
from unit.table.option_moves import COMMON, fits, granted, pairs_among, stakes, unseen, within
from unit.table.random_table import INVENTORY, LUCKY, OFTEN, XTREME
from unit.table.table_invariants import cards_are_accounted_for, cash_in, clauses_are_named

SHOE: Final = {"method": "automated_shoe"}
APPROVED: Final = {"approvals": {"automated_shoe": "AS-1"}}
EZ: Final = {"wagers": {"queens_dragon": {"offered": True}}}
VARIANTS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("nj-criss-cross", {}),
    ("nj-criss-cross", {"dealing": {"method": "hand", "shuffler": "automatic", "decks": 2}}),
    ("nj-criss-cross", {"dealing": {**SHOE, "shuffler": "counting", "decks": 2}, **APPROVED}),
    ("nj-criss-cross", {"settings": {"whole_multiples_only": True}, "play": {"on_timeout": "smallest_bet"}}),
    ("ma-criss-cross", {}),
    ("ma-criss-cross", {"dealing": {"method": "hand", "shuffler": "counting"}}),
    ("ma-criss-cross", {"dealing": {**SHOE, "shuffler": "automatic", "decks": 2}}),
    (
        "ma-criss-cross",
        {
            "dealing": {"reshuffling_device": True},
            "approvals": {"reshuffling_device": "RD-1"},
            "payout_limit": {"amount_cents": 50_000_00},
        },
    ),
    ("md-criss-cross", {}),
    ("md-criss-cross", {"dealing": {"preshuffled": True}, **low_limit(90_00)}),
    ("md-criss-cross", {"dealing": {"method": "hand", "shuffler": "automatic", "decks": 2, "preshuffled": True}}),
    ("md-criss-cross", {"dealing": {**SHOE, "shuffler": "automatic"}, **APPROVED}),
    ("nj-double-cross", {}),
    ("nj-double-cross", {"dealing": {"method": "hand", "shuffler": "counting", "decks": 2}}),
    (
        "nj-double-cross",
        {"dealing": {**SHOE, "shuffler": "automatic"}, **APPROVED, "play": {"on_timeout": "floor_decides"}},
    ),
    (
        "nj-double-cross",
        {
            "dealing": {"preshuffled": True},
            "play": {"on_timeout_three_card": "decline"},
            "payout_limit": {"amount_cents": 60_000_00},
            "settings": {"limit_covers_all_wagers": True},
        },
    ),
    *((("nj-pai-gow", {}),) * 3),
    ("nj-pai-gow", {**EZ, "settings": {"ez_variation": True, "first_hand_by": "random_number"}}),
    (
        "nj-pai-gow",
        {
            "dealing": {**SHOE, "shuffler": "counting", "decks": 2},
            **APPROVED,
            "settings": {"surrender_refund_per_mille": 500, "imperial_banker_hand": "bank"},
            "wagers": {"main": {"min_cents": 5_03, "step_cents": 1}},
            "play": {"on_timeout": "floor_decides", "decision_seconds": 30},
        },
    ),
    (
        "nj-pai-gow",
        {
            "settings": {"stacks_delivered": "counter_clockwise", "surrender_keeps": []},
            "bank": {"co_bank_offered": False},
            "play": {"decision_seconds": 30},
        },
    ),
    ("nj-pai-gow", LUCKY),
    ("nj-pai-gow", INVENTORY),
    ("nj-criss-cross", {"wagers": {"bonus_spin": OFTEN}, "settings": {"limit_covers_progressive": True}}),
    ("md-criss-cross", {"wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": XTREME}}),
)
"""Every way of dealing and shuffling, one deck and two, cards that arrive shuffled, limits that bite, banks, EZ."""

PLAYERS: Final = (*NAMES[1:4], "Guy")
STAFF: Final[tuple[tuple[str, Role], ...]] = (
    ("dealer", "dealer"),
    ("floor", "floor"),
    ("auditor", "auditor"),
    ("spectator", "spectator"),
)
PEOPLE: Final[tuple[tuple[str, Role], ...]] = (*((name, "player") for name in PLAYERS), *STAFF)
WHIMS: Final = st.integers(0, 2**32 - 1)
DULL: Final = frozenset(
    ("buy_chips", "take_seat", "leave_seat", "record_fill", "record_credit", "remove_deck", "close_table")
)
"""Commands that are drawn less often, so that rounds are played."""
ROLES: Final[Mapping[type[Command], Sequence[Role]]] = {act.command: act.roles for act in ACTS}
INVENTED: Final = sorted(KINDS.keys() - {"reverse_round"})
"""The server works out the amounts of a reversal from the rows of its round: an invented one means nothing."""
STARTS: Final = (
    *("closed", "open", "open_bets", "deal", "decide_across", "reveal_across", "decide_middle", "settle"),
    *("decide_three_card", "decide_play", "reveal_rest"),
    *("offer_bank", "offer_bank", "set_hands", "compare", "settle_dealer_hand"),
)


class Cards(ShuffledSource):
    """Cards in any order; at a physical table their order is unknown."""

    def __init__(self, rng: Random, *, physical: bool) -> None:
        super().__init__(repeatable_seed(0))
        self._rng, self._physical = rng, physical

    def order(self, table: TableState, deck: str) -> tuple[Card, ...]:
        size = table.game.book.deck.cards
        return () if self._physical else tuple(self._rng.sample(deck_of(size), size))

    def cut(self, table: TableState, least: int, most: int) -> int:
        return self._rng.randint(least, most)


class TableMachine(RuleBasedStateMachine):
    """A table, and people who try allowed and forbidden acts."""

    def __init__(self) -> None:
        super().__init__()
        self.table: TableState
        self.rebuilt: TableState
        """The same table, rebuilt from its events alone."""
        self.events: list[e.Event] = []
        self.cash = 0
        """The balance of the cage, added up from the events."""
        self.cashes = {0}
        self.at = 1_700_000_000_000
        self.given = 0
        self.listed_for: TableState | None = None
        self.listed_now: dict[str, list[tuple[tuple[str, Role], Option]]] = {}

    @initialize(variant=st.sampled_from(VARIANTS), start=st.sampled_from(STARTS), seed=st.integers(0, 999))
    def sit_down(self, variant: tuple[str, dict[str, Any]], start: str, seed: int) -> None:
        self.rng = Random(seed)
        self.cards = Cards(self.rng, physical=seed % 5 == 4)
        self.table = self.rebuilt = new_table(game_of(*variant))
        self.dealer = Dealer(self.cards)
        if start == "closed":
            return
        start = start if start in ("open", *self.table.game.steps) else "open_bets"
        self.accept(self.make("floor", "floor", c.OpenTable, inventory_cents=self.rng.choice((0, 200_00, 10**9))))
        for seat in self.rng.sample(range(1, 7), self.rng.randint(1, 3)):
            if not self.two_seats_refused(name := self.rng.choice(PLAYERS[:3])):
                chips = self.rng.choice((25_00, 120_00, 10**7))
                self.accept(self.make(name, "player", c.TakeSeat, seat=seat, chips_cents=chips))
        for _ in range(80):
            if start == "open" or self.table.step == start:
                break
            if not self.naturally(self.rng):
                break

    def two_seats_refused(self, name: str) -> bool:
        one = bool(self.table.game.settings["one_position_per_player"])
        return one and any(seat.player == name for seat in self.table.seats)

    # --- rules ---

    @rule(whim=WHIMS)
    def advance(self, whim: int) -> None:
        """Return the next act at a table without faults."""
        assume(self.naturally(Random(whim)))

    @rule(whim=WHIMS)
    def still_go_on(self, whim: int) -> None:
        assume(self.naturally(Random(whim)))

    @rule(whim=WHIMS)
    def take_up_an_option(self, whim: int) -> None:
        """A listed option is accepted."""
        self.listed_is_accepted(self.some_option(Random(whim)))

    @rule(whim=WHIMS)
    def bend_an_option(self, whim: int) -> None:
        """A listed option with one thing changed: another giver, another round or step, another value."""
        rng = Random(whim)
        command = self.some_option(rng)
        own = [name for name in command.__struct_fields__ if name not in COMMON]
        bent = rng.choice(("giver", "round", "step", *(["field"] * 6 if own else [])))
        changes: dict[str, Any] = dict(zip(("who", "role"), rng.choice(PEOPLE), strict=True))
        if bent == "round":
            changes = {"round": rng.choice((self.table.round, self.table.round - 1))}
        elif bent == "step":
            changes = {"step": rng.choice((self.table.step, "deal", "settle"))}
        elif bent == "field":
            name = rng.choice(own)
            changes = {name: some(type(command), name, rng)}
        self.try_it(msgspec.structs.replace(command, **changes))

    @rule(whim=WHIMS)
    def try_anything(self, whim: int) -> None:
        """Return an invented command, mostly one of the sender's own role."""
        rng = Random(whim)
        kind = KINDS[rng.choice(INVENTED)]
        people = [person for person in PEOPLE if person[1] in ROLES[kind]] if rng.random() < 0.9 else PEOPLE
        fields = {field: some(kind, field, rng) for field in kind.__struct_fields__ if field not in COMMON}
        self.try_it(self.make(*rng.choice(people), kind, **fields))

    # --- giving commands ---

    def make(self, who: str, role: Role, command: type[Command], /, **fields: Any) -> Command:
        self.given += 1
        self.at += 60_000 if self.given % 7 else 40 * 60_000
        return command(id=f"c{self.given}", who=who, role=role, at=self.at, **fields)

    def accept(self, command: Command) -> None:
        note(f"{command}")
        answer = run(self.table, command)
        assert isinstance(answer, Accepted), f"refused: {command}: {answer}"
        assert run(self.table, command) == answer
        for event in answer.events:
            self.rebuilt = evolve(self.rebuilt, event)
        assert self.rebuilt == answer.table
        self.events += answer.events
        if any(isinstance(event, e.EntryTakenBack) for event in answer.events):
            self.cash = answer.table.balances.get(CAGE, 0)
            assert self.cash in self.cashes
        else:
            self.cash += sum(map(cash_in, answer.events))
            self.cashes.add(self.cash)
        self.table = answer.table

    def refused(self, command: Command, answer: Refused) -> None:
        assert self.table == self.rebuilt
        problem = answer.problem
        assert problem.code
        assert problem.what
        clauses_are_named(self.table, problem, command)

    def listed_is_accepted(self, command: Command) -> None:
        """Unless the time for it has passed, or has not come."""
        options = allowed(self.table, command.who, command.role)
        assert any(fits(option, command, self.table) for option in options), f"not listed: {command}"
        self.try_it(command)

    def try_it(self, command: Command) -> None:
        """Accepted exactly where it is listed."""
        options = allowed(self.table, command.who, command.role)
        late = command.round not in (None, self.table.round) or command.step not in (None, self.table.step)
        open_now = (option for option in options if option.open_at(command.at))
        listed = not late and any(fits(option, command, self.table) for option in open_now)
        answer = run(self.table, command)
        if isinstance(answer, Refused):
            assert not listed, f"listed, but refused: {command}: {answer}"
            self.refused(command, answer)
        else:
            assert listed, f"accepted, but not listed: {command}: {answer.events}"
            self.accept(command)

    def naturally(self, rng: Random) -> bool:
        """The next thing in the ordinary course; False where there is none."""
        command = self.next_command(rng)
        if command is None:
            return False
        self.listed_is_accepted(command)
        return True

    def next_command(self, rng: Random) -> Command | None:
        table = self.table
        if table.phase == "closed":
            return self.make("floor", "floor", c.OpenTable, inventory_cents=10**7)
        if table.pending is not None:
            return self.take_up("decide_floor", rng)
        if table.claims:
            return self.take_up("grant_award", rng)
        if table.halted:
            return self.make("floor", "floor", c.RecordFill, cents=10**7)
        if not any(seat.player for seat in table.seats):
            return self.make("Ann", "player", c.TakeSeat, seat=rng.randint(1, 6), chips_cents=10**6)
        step = step_of(table)
        if isinstance(step, Decide) and table.turn:
            stays = self.take_up(rng.choice(("bet", "choose")), rng) if rng.random() < 0.7 else None
            return stays or self.take_up("fold", rng) or self.take_up("choose", rng)
        if isinstance(step, OfferBank) and table.deck.stage == "in_play":
            return self.take_up(rng.choice(("take_bank", "take_bank", "decline_bank")), rng)
        if isinstance(step, SetHands) and step.who == "players":
            move = rng.choice(("set_hand", "set_house_way", "set_house_way", "surrender"))
            return self.take_up(move, rng) or self.take_up("set_hand", rng) or self.take_up("set_house_way", rng)
        if isinstance(step, OpenBets) and table.deck.stage == "in_play":
            bet = sum(bool(seat.wagers) for seat in table.seats)
            seated = sum(bool(seat.player) for seat in table.seats)
            more = self.take_up("place_wagers", rng) if rng.random() > bet / seated else None
            return more or self.take_up("no_more_bets", rng) or self.take_up("buy_chips", rng)
        if isinstance(step, OfferBank | OpenBets | Deal) and table.deck.stage != "in_play":
            again = (self.take_up(name, rng) for name in ("cut_deck", "load_deck", "shuffle_deck", "remove_deck"))
            return next((command for command in again if command is not None), None)
        command = self.dealer.next_command(table, self.at)
        if command is None and isinstance(step, Spin):
            return self.take_up(rng.choice(("spin_wheel", "pass_spin")), rng)
        if isinstance(command, c.TurnUp | c.SettleSeat | c.SetDealerHand | c.ExposeSeat):
            return self.take_up(str(command.__struct_config__.tag), rng)
        return command

    def listed(self) -> dict[str, list[tuple[tuple[str, Role], Option]]]:
        """Return all options now, by command; computed once for each state."""
        if self.listed_for is not self.table:
            self.listed_for, self.listed_now = self.table, {}
            for person in PEOPLE:
                for option in allowed(self.table, *person):
                    self.listed_now.setdefault(option.command, []).append((person, option))
        return self.listed_now

    def some_option(self, rng: Random) -> Command:
        """Return an option of any role."""
        options = self.listed()
        names = [name for name in options if name not in DULL or rng.random() < 0.2] or list(options)
        person, option = rng.choice(options[rng.choice(names)])
        return self.taking_up(option, person, rng)

    def take_up(self, name: str, rng: Random) -> Command | None:
        options = self.listed().get(name)
        if not options:
            return None
        person, option = rng.choice(options)
        return self.taking_up(option, person, rng)

    def taking_up(self, option: Option, person: tuple[str, Role], rng: Random) -> Command:
        """Return the command of an option, with its open values drawn."""
        kind = KINDS[option.command]
        fields: dict[str, Any] = dict(option.fields)
        if isinstance(count := fields.get("cards"), int):
            fields["cards"] = tuple(rng.sample(unseen(self.table), count))
        if kind is c.SpinWheel and "cards" in fields:
            fields["cards"] = rng.choice(pairs_among(unseen(self.table)))
        if kind is c.GrantAward:
            fields |= granted(self.table, rng)
        if option.seat is not None:
            fields["seat"] = option.seat
        if fields.get("low") == 2:
            fields["low"] = tuple(rng.sample(fields.get("cards") or self.table.seat(option.seat or 0).cards, 2))
        if kind is c.SetHand:
            fields["insists"] = HIDDEN not in fields["low"]
        if fields.get("magic_card"):
            fields["magic_card"] = rng.choice(deck_of(self.table.game.number("magic_card_from")))
        if "dice" in fields:
            fields["dice"] = tuple(rng.randint(1, 6) for _ in range(3))
        fields |= {name: rng.choice(words) for name, words in option.choices.items()}
        if kind is c.PlaceWagers and "wagers" not in fields:
            fields["wagers"] = stakes(option, rng)
        elif kind is not c.PlaceWagers:
            for name, amounts in option.ranges.items():
                if name not in option.optional or rng.random() < 0.5:
                    fields[name] = within(amounts, rng)
        if kind is c.ShuffleDeck:
            fields["cards"] = self.cards.order(self.table, option.fields["deck"])
        fields |= dict.fromkeys(option.texts, "somebody's words")
        return self.make(*person, kind, **fields)

    # --- what always holds ---

    @invariant()
    def money_adds_up(self) -> None:
        if not self.given:
            return
        balances = self.table.balances
        assert sum(balances.values()) == 0
        meters = {meter_account(rule.id) for rule in self.table.game.book.meters}
        assert all(cents > 0 for account, cents in balances.items() if account not in {CAGE, *meters})
        seats = self.table.seats
        assert set(balances) <= {CAGE, TRAY, BANK, HOUSE_RISK} | meters | {
            chips_of(s.number) for s in seats if s.player
        } | {risk_of(s.number) for s in seats if s.player}
        assert all(balances.get(risk_of(seat.number), 0) == sum(seat.wagers.values()) for seat in seats)
        bank = self.table.bank or Bank(seat=0)
        assert balances.get(BANK, 0) == 0 or bank.cover > 0
        assert balances.get(HOUSE_RISK, 0) == (bank.house_wager if bank.cover else 0)
        assert balances.get(CAGE, 0) == self.cash

    @invariant()
    def every_card_is_somewhere(self) -> None:
        if self.given and self.table.in_play in self.table.decks and self.table.step:
            cards_are_accounted_for(self.table)

    @invariant()
    def everybody_is_where_they_belong(self) -> None:
        if not self.given:
            return
        table, step = self.table, step_of(self.table)
        assert len(table.turn) == len(set(table.turn))
        for number in table.turn:
            seat = table.seat(number)
            assert seat.player
            assert seat.status == ("out" if isinstance(step, OfferBank) else "in") or isinstance(step, Settle | Spin)
            due = table.banks(number) or any(award.seat == number for award in table.awards)
            assert not isinstance(step, Settle) or due or any(wager in step.wagers for wager in seat.wagers)
        every = isinstance(step, Stub | Discard) and table.game.book.game == "pai_gow"
        assert all(seat.player for seat in table.seats if seat.wagers or (seat.cards and not every))
        assert all(not seat.wagers for seat in table.seats) or step is not None
        loaded = [deck.id for deck in table.decks.values() if deck.stage == "in_play"]
        assert len(loaded) <= 1, f"two decks in play: {loaded}"
        assert len({deck.back for deck in table.decks.values()}) == len(table.decks)

    @invariant()
    def somebody_can_go_on(self) -> None:
        if self.given and self.table.pending is None and not self.table.halted:
            names = self.listed().keys()
            assert names - ASIDE, f"nobody can go on at {self.table.step or 'no step'}: {sorted(names)}"

    def teardown(self) -> None:
        """The whole history, written as JSON and read again, gives the same table."""
        if not self.given:
            return
        text = msgspec.json.encode(self.events, enc_hook=enc_hook)
        table = new_table(self.table.game)
        for event in msgspec.json.decode(text, type=list[e.AnyEvent], dec_hook=dec_hook):
            table = evolve(table, event)
        assert table == self.table


ASIDE: Final = frozenset(
    (
        *("record_fill", "record_credit", "buy_chips", "report_irregularity", "mark_device"),
        *("order_recut", "take_seat", "order_shuffle", "time_out"),
    )
)
"""Commands that do not advance a table."""


RUNS_SOAK: Final = 20_000
RUNS_AT_A_TIME: Final = 500
"""Hypothesis remembers what it has tried."""
HEALTH: Final[Sequence[HealthCheck]] = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)


@pytest.mark.exhaustive
def test_what_is_listed_is_accepted_and_nothing_else_and_all_adds_up() -> None:
    short = settings(max_examples=40, stateful_step_count=60, derandomize=True, suppress_health_check=HEALTH)
    run_state_machine_as_test(TableMachine, settings=short)


@pytest.mark.soak
def test_the_same_for_two_million_steps(record_property: Recorded, progress: Progress) -> None:
    runs = scaled(RUNS_SOAK)
    for before in range(0, runs, RUNS_AT_A_TIME):
        some = min(RUNS_AT_A_TIME, runs - before)
        long = settings(max_examples=some, stateful_step_count=100, suppress_health_check=HEALTH)
        run_state_machine_as_test(TableMachine, settings=long)
        progress(before + some, runs)
    record_property("figure", f"{runs:,} runs of 100 steps: what is listed is accepted, and all adds up")
