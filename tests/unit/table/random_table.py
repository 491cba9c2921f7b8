"""Plays a table at random, troubles included: for tests that need rounds in which everything happens.

    driver = Driver(compile_game("md-criss-cross"), seed=7, trouble=0.05)
    driver.play(rounds=3)
    driver.table, driver.lived

What is done next is drawn from `allowed`, so a listed option that is refused stops the test.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple, get_args

from crossfelt.cards.card import Card
from crossfelt.cards.deck import deck_of
from crossfelt.cards.player_seeds import seed_hash
from crossfelt.cards.shuffle import repeatable_seed
from crossfelt.play.meters import Meters
from crossfelt.play.sources import PhysicalSource, ShuffledSource
from crossfelt.proof.history import History
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import OpenBets, Settle
from crossfelt.table import commands as c
from crossfelt.table.act import Option, Range
from crossfelt.table.automation import ALL, CardSource, Dealer
from crossfelt.table.commands import Command, Role
from crossfelt.table.engine import Accepted, Refused, allowed, run
from crossfelt.table.events import Event, RoundClosed
from crossfelt.table.rack import cards_in
from crossfelt.table.reduce import evolve
from crossfelt.table.state import TableState, new_table, step_of
from unit.table.command_values import SEED
from unit.table.manual_table import low_limit

XTREME: Final = {"offered": True, "community_paytable_2": "E", "qualifying_hand": "pair", "hot_spot_weights": [1] * 9}
"""Spun in every other round, with one jackpot in nine."""
FOLDS_FORFEIT: Final = {"spin_after_fold": "forfeited"}
OFTEN: Final = {"paytable": "5", "weights": [3] + [1] * 11}
"""A wheel that often stops at the jackpot."""

VARIANTS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("nj-criss-cross", {}),
    ("nj-criss-cross", {"dealing": {"method": "hand", "shuffler": "automatic", "decks": 2}}),
    ("nj-criss-cross", {"dealing": {"shuffler": "counting"}, "play": {"on_timeout": "smallest_bet"}}),
    ("ma-criss-cross", {}),
    ("ma-criss-cross", {"dealing": {"method": "automated_shoe", "shuffler": "automatic"}}),
    ("md-criss-cross", {}),
    ("md-criss-cross", {**low_limit(90_00), "settings": {"md_antes_at_table": True}}),
    ("md-criss-cross", {"dealing": {"method": "hand", "shuffler": "counting", "decks": 2}}),
    ("md-criss-cross", {"wagers": {"bonus_spin": {"offered": False}, "bonus_spin_xtreme": XTREME}}),
    (
        "md-criss-cross",
        {
            "wagers": {"bonus_spin": {"paytable_other": "A", "community_paytable_1": "B"}},
            "settings": FOLDS_FORFEIT,
        },
    ),
    ("nj-criss-cross", {"wagers": {"bonus_spin": OFTEN}, "settings": {"limit_covers_progressive": True}}),
)
"""Games of Criss Cross Poker that between them use every way of dealing, both clocks, a limit that bites, and every
kind of wheel."""
LUCKY: Final = {
    "settings": {"lucky_player_goes_to": "all_seats", "magic_card_in": "made_hand"},
    "wagers": {"progressive": {"lucky_player_per_million": 900_000, "lucky_dealer_per_million": 500_000}},
}
"""Lucky awards in most rounds."""
INVENTORY: Final = {
    "settings": {
        "odds_paid_from": "inventory",
        "credit_returned_on_win": False,
        "lucky_stake_follows_hand": False,
        "magic_card_from": 53,
    },
    "wagers": {
        "progressive": {
            "credit_cents": 25,
            "lucky_player_per_million": 1_000_000,
            "lucky_dealer_per_million": 1_000_000,
        }
    },
}
"""Odds from the tray, a lucky award in every round, stakes that come back with it."""
ALL_GAMES: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    *VARIANTS,
    ("nj-double-cross", {}),
    ("nj-pai-gow", {}),
    ("nj-pai-gow", LUCKY),
    ("nj-pai-gow", INVENTORY),
)

TROUBLES: Final = frozenset(
    (
        *("report_irregularity", "order_recut", "order_shuffle", "spread_idle", "remove_deck", "mark_device"),
        *("change_method", "record_credit", "record_fill", "time_out", "buy_chips", "leave_seat", "count_stub"),
    )
)
"""Commands that do not bring a round nearer to its end."""
STAFF: Final[tuple[tuple[str, Role], ...]] = (("dealer", "dealer"), ("floor", "floor"))
_KINDS: Final[dict[str, type[Command]]] = {str(kind.__struct_config__.tag): kind for kind in get_args(c.AnyCommand)}


class Lived(NamedTuple):
    """One accepted command: the table before and after it, and its events."""

    before: TableState
    command: Command
    events: tuple[Event, ...]
    after: TableState


class Driver:
    """A table with its people, and one source of chance for all they do."""

    def __init__(
        self,
        game: Game,
        seed: int,
        *,
        players: int = 3,
        trouble: float = 0.0,
        physical: bool = False,
        seeds: bool = False,
    ) -> None:
        """With `seeds` the players of about half the seats take part in the shuffle."""
        self.rng = Random(seed)
        self.table = new_table(game)
        self.lived: list[Lived] = []
        self.trouble = trouble
        self.physical = physical
        self.seeds = seeds
        self.meters = Meters(game)
        self._grants: list[dict[str, Any]] = []
        named = {"reveal", "settle", "deal", "spin", "draw"} if physical else set()
        self._source: CardSource = PhysicalSource() if physical else ShuffledSource(repeatable_seed(seed))
        self._dealer = Dealer(self._source, frozenset(ALL - named))
        self._at = 1_700_000_000_000
        self._open(players)

    @property
    def commands(self) -> tuple[Command, ...]:
        return tuple(lived.command for lived in self.lived)

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(event for lived in self.lived for event in lived.events)

    def play(self, rounds: int) -> None:
        """Play until this many more rounds have closed."""
        for _ in range(rounds):
            while not any(isinstance(event, RoundClosed) for event in self.act()):
                pass

    def act(self) -> tuple[Event, ...]:
        """Carry out one act of any role, and what follows from it."""
        self._time_passes()
        command = self._trouble() if self.rng.random() < self.trouble and not self._grants else None
        command = command or self._floor() or self._player() or self._next_of_dealer() or self._anything()
        return self.give(command)

    def give(self, command: Command) -> tuple[Event, ...]:
        answer = run(self.table, command)
        assert isinstance(answer, Accepted), f"refused: {command}: {answer}"
        self.lived.append(Lived(self.table, command, answer.events, answer.table))
        self.table = answer.table
        self._grants += self.meters.receive(answer.table, answer.events)
        return answer.events

    def command_for(self, option: Option, who: str, role: Role) -> Command:
        """Return the command of an option, with every choice drawn."""
        fields: dict[str, Any] = dict(option.fields)
        if isinstance(count := fields.get("cards"), int):
            pair = option.command == "spin_wheel"
            fields["cards"] = self._pair_not_on_the_table() if pair else self._cards_not_on_the_table(count)
        if fields.get("magic_card"):
            fields["magic_card"] = self.rng.choice(deck_of(52))
        if "dice" in fields:
            fields["dice"] = tuple(self.rng.randint(1, 6) for _ in range(3))
        if option.seat is not None:
            fields["seat"] = option.seat
        if isinstance(count := fields.get("low"), int) and option.seat is not None:
            fields["low"] = tuple(self.rng.sample(fields.get("cards") or self.table.seat(option.seat).cards, count))
            fields |= {"insists": True} if option.command == "set_hand" else {}
        fields |= {name: self.rng.choice(words) for name, words in option.choices.items()}
        kind = _KINDS[option.command]
        fields |= self._wagers(option) if option.most_in_all is not None else self._amounts(option)
        if kind is c.ShuffleDeck:
            fields["cards"] = self._source.order(self.table, fields["deck"])
        if (
            kind is c.PlaceWagers
            and self.seeds
            and self.table.deck.cards
            and (self.table.round + (option.seat or 0)) % 2
        ):
            fields["seed_hash"] = seed_hash(SEED)
        fields |= dict.fromkeys(option.texts, "a test")
        return kind(id=f"drawn-{len(self.lived)}", who=who, role=role, at=self._at, **fields)

    def _open(self, players: int) -> None:
        floor: dict[str, Any] = {"who": "floor", "role": "floor", "at": self._at}
        inventory = self.rng.choice((200_00, 20_000_00, 1_000_000_00))
        self.give(c.OpenTable(id="open", inventory_cents=inventory, **floor))
        one_each = bool(self.table.game.settings["one_position_per_player"])
        for seat in self.rng.sample(range(1, len(self.table.seats) + 1), players):
            name = f"player{seat}" if one_each or self.rng.random() < 0.8 else "player7"
            chips = self.rng.choice((50_00, 500_00, 50_000_00))
            self.give(c.TakeSeat(id=f"sit-{seat}", who=name, role="player", at=self._at, seat=seat, chips_cents=chips))

    def _time_passes(self) -> None:
        jump = self.rng.random() < self.trouble / 10
        self._at += 5 * 3_600_000 if jump else self.rng.randint(1, 5_000)

    def _options(self, *people: tuple[str, Role]) -> list[tuple[Option, str, Role]]:
        """Return the options of a role now."""
        listed = ((option, who, role) for who, role in people for option in allowed(self.table, who, role))
        return [found for found in listed if found[0].open_at(self._at)]

    def _take(self, options: list[tuple[Option, str, Role]]) -> Command | None:
        return self.command_for(*self.rng.choice(options)) if options else None

    def _mixed(self, options: list[tuple[Option, str, Role]]) -> list[tuple[Option, str, Role]]:
        return self.rng.sample(options, len(options))

    def _players(self) -> Iterator[tuple[str, Role]]:
        for name in dict.fromkeys(seat.player for seat in self.table.seats if seat.player):
            yield name, "player"

    def _trouble(self) -> Command | None:
        """Return a fault; each possible kind is equally likely."""
        seated = sum(bool(seat.player) for seat in self.table.seats)
        kinds: dict[tuple[str, object], list[tuple[Option, str, Role]]] = {}
        for found in self._options(*STAFF, *self._players()):
            option = found[0]
            wrong_count = option.command == "shuffle_deck" and bool(option.ranges)
            if wrong_count or (option.command in TROUBLES and (option.command != "leave_seat" or seated > 1)):
                kinds.setdefault((option.command, option.fields.get("kind")), []).append(found)
        return self._take(self.rng.choice(list(kinds.values()))) if kinds else None

    def _floor(self) -> Command | None:
        """Return the act that the table waits for: a ruling, or a fill."""
        if self.table.pending is not None:
            return self._take([o for o in self._options(("floor", "floor")) if o[0].command == "decide_floor"])
        if self.table.seeds_due:
            arrived = tuple((seat, SEED) for seat in self.table.seeds_due if seat % 3)
            mixed: dict[str, Any] = {"round_id": f"random/{self.table.round}", "seeds": arrived}
            return c.MixDeck(id=f"mix-{len(self.lived)}", who="dealer", role="dealer", at=self._at, **mixed)
        if self._grants:
            grant = self._grants.pop(0)
            return c.GrantAward(id=f"grant-{len(self.lived)}", who="meter", role="dealer", at=self._at, **grant)
        if self.table.halted:
            return c.RecordFill(
                id=f"fill-{len(self.lived)}", who="floor", role="floor", at=self._at, cents=5_000_000_00
            )
        return None

    def _player(self) -> Command | None:
        """Let the player in turn decide; before the cards, place or close bets."""
        step = step_of(self.table)
        if self.table.turn and not isinstance(step, Settle):
            options = [o for o in self._options(*self._players()) if o[0].command not in TROUBLES | {"take_seat"}]
            folds = [o for o in options if o[0].command == "fold"]
            return self._take([o for o in options if o not in folds] * 4 + folds)
        if not isinstance(step, OpenBets) or self.table.deck.stage != "in_play":
            return None
        options = self._options(*self._players(), ("dealer", "dealer"))
        wanted = {"place_wagers", "no_more_bets"}
        found = self._take([o for o in options if o[0].command in wanted])
        return found or self._take([o for o in options if o[0].command == "buy_chips"])

    def _next_of_dealer(self) -> Command | None:
        command = self._dealer.next_command(self.table, self._at)
        if command is None or isinstance(run(self.table, command), Refused):
            return None
        return command

    def _anything(self) -> Command:
        """Let another role act where the dealer has no next command."""
        options = self._options(*STAFF)
        forward = [o for o in options if o[0].command not in TROUBLES | {"close_table"}]
        for found in self._mixed(forward) + self._mixed(options):
            return self.command_for(*found)
        raise AssertionError(f"nobody can do anything at {self.table.step or 'no step'}")

    def _amounts(self, option: Option) -> dict[str, int]:
        if "finding" in option.choices:
            return {"count": option.ranges["count"].min}
        wanted = [name for name in option.ranges if name not in option.optional or self.rng.random() < 0.5]
        return {name: self._amount(option.ranges[name]) for name in wanted}

    def _amount(self, amounts: Range) -> int:
        """Return an end of the range or a value between; no player brings more than a million dollars."""
        if amounts.of:
            return self.rng.choice(amounts.of)
        most = min((amounts.max - amounts.min) // amounts.step, 100_000_000)
        return amounts.min + amounts.step * self.rng.choice((0, most, self.rng.randint(0, most)))

    def _wagers(self, option: Option) -> dict[str, dict[str, int]]:
        """Return stakes that the purse allows: small, and equal where they must be."""
        assert option.most_in_all is not None
        wagers = {name: amounts.min for name, amounts in option.ranges.items() if name not in option.optional}
        for group in option.equal:
            amounts = option.ranges[group[0]]
            most = min(amounts.max, option.most_in_all // (4 * len(group)))
            steps = max(0, (most - amounts.min) // amounts.step)
            wagers |= dict.fromkeys(group, amounts.min + amounts.step * self.rng.choice((0, steps)))
        for name in option.optional:
            least = self.rng.choice(option.ranges[name].of or (option.ranges[name].min,))
            if (not wagers or self.rng.random() < 0.5) and sum(wagers.values()) + least <= option.most_in_all:
                wagers[name] = least
        game = self.table.game
        while missing := [name for name in wagers if any(need not in wagers for need in self._needs(name))]:
            wagers = {name: cents for name, cents in wagers.items() if name not in missing}
        if not wagers:
            alone = [name for name in option.ranges if not game.wager(name).needs]
            smallest = min(alone, key=lambda name: option.ranges[name].min)
            wagers[smallest] = option.ranges[smallest].min
        return {"wagers": wagers}

    def _needs(self, name: str) -> tuple[str, ...]:
        """Return the wagers that a wager needs, one of a group for the group."""
        game = self.table.game
        groups = {wager.group: wager.id for wager in game.wagers if wager.group}
        return tuple(groups.get(need, need) for need in game.wager(name).needs)

    def _pair_not_on_the_table(self) -> tuple[Card, ...]:
        cards = self._cards_not_on_the_table(14)
        return next(two for two in combinations(cards, 2) if two[0].rank == two[1].rank)

    def _cards_not_on_the_table(self, count: int) -> tuple[Card, ...]:
        known = {card for seat in self.table.seats for card in seat.cards} | set(self.table.community.values())
        known |= set(cards_in(self.table.pile))
        return tuple(self.rng.sample([card for card in deck_of(52) if card not in known], count))


def rerun(game: Game, commands: tuple[Command, ...]) -> list[Lived]:
    """Run the same commands once more, on a new table."""
    table, lived = new_table(game), []
    for command in commands:
        answer = run(table, command)
        assert isinstance(answer, Accepted), f"refused: {command}: {answer}"
        lived.append(Lived(table, command, answer.events, answer.table))
        table = answer.table
    return lived


def replayed(history: History) -> TableState:
    """Return the table after the events of a history."""
    table = new_table(history.header.compile())
    for row in history:
        for event in row.events:
            table = evolve(table, event)
    return table
