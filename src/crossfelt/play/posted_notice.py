"""The notice posted at a table: every payout, every wheel and the payout limit, made from the game.

Every surface prints this notice: the felt and the panels in the browser, the rules pages, `crossfelt play`,
`rulebook show` and the reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Literal

import msgspec

from crossfelt._util.shared_fields import shared_fields
from crossfelt.games.progressive_wager import award_rate, drawn_awards, rate_path
from crossfelt.money import dollars
from crossfelt.play.text import capital, joined_with_and, title_of
from crossfelt.progressive.wheels import community_cents, meter_of, prize_of, stakes
from crossfelt.rulebooks.citations import Cited
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import PayoutLimit, PayTable, Wager, Wheel
from crossfelt.rulebooks.render.json import describe, in_use
from crossfelt.rulebooks.render.phrases import as_words, line_title, pay_words, wagers_in_words
from crossfelt.rulebooks.render.settle_words import marked_hands, titles_of
from crossfelt.rulebooks.rulebook_law import own_rules
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.text_layout import columns, paragraph

Place = Literal["layout", "sign"]
ILLUSTRATIVE = "illustrative"
WEIGHTS = "The chances are illustrative. No document prints them."


class PostedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A pay table, the odds of a wager or the frequency of an award, in one line of print."""

    id: str
    title: str
    text: str
    """Every payout; neighbouring hands with the same pay are printed together."""
    illustrative: bool = False
    house_rule: str = ""
    """The origin of figures that the document does not print."""

    @property
    def mark(self) -> str:
        """The mark of figures that no document prints; empty for printed ones."""
        marks = [ILLUSTRATIVE] if self.illustrative else []
        marks += [f"house rule, {self.house_rule}"] if self.house_rule else []
        return ", ".join(marks)

    def __str__(self) -> str:
        return f"{self.title}: {self.text}{f' ({self.mark})' if self.mark else ''}"


class PostedSlice(msgspec.Struct, frozen=True, kw_only=True):
    """One stop of a wheel."""

    place: int
    """The printed position, or the index where the document prints none."""
    index: int
    """The place of the slice in the rulebook and in a submission's weights."""
    text: str
    """The prize and the community pay: who gets which amount."""
    weight: int


class PostedWheel(msgspec.Struct, frozen=True, kw_only=True):
    """A wheel with its stops in the order of the printed positions."""

    name: str
    title: str
    slices: tuple[PostedSlice, ...]
    mark: str
    clauses: tuple[str, ...]


class PostedSpin(msgspec.Struct, frozen=True, kw_only=True):
    """The wheels of one wager, and the event that spins them."""

    wager: str
    title: str
    trigger: str
    wheels: tuple[PostedWheel, ...]


class PostedLimit(msgspec.Struct, frozen=True, kw_only=True):
    """A payout limit in force."""

    amount: str
    title: str
    says: str
    """The limit, the wagers that it covers, and the way a payment is cut."""
    on: Place
    clauses: tuple[str, ...]
    readings: tuple[str, ...]
    house_rule: str


class PostedNotice(msgspec.Struct, frozen=True, kw_only=True):
    odds_on: Place
    pays: tuple[PostedLine, ...]
    odds: tuple[PostedLine, ...]
    """Wagers at fixed odds."""
    spins: tuple[PostedSpin, ...]
    awards: tuple[PostedLine, ...]
    """The frequency of each random award."""
    limits: tuple[PostedLimit, ...]


def posted_notice(game: Game) -> PostedNotice:
    """Return the notice of a table.

    >>> notice = posted_notice(compile_game("nj-criss-cross"))
    >>> notice.pays[0].text
    'royal flush to pair of jacks or better 1 to 1; pair of sixes to tens push'
    >>> notice.spins[0].trigger
    "A pair in the player's two cards spins the wheel."
    >>> notice.spins[0].wheels[0].slices[3].text
    'the spinner keeps $500; each other Bonus Spin bettor gets $100'
    >>> notice.limits[0].title
    'Payout limit $50,000'
    """
    tables = [pays for pays in game.pays.values() if in_use(game, pays)]
    spun = dict.fromkeys(wheel.wager for wheel in game.wheels)
    return PostedNotice(
        odds_on="layout" if game.choices.get("layout.odds_on") == "layout" else "sign",
        pays=tuple(_pays(game, table) for table in tables),
        odds=tuple(_fixed_odds(game, wager) for wager in game.wagers if wager.odds is not None),
        spins=tuple(_spin(game, wager) for wager in spun),
        awards=tuple(_awards(game)),
        limits=tuple(_limits(game)),
    )


