"""What a table of the house does by itself, and when: its dealer and bots, the clocks, and what is stuck.

Nothing here waits or stores: `due` says what is to be done now, `wake_at` when to ask again. The same table, clock
and presence give the same commands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from crossfelt.house.tables.postponed import Postponed, leaving
from crossfelt.house.tables.presence import Presence
from crossfelt.house.tables.settings import TableSettings
from crossfelt.house.tables.thinking import OPTIMAL, Thinker, Thinking, best_play
from crossfelt.rulebooks.script import OfferBank, OpenBets
from crossfelt.table import commands as c
from crossfelt.table import events as e
from crossfelt.table.acts_clock import awaited, time_is_up
from crossfelt.table.acts_floor import rulings
from crossfelt.table.acts_house import in_round
from crossfelt.table.automation import ALL, Automation, CardSource, Dealer
from crossfelt.table.bots import BOTS, Bot, bot_named
from crossfelt.table.commands import Command
from crossfelt.table.engine import Accepted, Refused, run
from crossfelt.table.state import Table, step_of
from crossfelt.table.turns import Turns, TurnsMark

BOT_CHIPS_CENTS: Final = 1_000_00
BY_A_PERSON: Final[frozenset[Automation]] = frozenset({"prepare_decks", "replace_decks", "validate"})
"""What is done without the dealer where a person deals: what the floor does with decks, awards and their documents."""
_BOT_NAME: Final = re.compile(r"(?P<style>\S+) bot (?P<seat>\d+)")


def bot_name(style: str, seat: int) -> str:
    """How a bot is called; no account has a name like this.

    >>> bot_name("always-3:25+5", 4)
    'always-3:25+5 bot 4'
    """
    return f"{style} bot {seat}"


def bot_style(player: str) -> str | None:
    """The style of a bot by its name; None for a person.

    >>> bot_style("simple bot 2"), bot_style("Ann")
    ('simple', None)
    """
    match = _BOT_NAME.fullmatch(player)
    return match["style"] if match else None


class _Mark(NamedTuple):
    """The course of a table at a moment."""

    ready: frozenset[int]
    ready_since: int | None
    bets_since: int | None
    turns: TurnsMark


class Playing:
    """The course of one table, apart from what people ask for."""

    def __init__(
        self,
        settings: TableSettings,
        source: CardSource,
        *,
        at: Callable[[], int],
        thinker: Thinker,
        presence: Presence,
    ) -> None:
        self._pace = settings.times
        self._automatic = settings.dealt_by == "automatic"
        self._own = bool(settings.owner)
        self._thinker = thinker
        self._live = settings.live
        self._presence = presence
        self._at = at
        automations = ALL if self._automatic else BY_A_PERSON
        # By itself the house deals only to people: bots that bet before one sits down would wait with their wagers.
        alone = not self._automatic
        self.turns = Turns(Dealer(source, automations), at=at, next_id=lambda: "auto", bots_alone=alone)
        self._ready: frozenset[int] = frozenset()
        self._said: frozenset[int] = frozenset()
        """Who has said so since the last mark."""
        self._ready_since: int | None = None
        self._bets_since: int | None = None
        self._begun = self._back_by = 0
        """When a table was begun at which people sat already, and until when they have time to come back to it."""
        self.postponed = Postponed()

    # --- what happened ----------------------------------------------------------------------------------------------

    def begin(self, table: Table) -> None:
        """A table that was stored: its bots sit where they sat, and clocks of its people begin anew."""
        for seat in table.seats:
            if (style := bot_style(seat.player)) is not None:
                self.turns.seat_bot(seat.number, self._bot(style), BOT_CHIPS_CENTS)
        people = tuple(table.seat(number).player for number in self.turns.people(table))
        self._presence.begin(self._at(), people)
        if people:
            self._begun = self._at()
            self._back_by = self._begun + 1000 * self._pace.away_seconds
        if any(table.seat(number).wagers for number in self.turns.people(table)):
            self._bets_since = self._at()

    def note(self, events: Iterable[e.Event]) -> None:
        """Takes note of what happened."""
        for event in events:
            match event:
                case e.SeatTaken() if (style := bot_style(event.player)) is not None:
                    self.turns.seat_bot(event.seat, self._bot(style), event.chips_cents)
                case e.SeatTaken() if not self._presence.here(event.player):
                    self._presence.begin(event.at, (event.player,))
                case e.SeatLeft():
                    self.turns.unseat_bot(event.seat)
                    self._ready -= {event.seat}
                case e.WagersPlaced() if event.seat not in self.turns.bots:
                    self._ready -= {event.seat}
                    if self._bets_since is None:
                        self._bets_since = event.at
                case e.RoundOpened() | e.BetsLocked() | e.RoundAbandoned():
                    self._ready = frozenset()
                    self._ready_since = self._bets_since = None

    def stop(self) -> None:
        """Nobody needs to know any more what is best."""
        self._thinker.close()

    def check_bot(self, style: str) -> None:
        """`BadInput` where there is no such bot."""
        self._bot(style)

    def _bot(self, style: str) -> Bot:
        return table_bots(style, self._thinker)

    def ready(self, seat: int) -> None:
        """A player says: enough is bet, or nothing will be. It holds whatever becomes of what is being planned."""
        self._said |= {seat}
        self.plan_ready(seat)

    def plan_ready(self, seat: int) -> None:
        """A player is ready with what is planned."""
        self._ready |= {seat}
        if self._ready_since is None:
            self._ready_since = self._at()

    def mark(self) -> _Mark:
        """As it is now, to come back to where what follows does not happen."""
        self._said = frozenset()
        return _Mark(self._ready, self._ready_since, self._bets_since, self.turns.mark())

    def back_to(self, mark: _Mark) -> None:
        """As it was, but for who has said meanwhile that they are ready."""
        self._ready = mark.ready | self._said
        self._ready_since = self._ready_since if mark.ready_since is None and self._said else mark.ready_since
        self._bets_since = mark.bets_since
        self.turns.back_to(mark.turns)

    @property
    def who_is_ready(self) -> tuple[int, ...]:
        return tuple(sorted(self._ready))

    # --- what is to be done -----------------------------------------------------------------------------------------

    def due(self, table: Table) -> Command | None:
        """What is to be done now without anybody asking; None where people must act, or time must pass."""
        if table.phase != "open":
            return None
        if table.pending is not None:
            return self._ruling(table)
        try:
            return next(self._candidates(table, self._at()), None)
        except Thinking:
            return None

    def _ruling(self, table: Table) -> Command | None:
        """What the house rules by itself: all that waits for the floor at a table of one's own, to which none comes.

        Elsewhere a void takes two people: where it could be one, the house does not rule. Nor does it ever show a card
        early where a person sits: such a round of one's own is void.
        """
        if "void" not in rulings(table):
            return self.turns.ruling(table) if self._automatic or self._own else None
        if not self._own:
            return None
        goes_on = self.turns.command(c.DecideFloor, "floor", "floor", ruling="continue")
        answer = run(table, goes_on)
        shows = isinstance(answer, Accepted) and any(isinstance(it, e.CommunityCardExposed) for it in answer.events)
        return replace(goes_on, ruling="void") if shows and self.turns.people(table) else goes_on

    def _candidates(self, table: Table, now: int) -> Iterator[Command]:
        if (gone := self._gone(table, now)) is not None:
            yield gone
        if (command := self.turns.next_command(table)) is not None:
            yield command
        if not self._automatic:
            return
        if isinstance(step_of(table), OpenBets) and self._lock_at(table, now) <= now:
            lock = self.turns.command(c.NoMoreBets, "dealer", "dealer")
            if not isinstance(run(table, lock), Refused):
                yield lock
        for seat in awaited(table):
            if seat not in self.turns.bots and self._answer_by(table, seat) <= now:
                yield self._unanswered(table, seat)

    def _unanswered(self, table: Table, seat: int) -> Command:
        """The clock has run out where one runs; else the player counts as one who has left."""
        if isinstance(step_of(table), OfferBank) or time_is_up(table, seat) is not None:
            return self.turns.command(c.TimeOut, "dealer", "dealer", seat=seat)
        return self.turns.without(table, seat)

    def _gone(self, table: Table, now: int) -> Command | None:
        """Between rounds a player who is gone for long takes the chips and leaves the seat. Whose account refuses that
        sits out for a while, with the chips there, and the others play on."""
        if self._live or not self._presence.somebody_is_gone:
            return None
        step = step_of(table)
        if step is not None and not isinstance(step, OpenBets):
            return None
        for number in self.turns.people(table):
            seat = table.seat(number)
            if self._waited_for(seat.player, now):
                continue
            if seat.wagers:
                return self.turns.command(c.PlaceWagers, seat.player, "player", seat=number, wagers={})
            if self.postponed.waits(leaving(seat.player), now):
                continue
            leave = self.turns.command(c.LeaveSeat, seat.player, "player", seat=number)
            if not isinstance(run(table, leave), Refused):
                return leave
        return None

    # --- clocks -----------------------------------------------------------------------------------------------------

    def deadline(self, table: Table) -> int | None:
        """When the table goes on without an answer, as everybody is told; None where no clock runs.

        Where a person deals, it is that person who then goes on.
        """
        if isinstance(step_of(table), OpenBets):
            at = self._lock_at(table, self._at()) if self._automatic else NEVER
            return None if at in (NEVER, 0) else at
        times = [self._time_is_up(table, seat) for seat in awaited(table) if seat not in self.turns.bots]
        return min([at for at in times if at is not None], default=None)

    def wake_at(self, table: Table, looked_at: int) -> int | None:
        """When something may be due that was not when it was last looked at."""
        if self._live:
            return None
        times = [self._answer_by(table, seat) for seat in awaited(table) if seat not in self.turns.bots]
        if isinstance(step_of(table), OpenBets) and self._automatic:
            times.append(self._lock_at(table, self._at()))
        if self._presence.somebody_is_gone:
            people = [table.seat(number).player for number in self.turns.people(table)]
            gone = [player for player in people if not self._presence.here(player)]
            times += [self._presence.gone_since(player) + 1000 * self._pace.away_seconds for player in gone]
        times += self.postponed.again_at()
        earliest = min([at for at in times if at > looked_at], default=NEVER)
        return None if earliest == NEVER else earliest

    def _lock_at(self, table: Table, now: int) -> int:
        """When bets are locked: once all who have bet are ready, or when their time is over.

        Who is cut off has time to come back: a page that is loaded again is not the word to deal.
        """
        people = self.turns.people(table)
        bettors = [seat for seat in people if table.plays(table.seat(seat))]
        if not bettors:
            return NEVER
        clock = NEVER
        if self._pace.bet_seconds and self._bets_since is not None:
            clock = self._at_least_back(self._bets_since + 1000 * self._pace.bet_seconds)
        unready = [table.seat(seat).player for seat in people if seat not in self._ready]
        if not any(self._waited_for(player, now) for player in unready):
            return 0
        here = [seat for seat in bettors if self._presence.here(table.seat(seat).player)]
        if self._ready_since is not None and self._ready.issuperset(here):
            return min(clock, self._ready_since + 1000 * self._pace.late_seconds)
        return clock

    def _waited_for(self, player: str, now: int) -> bool:
        """Whether a player is here, or not gone for long."""
        return self._presence.gone_for(player, now) < 1000 * self._pace.away_seconds

    def _answer_by(self, table: Table, seat: int) -> int:
        """When the table goes on without this player's answer."""
        player = table.seat(seat)
        if player.away:
            return 0
        if (up := self._time_is_up(table, seat)) is not None:
            return up
        asked_at = max(table.asked_at, self._begun)
        if not self._presence.here(player.player):
            gone = self._presence.gone_since(player.player) + 1000 * self._pace.away_seconds
            return max(asked_at, gone)
        others_wait = in_round(table) and self.turns.people(table) != (seat,)
        return asked_at + 1000 * self._pace.idle_seconds if others_wait else NEVER

    def _time_is_up(self, table: Table, seat: int) -> int | None:
        """When a player's clock has run out: one that ran while the house was down begins anew. An offer of the bank
        has none by the rules, but by the house; a person who deals goes on when they like."""
        offered = isinstance(step_of(table), OfferBank) and self._automatic
        up = table.asked_at + 1000 * self._pace.offer_seconds if offered else time_is_up(table, seat)
        return None if up is None else self._at_least_back(up + max(0, self._begun - table.asked_at))

    def _at_least_back(self, at: int) -> int:
        """Nobody's time is over before they could come back to a table that was begun again."""
        return max(at, self._back_by)


NEVER: Final = 1 << 62


def table_bots(style: str, thinker: Thinker) -> Bot:
    """A bot of the house by its name; what it draws, where it draws, is nobody's secret."""
    return bot_named(style, bytes(48), ways={**BOTS, OPTIMAL: lambda _: best_play(thinker)})
