"""The commands of one table that no person gives, and when they are due.

They are those of its dealer, floor and bots, of clocks that run out, and of players who are gone. A command that an
account refuses is retried later, while play continues.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec.structs import replace

from crossfelt.errors import Problem
from crossfelt.play.next_action import Autopilot, AutopilotState
from crossfelt.play.sources import PhysicalSource
from crossfelt.rulebooks.script import OfferBank, OpenBets
from crossfelt.server.core.bots import BOT_CHIPS_CENTS, BotAdvice, StillComputing, bot_of, bot_style, seated_people
from crossfelt.server.core.presence import SKIP_SECONDS, Presence, Wait
from crossfelt.server.core.settings import TableSettings
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts.clock import awaited, time_is_up
from crossfelt.table.acts.floor import rulings
from crossfelt.table.automation import ALL, Automation, CardSource, Dealer
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, Refused, run
from crossfelt.table.flow import in_round
from crossfelt.table.state import TableState, step_of

SEED_SECONDS: Final = 2
"""The longest time for which the deal waits for the players' seeds after no more bets."""
RETRY_MS: Final = 30_000
"""The time until a refused command is retried."""
CLOSING: Final = "the table cannot close"
"""The key of the departure of all players before the table closes."""


class _Refusal(NamedTuple):
    why: str
    retry_at: int


class Retries:
    """The refused commands of one table, each with the reason and the time of its retry, in words for the floor.

    >>> retries = Retries()
    >>> retries.add(leaving("Ann"), "her account cannot be read", 5_000)
    True
    >>> retries.add(leaving("Ann"), "her account cannot be read", 40_000)    # not for the first time
    False
    >>> retries.waits(leaving("Ann"), 60_000), retries.waits(leaving("Ann"), 70_000)
    (True, False)
    >>> retries.messages
    ('Ann cannot leave the table: her account cannot be read',)
    """

    def __init__(self) -> None:
        self._refused: dict[str, _Refusal] = {}

    def add(self, what: str, why: str, now: int) -> bool:
        """Note a refusal; return whether it is the first."""
        new = what not in self._refused
        self._refused[what] = _Refusal(why, now + RETRY_MS)
        return new

    def forget(self, what: str) -> None:
        self._refused.pop(what, None)

    def waits(self, what: str, now: int) -> bool:
        """Return whether it is too early for a retry."""
        return what in self._refused and now < self._refused[what].retry_at

    def times(self) -> list[int]:
        return [refusal.retry_at for refusal in self._refused.values()]

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(f"{what}: {refusal.why}" for what, refusal in self._refused.items())


def leaving(player: str) -> str:
    """Return the key of the departure of a player who is gone."""
    return f"{player} cannot leave the table"


# --- the scheduler ----------------------------------------------------------------------------------------------------

NEVER: Final = 1 << 62
PHYSICAL: Final = PhysicalSource()
BY_A_PERSON: Final[frozenset[Automation]] = frozenset({"prepare_decks", "replace_decks", "validate"})
"""The automations at a table with a human dealer: the floor's work with decks, awards and their documents.

At a physical table of the house, people do and sign for that too."""
NOTED: Final = frozenset((e.SeatTaken, e.SeatLeft, e.WagersPlaced, e.RoundOpened, e.BetsLocked, e.RoundAbandoned))
"""The events that change the state of the scheduler."""


class SchedulerState(NamedTuple):
    """The course of the round at a table: the players who are ready, the clock of the bets, and the bots."""

    ready: frozenset[int] = frozenset()
    """The seats whose players need no more time for bets."""
    ready_since: int | None = None
    bets_since: int | None = None
    autopilot: AutopilotState = AutopilotState()
    mix_by: int = 0
    """The end of the time for the players' seeds."""

    def with_ready(self, seats: Iterable[int], at: int) -> SchedulerState:
        """Note that the players of some seats need no more time for bets."""
        ready, since = self.ready.union(seats), at if self.ready_since is None else self.ready_since
        return self if ready == self.ready else self._replace(ready=ready, ready_since=since)

    def without_ready(self, seat: int) -> SchedulerState:
        return self._replace(ready=self.ready - {seat}) if seat in self.ready else self