def game_for_screen(game: Game) -> dict[str, Any]:
    """Return the data of a game for a page, with its notice."""
    return {**describe(game), "posted": msgspec.to_builtins(posted_notice(game))}


# --- pay tables -------------------------------------------------------------------------------------------------------


def _pays(game: Game, table: PayTable) -> PostedLine:
    parts = []
    for pays, same in groupby(table.lines, key=pay_words):
        hands = [line_title(line) for line in same]
        between = " and " if len(hands) == 2 else " to "
        parts.append(f"{between.join(dict.fromkeys((hands[0], hands[-1])))} {pays}")
    return PostedLine(
        id=table.id,
        title=table.title,
        text="; ".join(parts),
        illustrative=table.illustrative,
        house_rule=stated_rule(game, table),
    )


def stated_rule(game: Game, datum: Cited) -> str:
    """Return the house rule of a datum; that of the rulebook's own document goes without saying."""
    return "" if datum.house_rule == own_rules(game.book) else datum.house_rule


def _fixed_odds(game: Game, wager: Wager) -> PostedLine:
    """Return the odds of a wager between two hands, with its commission or the rule that replaces it."""
    text = f"a win pays {wager.odds_words}"
    if wager.id == game.banked_wager and game.settings.get("commission_per_mille"):
        if game.settings["ez_variation"]:
            text += f", {setting_rules()['ez_variation'].values['yes']}"
        else:
            text += f", less {game.number('commission_per_mille') / 10:g} % commission"
    return PostedLine(id=wager.id, title=wager.title, text=text, house_rule=stated_rule(game, wager))


def _awards(game: Game) -> Iterator[PostedLine]:
    """Yield the frequency of each random award, which the operator chooses."""
    for award in sorted(drawn_awards(game)):
        yield PostedLine(
            id=award,
            title=as_words(award).capitalize(),
            text=f"awarded in {award_rate(game, award):,} of a million rounds",
            illustrative=rate_path(game, award) in game.illustrative,
        )


# --- wheels -----------------------------------------------------------------------------------------------------------


def _spin(game: Game, wager_id: str) -> PostedSpin:
    wheels = [wheel for wheel in game.wheels if wheel.wager == wager_id]
    rings = {wheel.ring for wheel in wheels}
    return PostedSpin(
        wager=wager_id,
        title=game.wager(wager_id).title,
        trigger=trigger_words(game, wager_id) if "spin" in rings else _event_trigger(game, wager_id),
        wheels=tuple(_wheel(game, wheel) for wheel in wheels),
    )


def trigger_words(game: Game, wager_id: str) -> str:
    """Say which hand of a player spins the wheel of a wager."""
    if "spin_trigger" not in game.settings:
        hands = {hand.id: hand for hand in game.book.hands}
        titles = titles_of(game.book.hands)
        marks = [
            f"{titles[name].removeprefix('your ')} with {marked_hands(hands[name].marks[mark])}"
            for name, mark in game.wager(wager_id).rule.when.items()
        ]
        return f"{(' and '.join(marks) or 'every hand').capitalize()} spins the wheel."
    trigger = setting_rules()["spin_trigger"].meaning(game.settings["spin_trigger"])
    return f"{capital(trigger)} spins the wheel."


def _event_trigger(game: Game, wager_id: str) -> str:
    path = f"wagers.{wager_id}.qualifying_hand"
    mark = f" ({ILLUSTRATIVE})" if path in game.illustrative else ""
    among = setting_rules()["xtreme_hot_spot_among"].meaning(game.settings["xtreme_hot_spot_among"])
    hand = as_words(str(game.choices[path])).capitalize()
    also = "as well" if game.settings["hot_spot_also_community"] else "instead"
    return (
        f"{hand} or better in the five community cards spins both wheels{mark}. "
        f"Each {game.wager(wager_id).title} bettor gets the amount on the community wheel. "
        f"The hot spot gets the amount on the hot spot wheel {also}. It falls on {among}."
    )