class Scheduler:
    """Chooses the commands of one table that no person has to give, and their times.

    The caller keeps the state, so that it can plan ahead and drop the plan.
    """

    def __init__(self, settings: TableSettings, advice: BotAdvice) -> None:
        self.times = settings.times
        self._automatic = settings.dealt_by == "automatic"
        self._private = bool(settings.owner)
        self.advice = advice
        self._live = settings.live
        self.presence = Presence()
        by_people = settings.live and not settings.owner
        self._automations = ALL if self._automatic else frozenset() if by_people else BY_A_PERSON
        self._started_at = self._reconnect_by = 0
        """The time at which the server started with people at this table, and the end of their time to reconnect."""
        self.removed: set[str] = set()
        """The players whom the floor has removed from the table."""
        self.retries = Retries()
        self._skipped: dict[int, int] = {}
        """The seats that the other players went on without, each with the time of the question."""
        self.without_pauses = ""
        """The player who has turned the dealer's pauses off; they are off only while no other person sits here."""
        self._id = settings.id
        self._seeds: dict[tuple[int, int], str] = {}
        """The players' seeds that have arrived, by round and seat."""

    # --- pauses -----------------------------------------------------------------------------------------------------

    def why_not_set_pauses(self, table: TableState, player: str) -> Problem | None:
        """Return why a player may not turn the dealer's pauses on or off; None if the player may."""
        people = {seat.player for seat in seated_people(table)}
        if player not in people:
            what = "only a player with a seat changes the pauses: take a seat first"
        elif self.times.name == "regulated" or not self._automatic:
            what = "the dealer of this table sets the pauses: play at a practice table to change them"
        elif people != {player}:
            what = "other people play at this table and need the pauses"
        else:
            return None
        return Problem(code="pauses", what=what, where="pauses", value=player)

    def pause_ms(self, kinds: Iterable[type[e.Event]], table: TableState) -> int:
        """Return how long the dealer waits after events of these kinds, so that viewers see them."""
        if self.without_pauses and {seat.player for seat in seated_people(table)} <= {self.without_pauses}:
            return 0
        return self.times.pause_ms(kinds)

    # --- the state --------------------------------------------------------------------------------------------------

    def begin(self, table: TableState, now: int) -> SchedulerState:
        """Return the state of a table that was read from the store: its bots play on, and its clocks start again."""
        autopilot = AutopilotState()
        for seat in table.seats:
            if (style := bot_style(seat.player)) is not None:
                autopilot = autopilot.with_bot(seat.number, bot_of(style, self.advice), BOT_CHIPS_CENTS)
        people = autopilot.people(table)
        self.presence.begin(now, tuple(table.seat(number).player for number in people))
        if people:
            self._started_at = now
            self._reconnect_by = self._started_at + 1000 * self.times.away_seconds
        bets = any(table.seat(number).wagers for number in people)
        return SchedulerState(bets_since=now if bets else None, autopilot=autopilot, mix_by=self._reconnect_by)

    def restart_clocks(self, state: SchedulerState, now: int) -> SchedulerState:
        """Return the state after a time in which the table stood still: its clocks start again."""
        self._started_at = now
        bets, ready = (None if since is None else now for since in (state.bets_since, state.ready_since))
        return state._replace(bets_since=bets, ready_since=ready)

    def after(self, state: SchedulerState, events: Iterable[e.Event]) -> SchedulerState:
        """Return the state after some events."""
        for event in events:
            match event:
                case e.SeatTaken() if (style := bot_style(event.player)) is not None:
                    seated = state.autopilot.with_bot(event.seat, bot_of(style, self.advice), event.chips_cents)
                    state = state._replace(autopilot=seated)
                case e.SeatLeft():
                    left = state.autopilot.without_bot(event.seat)
                    state = state.without_ready(event.seat)._replace(autopilot=left)
                case e.WagersPlaced() if event.seat not in state.autopilot.bots:
                    since = event.at if state.bets_since is None else state.bets_since
                    state = state.without_ready(event.seat)._replace(bets_since=since)
                case e.BetsLocked():
                    state = SchedulerState(autopilot=state.autopilot, mix_by=event.at + 1000 * SEED_SECONDS)
                case e.RoundOpened() | e.RoundAbandoned():
                    state = SchedulerState(autopilot=state.autopilot)
        return state

    # --- the next command -------------------------------------------------------------------------------------------

    def due(
        self, table: TableState, state: SchedulerState, rng: CardSource, now: int
    ) -> tuple[Command | None, SchedulerState]:
        """Return the command that is due now and the state after it; None if a person must act, or time must pass."""
        if table.phase != "open":
            return None, state
        # An automatic dealer deals only to people: bots that bet before one sits down would wait with their wagers.
        autopilot = Autopilot(at=lambda: now, next_id=lambda: "", bots_alone=not self._automatic)
        if table.pending is not None:
            return self._ruling(table, state, autopilot), state
        if table.seeds_due:
            return self._mix(table, state, autopilot, now), state
        if (departure := self._departure(table, state, now)) is not None:
            return departure, state
        dealer = Dealer(PHYSICAL if self._live else rng, self._automations)
        try:
            command, bots = autopilot.next_command(table, state.autopilot, dealer)
        except StillComputing:
            return None, state
        if command is not None:
            return command, state if bots is state.autopilot else state._replace(autopilot=bots)
        return self._timed_out(table, state, autopilot, now) if self._automatic else None, state

    def _ruling(self, table: TableState, state: SchedulerState, autopilot: Autopilot) -> Command | None:
        """Return the ruling that the server gives. A private table has no floor, so the server rules on all.

        At other tables a void takes two people, so the server does not rule where a void is possible. It never shows a
        card early to a person either: such a round of a private table is void.
        """
        if "void" not in rulings(table):
            return autopilot.ruling(table) if self._automatic or self._private else None
        if not self._private:
            return None
        goes_on = autopilot.command(c.DecideFloor, "floor", "floor", ruling="continue")
        answer = run(table, goes_on)
        shows = isinstance(answer, Accepted) and any(isinstance(it, e.CommunityCardExposed) for it in answer.events)
        return replace(goes_on, ruling="void") if shows and state.autopilot.people(table) else goes_on

    def add_seed(self, table: TableState, seat: int, seed: str) -> bool:
        """Take the seed of a seat's player; return whether the deal waits for no other."""
        self._seeds = {key: text for key, text in self._seeds.items() if key[0] == table.round}
        self._seeds[table.round, seat] = seed
        return len(self._arrived(table)) == len(table.seeds_due)

    def _arrived(self, table: TableState) -> tuple[tuple[int, str], ...]:
        found = ((seat, self._seeds.get((table.round, seat), "")) for seat in table.seeds_due)
        return tuple((seat, seed) for seat, seed in found if seed)

    def _mix(self, table: TableState, state: SchedulerState, autopilot: Autopilot, now: int) -> Command | None:
        """Return the mix of the deck once every seed has arrived, or the time for them is over."""
        arrived = self._arrived(table)
        if len(arrived) < len(table.seeds_due) and now < state.mix_by:
            return None
        return autopilot.command(c.MixDeck, "dealer", "dealer", round_id=f"{self._id}/{table.round}", seeds=arrived)

    def _timed_out(self, table: TableState, state: SchedulerState, autopilot: Autopilot, now: int) -> Command | None:
        """Return the dealer's command once the bets or a decision have taken too long."""
        if isinstance(step_of(table), OpenBets) and self._lock_at(table, state, now) <= now:
            lock = autopilot.command(c.NoMoreBets, "dealer", "dealer")
            if not isinstance(run(table, lock), Refused):
                return lock
        for seat in awaited(table):
            if seat not in state.autopilot.bots and self._answer_by(table, state, seat) <= now:
                return self._unanswered(table, seat, autopilot)
        return None

    def _unanswered(self, table: TableState, seat: int, autopilot: Autopilot) -> Command:
        """Return the time-out of a player whose clock has run out. A player without a clock counts as gone."""
        if isinstance(step_of(table), OfferBank) or time_is_up(table, seat) is not None:
            return autopilot.command(c.TimeOut, "dealer", "dealer", seat=seat)
        return autopilot.command_for_absent(table, seat)

    def _departure(self, table: TableState, state: SchedulerState, now: int) -> Command | None:
        """Return the departure, between rounds, of a player who has been gone for long or whom the floor removed.

        A player whose account refuses the chips sits out for a while and keeps them there. The others play on.
        """
        if self._live or not (self.presence.any_gone or self.removed):
            return None
        step = step_of(table)
        if step is not None and not isinstance(step, OpenBets):
            return None
        for number in state.autopilot.people(table):
            seat = table.seat(number)
            if seat.player not in self.removed and self._waited_for(seat.player, now):
                continue
            if seat.wagers:
                return c.PlaceWagers(id="", who=seat.player, role="player", at=now, seat=number, wagers={})
            if self.retries.waits(leaving(seat.player), now):
                continue
            leave = c.LeaveSeat(id="", who=seat.player, role="player", at=now, seat=number)
            if not isinstance(run(table, leave), Refused):
                return leave
        return None

    # --- clocks -----------------------------------------------------------------------------------------------------

    def deadline(self, table: TableState, state: SchedulerState, now: int) -> int | None:
        """Return when the table continues without an answer, as its viewers see it; None if no clock runs.

        At a table with a human dealer, the dealer then continues.
        """
        if isinstance(step_of(table), OpenBets):
            at = self._lock_at(table, state, now) if self._automatic else NEVER
            return None if at in (NEVER, 0) else at
        times = [self._time_is_up(table, seat) for seat in awaited(table) if seat not in state.autopilot.bots]
        return min([at for at in times if at is not None], default=None)

    def waiting(self, table: TableState, state: SchedulerState, now: int) -> tuple[Wait, ...]:
        """Return the players for whom the table waits: in turn to decide, or not yet ready for the deal."""
        people = state.autopilot.people(table)
        if isinstance(step_of(table), OpenBets):
            if state.ready_since is None or not self._automatic:
                return ()
            since, lock_at = state.ready_since, self._lock_at(table, state, now)
            until = {seat: lock_at for seat in people if seat not in state.ready}
        else:
            since = max(table.asked_at, self._started_at)
            until = {seat: self._answer_by(table, state, seat) for seat in awaited(table) if seat in people}
        return tuple([self._wait(table, seat, since, until[seat], alone=people == (seat,)) for seat in until])

    def _wait(self, table: TableState, seat: int, since: int, until: int, *, alone: bool) -> Wait:
        fixed = self.times.name == "regulated" or not self._automatic or time_is_up(table, seat) is not None
        return Wait(
            seat=seat,
            until=None if until in (NEVER, 0) else until,
            skip_at=None if fixed or alone else since + 1000 * SKIP_SECONDS,
            gone=not self.presence.here(table.seat(seat).player),
        )

    def skip(self, table: TableState, seat: int) -> None:
        """Stop waiting for a player's answer to the present question. The player counts as gone."""
        self._skipped[seat] = table.asked_at

    def wake_at(self, table: TableState, state: SchedulerState, checked_at: int) -> int | None:
        """Return when a command may become due that was not due at `checked_at`."""
        if self._live:
            return None
        times = [self._answer_by(table, state, seat) for seat in awaited(table) if seat not in state.autopilot.bots]
        if isinstance(step_of(table), OpenBets) and self._automatic:
            times.append(self._lock_at(table, state, checked_at))
        if table.seeds_due:
            times.append(state.mix_by)
        if self.presence.any_gone:
            people = [table.seat(number).player for number in state.autopilot.people(table)]
            gone = [player for player in people if not self.presence.here(player)]
            times += [self.presence.gone_since(player) + 1000 * self.times.away_seconds for player in gone]
        times += self.retries.times()
        earliest = min([at for at in times if at > checked_at], default=NEVER)
        return None if earliest == NEVER else earliest

    def _lock_at(self, table: TableState, state: SchedulerState, now: int) -> int:
        """Return when bets are locked: once all players who have bet are ready, or when their time is over.

        A player who is cut off has time to reconnect: reloading the page does not start the deal.
        """
        people = state.autopilot.people(table)
        bettors = [seat for seat in people if table.plays(table.seat(seat))]
        if not bettors:
            return NEVER
        clock = NEVER if state.ready_since is None else state.ready_since + 1000 * self.times.idle_seconds
        if self.times.bet_seconds and state.bets_since is not None:
            clock = self._after_reconnecting(state.bets_since + 1000 * self.times.bet_seconds)
        unready = [table.seat(seat).player for seat in people if seat not in state.ready]
        if not any(self._waited_for(player, now) for player in unready):
            return 0
        here = [seat for seat in bettors if self.presence.here(table.seat(seat).player)]
        if state.ready_since is not None and state.ready.issuperset(here):
            return min(clock, state.ready_since + 1000 * self.times.late_seconds)
        return clock

    def _waited_for(self, player: str, now: int) -> bool:
        """Return whether a player is here, or has not been gone for long."""
        return self.presence.gone_for(player, now) < 1000 * self.times.away_seconds

    def _answer_by(self, table: TableState, state: SchedulerState, seat: int) -> int:
        """Return when the table continues without this player's answer."""
        player = table.seat(seat)
        if player.away or self._skipped.get(seat) == table.asked_at:
            return 0
        if (up := self._time_is_up(table, seat)) is not None:
            return up
        asked_at = max(table.asked_at, self._started_at)
        if not self.presence.here(player.player):
            gone = self.presence.gone_since(player.player) + 1000 * self.times.away_seconds
            return max(asked_at, gone)
        others_wait = in_round(table) and state.autopilot.people(table) != (seat,)
        return asked_at + 1000 * self.times.idle_seconds if others_wait else NEVER

    def _time_is_up(self, table: TableState, seat: int) -> int | None:
        """Return when a player's clock runs out; a clock that ran while the server was down starts again.

        The rules give an offer of the bank no clock, so the timing preset does. A human dealer continues at will.
        """
        offered = isinstance(step_of(table), OfferBank) and self._automatic
        up = table.asked_at + 1000 * self.times.offer_seconds if offered else time_is_up(table, seat)
        return None if up is None else self._after_reconnecting(up + max(0, self._started_at - table.asked_at))

    def _after_reconnecting(self, at: int) -> int:
        """Return a time that leaves every player the time to reconnect after a restart."""
        return max(at, self._reconnect_by)