def _wheel(game: Game, wheel: Wheel) -> PostedWheel:
    weights = game.weights(wheel)
    ring = "" if wheel.ring == "spin" else f", {as_words(wheel.ring)} wheel"
    slices = [
        PostedSlice(place=place, index=index, text=_slice_text(game, wheel, index), weight=weights[index])
        for index, place in enumerate(wheel.places)
    ]
    return PostedWheel(
        name=wheel.name,
        title=f"{game.wager(wheel.wager).title}{ring}, table {wheel.letter}, {dollars(wheel.stake_cents)} stake",
        slices=tuple(sorted(slices, key=lambda each: each.place)),
        mark=WEIGHTS if wheel.weights_path in game.illustrative else "",
        clauses=wheel.clauses,
    )


def _slice_text(game: Game, wheel: Wheel, index: int) -> str:
    prize = prize_of(game, wheel, index)
    pays = f"the {meter_of(game, wheel.wager).title}" if prize.meter else dollars(prize.cents)
    order = wheel.slices[index].community
    return f"the spinner keeps {pays}; {other_bettors_get(game, wheel.wager, order)}" if order else pays


def other_bettors_get(game: Game, wager_id: str, order: int) -> str:
    """Return the pay of the other bettors from a community slice, by the stake of each.

    >>> other_bettors_get(compile_game("nj-criss-cross"), "bonus_spin", 2)
    'each other Bonus Spin bettor gets $50'
    """
    by_stake = {stake: dollars(community_cents(game, wager_id, stake, order)) for stake in stakes(game, wager_id)}
    if len(set(by_stake.values())) == 1:
        amounts = next(iter(by_stake.values()))
    else:
        amounts = joined_with_and([f"{cents} for {dollars(stake)}" for stake, cents in by_stake.items()])
    return f"each other {title_of(wager_id, game)} bettor gets {amounts}"


# --- the payout limit -------------------------------------------------------------------------------------------------


def _limits(game: Game) -> Iterator[PostedLimit]:
    for limit in game.book.payout_limits:
        cents = game.limit_cents(limit)
        if cents is not None:
            yield PostedLimit(
                **shared_fields(limit, PostedLimit),
                amount=dollars(cents),
                title=f"Payout limit {dollars(cents)}",
                says=_limit_says(game, limit, cents),
                on="layout" if game.choices.get("payout_limit.on_layout") else "sign",
            )


def _limit_says(game: Game, limit: PayoutLimit, cents: int) -> str:
    titles = {wager.id: wager.title for wager in game.book.wagers}
    covered = [wager for wager in game.covered_by(limit) if game.offers(wager)]
    outside = [wager for wager in limit.outside if game.offers(wager) and wager not in covered]
    says = f"One player's {limit.counts} in one whole {limit.scope} are limited to {dollars(cents)}. "
    says += f"The limit covers {wagers_in_words(covered, titles)}. "
    if outside:
        says += f"It does not cover {wagers_in_words(outside, titles)}. "
    meters = [meter.title for meter in game.book.meters if set(meter.fed_by) & set(covered)]
    if meters and not game.settings.get("limit_covers_progressive"):
        says += f"The {joined_with_and(meters)} is paid in full. "
    return f"{says}Above the limit, the wager paid last is cut first."


# --- text -------------------------------------------------------------------------------------------------------------


def notice_lines(notice: PostedNotice) -> Iterator[str]:
    """Yield the whole notice as text."""
    for posted in (*notice.pays, *notice.odds):
        yield from paragraph(str(posted), 2, hanging=2)
    yield from (f"  {line}".rstrip() for line in spin_lines(notice))
    for text in (*map(str, notice.awards), *limit_texts(notice)):
        yield from paragraph(text, 2, hanging=2)


def spin_lines(notice: PostedNotice) -> Iterator[str]:
    """Yield the triggers and the wheels."""
    for spin in notice.spins:
        yield from paragraph(f"{spin.title}: {spin.trigger}", hanging=2)
        for wheel in spin.wheels:
            whole = sum(each.weight for each in wheel.slices)
            rows = [("stop", f"of {whole:,}", "pays")]
            rows += [(str(each.place), f"{each.weight:,}", each.text) for each in wheel.slices]
            yield wheel.title
            yield from columns(rows, right=[0, 1])
            yield from ([wheel.mark] if wheel.mark else [])


def limit_texts(notice: PostedNotice) -> Iterator[str]:
    """Yield each payout limit with its place and its citations."""
    for limit in notice.limits:
        place = "printed on the layout" if limit.on == "layout" else "posted at the table"
        cited = ", ".join((*limit.clauses, *limit.readings, *(["house rule"] if limit.house_rule else [])))
        yield f"{limit.title}, {place}. {limit.says}  [{cited}]"
