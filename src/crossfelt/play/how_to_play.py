"""The rules in a beginner's words: the opponent, what each bet does, what pays, what folding costs.

Every sentence is composed from the compiled game, so that another multiple, push or limit changes the text with it. No
sentence depends on the name of a game: a script with a step for setting two hands, a dealer with cards, a line that the
player names, each has its own sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from crossfelt.cards.card import RANK_NAMES, Card
from crossfelt.cards.notation import parse_cards
from crossfelt.games.house_way import house_way_of
from crossfelt.games.rules import rules_of
from crossfelt.games.split_hands import set_hand
from crossfelt.money import dollars
from crossfelt.play.areas import Area, areas_of, community_places, places_of_hand
from crossfelt.play.narration import mark_words
from crossfelt.play.posted_notice import PostedSpin, posted_notice
from crossfelt.play.text import group_name, hand_title, joined_with_and, title_of
from crossfelt.progressive.wheels import meter_of, prize_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import side_of
from crossfelt.rulebooks.model import Line, PayLine, PayTable, Wager, Wheel
from crossfelt.rulebooks.render.json import describe
from crossfelt.rulebooks.render.phrases import KINDS_OF_HAND, as_words, line_title, pay_words
from crossfelt.rulebooks.script import Compare, Decide, OfferBank, Reveal, SetHands
from crossfelt.rulebooks.settings import setting_rules
from crossfelt.table.visible_hands import hands_of_own_cards

ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
CROSS: Final = (
    "the card nearest to you",
    "the card on your right",
    "the middle card",
    "the card on your left",
    "the card nearest to the dealer",
)
"""The places of a cross as the player sees them, in the order of the group."""
LINES: Final[Mapping[tuple[int, ...], str]] = {
    (1, 3): "the two outer cards of the row",
    (0, 4): "the two outer cards of the column",
    (1, 2, 3): "the three cards of the row",
    (0, 2, 4): "the three cards of the column",
    (0, 1, 3, 4): "the four outer cards of the cross",
    (0, 1, 2, 3, 4): "the five cards of the cross",
}
"""Several places of a cross, by their numbers in the order of the group."""
SAMPLE_OWN: Final = "Kh 9c Kc 5d 3s 8h Js"
SAMPLE_CROSS: Final = "9d 4s 7h Kd 2c"
"""Example cards of the pictures: a pair of kings in the row, a pair of nines in the column."""
SAMPLE_ROW: Final = "Kd 4s 7h 2c 9d Td 6s"
SAMPLE_SEVEN: Final = "As Ad Kc Qh 9s 9d 4c"
MOST_PAY_LINES: Final = 12


class GroupPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A group of community cards, in the order of its places; cards that are not lit lie face down."""

    shape: str
    cards: tuple[str, ...]
    lit: tuple[bool, ...]


class CardsPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="cards"):
    """The community cards with those of one hand lit, and the player's cards below them."""

    caption: str
    groups: tuple[GroupPicture, ...]
    own: tuple[str, ...]


class HandsPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="hands"):
    """Seven cards as two hands."""

    caption: str
    high: tuple[str, ...]
    low: tuple[str, ...]


class BetArea(msgspec.Struct, frozen=True, kw_only=True):
    """A betting area in a picture, with its stake in words."""

    id: str
    title: str
    stake: str
    required: bool
    opening: bool


class BetsPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="bets"):
    """The betting areas as they lie on the layout."""

    caption: str
    rows: tuple[tuple[BetArea, ...], ...]


class PaysPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="pays"):
    """A pay table: each hand with its pay."""

    caption: str
    lines: tuple[tuple[str, str], ...]


Picture = CardsPicture | HandsPicture | BetsPicture | PaysPicture


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the text with its pictures."""

    id: Literal["idea", "bets", "decisions", "settlement", "extras"]
    title: str
    text: tuple[str, ...]
    pictures: tuple[Picture, ...] = ()


class BetText(msgspec.Struct, frozen=True, kw_only=True):
    """The text of one bet, from its stake to its pay."""

    id: str
    title: str
    required: bool
    when: str
    text: tuple[str, ...]


class HowToPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The whole text of a game."""

    rulebook: str
    title: str
    jurisdiction: str
    sections: tuple[Section, ...]
    bets: tuple[BetText, ...]


def how_to_play(game: Game) -> HowToPlay:
    """Return the text of a game with the choices of its table.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> text = how_to_play(compile_game("nj-criss-cross"))
    >>> [bet.title for bet in text.bets][:3]
    ['Ante across', 'Ante down', 'Across bet']
    >>> print(*text.bets[2].text, sep="\\n")
    1 to 3 times your ante, or fold.
    It is paid on your across hand.
    A pair of jacks or better pays 1 to 1, and up to 500 to 1 for a royal flush.
    A pair of sixes to tens pushes: you get the bet back.
    Any lower hand loses.
    """
    sections = [_idea(game), _bets(game), _decisions(game), _settlement(game), _extras(game)]
    return HowToPlay(
        rulebook=game.book.id,
        title=game.book.title,
        jurisdiction=describe(game)["jurisdiction"],
        sections=tuple(section for section in sections if section.text),
        bets=tuple(bet_text(game, wager) for wager in game.wagers),
    )


# --- the idea -------------------------------------------------------------------------------------------------------


def idea(game: Game) -> tuple[str, ...]:
    """Return what the game is about: the hands, and who they play against."""
    own = len(game.hand_places)
    if sets_two_hands(game):
        return (
            f"You get {number(own)} cards. Make a high hand of {number(own - 2)} cards and a low hand of two.",
            "Both must beat the dealer's: high against high, low against low.",
        )
    lines = [line for line in fixed_hands(game).values() if line.id in played_lines(game)]
    titles = [hand_name(game, line) for line in lines]
    table = board_words(game)
    cards = f"You get {number(own)} cards."
    if table and titles:
        cards += f" With {table} on the table they make {_hands_words(titles)}."
    if names_a_line(game):
        return (cards, "You choose one of them. It must beat the dealer's hand.")
    if plays_dealer(game):
        return (cards, "They must beat the dealer's hand." if len(titles) > 1 else "Your hand must beat the dealer's.")
    return (cards, "There is no dealer's hand to beat: the pay table alone decides.")


def board_words(game: Game) -> str:
    """Return the community cards in words; empty where there are none."""
    shared = [area for area in areas_of(game) if area.whose == "community"]
    words = ["the cross" if area.group.shape == "cross" else _all_of(area) for area in shared]
    return joined_with_and(words) if words else ""


def _all_of(area: Area) -> str:
    count = len(area.places)
    if area.whose == "dealer":
        return f"the dealer's {number(count)} cards" if count > 1 else "the dealer's card"
    return f"the {number(count)} community cards" if count > 1 else "the community card"


def _hands_words(titles: Sequence[str]) -> str:
    if len(titles) == 1:
        return f"your {titles[0]}"
    return f"{number(len(titles))} hands at once: your {joined_with_and([*titles[:-1], f'your {titles[-1]}'])}"


def _idea(game: Game) -> Section:
    lines = [line for line in fixed_hands(game).values() if line.id in played_lines(game)]
    made = [line_text(game, line) for line in lines] if len(lines) > 1 or not _is_all(game, lines) else []
    text = [*idea(game), *made, *shared_card(game, lines)]
    pictures: list[Picture] = [_hands_picture(game)] if sets_two_hands(game) else []
    pictures += [_cards_picture(game, line) for line in lines]
    return Section(id="idea", title="The idea", text=tuple(text), pictures=tuple(pictures))


def _is_all(game: Game, lines: Sequence[Line]) -> bool:
    """Return whether a single hand is made of all cards that a player sees."""
    return all(set(line.places) >= {*game.hand_places, *community_places(game)} for line in lines)


def line_text(game: Game, line: Line) -> str:
    """Return the cards that make a hand.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> [line_text(game, line) for line in game.book.lines][::2]
    ['Across hand: your two cards and the three cards of the row.', 'Community cards: the five cards of the cross.']
    """
    return f"{_first_up(hand_title(game, line.id))}: {made_of(game, line)}."


def made_of(game: Game, line: Line) -> str:
    """Return the cards of a hand in words."""
    own = len(set(line.places).intersection(game.hand_places))
    yours = [f"your {number(own)} cards"] if own else []
    shared = [place for place in line.places if place not in game.hand_places]
    return joined_with_and([*yours, *([places_words(game, shared)] if shared else [])])


def shared_card(game: Game, lines: Sequence[Line]) -> Iterator[str]:
    """Say which community card belongs to every hand of the player."""
    own = [line for line in lines if set(line.places).intersection(game.hand_places) and len(line.places) > 3]
    if len(own) > 1:
        shared = set.intersection(*(set(line.places) for line in own)).intersection(community_places(game))
        for place in shared:
            hands = "both hands" if len(own) == 2 else "every hand"
            yield f"{_first_up(places_words(game, [place]))} belongs to {hands}."


def places_words(game: Game, places: Collection[str]) -> str:
    """Return places of the layout as a player sees them.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-double-cross")
    >>> places_words(game, ["down_far", "down_near"]), places_words(game, ["down_far", "across_right"])
    ('the two outer cards of the column', 'the card nearest to you and the card on your left')
    """
    parts = []
    for area in areas_of(game):
        found = tuple(at for at, place in enumerate(area.places) if place in places)
        if found:
            parts.append(_area_words(area, found))
    return joined_with_and(parts)


def _area_words(area: Area, found: tuple[int, ...]) -> str:
    """Return some places of an area, by their numbers."""
    if area.group.shape == "cross":
        return LINES.get(found) or joined_with_and([CROSS[at] for at in found])
    if len(found) == len(area.places):
        return _all_of(area)
    if area.whose == "dealer":
        return f"{number(len(found))} of the dealer's cards"
    labels = area.group.labels or tuple(f"{ORDINALS[at]} community" for at in range(len(area.places)))
    named = dict.fromkeys(labels[at] for at in found)
    counts = {label: sum(labels[at] == label for at in found) for label in named}
    return joined_with_and([f"the {label.lower()} card{'s' if count > 1 else ''}" for label, count in counts.items()])


# --- bets -----------------------------------------------------------------------------------------------------------


def stake_text(game: Game, wager: Wager, step: Decide | None = None) -> str:
    """Return the stakes that a table takes, at one decision or at any.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("md-criss-cross")
    >>> [stake_text(game, game.wager(wager)) for wager in ("ante_across", "across", "bonus_spin")]
    ['$5 to $500', '1 to 3 times your ante', '$5']
    """
    stake = wager.stake
    if stake.of is not None:
        base = game.base(wager)
        name = group_name(base, game) or title_of(base.id, game)
        asked = [step] if step is not None else [each for each in decisions(game) if each.wager == wager.id]
        listed = sorted({times for each in asked if each.bet is not None for times in each.bet.times}) or stake.times
        least, most = (min(listed), max(listed)) if listed else (stake.min, stake.max)
        if least == most == 1:
            return f"as much as your {name}"
        times = _or([str(each) for each in listed]) if len(listed) > 1 else f"{least} to {most}"
        return f"{times if most > least else least} times your {name}"
    if stake.cents:
        return _or([dollars(cents) for cents in stake.cents])
    if stake.by_paytable:
        return _or([dollars(wheel.stake_cents) for wheel in game.wheels if wheel.wager == wager.id])
    limits = game.limits(stake.posted or wager.id)
    if wager.unit == "credits":
        credit = game.credit_cents(wager)
        most = limits.max // credit
        return f"1 to {most} credits of {dollars(credit)}" if most > 1 else f"1 credit of {dollars(credit)}"
    return f"{dollars(limits.min)} to {dollars(limits.max)}"


def bet_text(game: Game, wager: Wager) -> BetText:
    """Return what a bet does."""
    step = _asked_at(game, wager)
    text = [*_stake_sentences(game, wager, step), *_decided_by(game, wager), *_pay_sentences(game, wager)]
    when = "Before the cards" if wager.id in game.opening_wagers else f"When {_known_words(game, step)}"
    return BetText(id=wager.id, title=wager.title, required=wager.required, when=when, text=tuple(text))


def _stake_sentences(game: Game, wager: Wager, step: Decide | None) -> Iterator[str]:
    stake = stake_text(game, wager)
    group = [other for other in game.wagers if wager.group and other.group == wager.group and other.id != wager.id]
    if group:
        yield f"{stake}, the same on {joined_with_and([title_of(other.id, game) for other in group])}."
    elif wager.id not in game.opening_wagers:
        yield f"{_first_up(stake)}{', or fold' if step is not None and step.fold else ''}."
    else:
        yield f"{stake}{'' if wager.required else ', if you like'}."


def side_bet_text(game: Game, wager: Wager) -> str:
    """Return what an optional bet does in two sentences, and in a third what else it is paid on."""
    parts = (list(_decided_by(game, wager))[:1], list(_pay_sentences(game, wager))[:1], _also_paid(game, wager))
    return " ".join(sentence for part in parts for sentence in part)


def short_bet_text(game: Game, wager: Wager) -> str:
    """Return in one sentence when an optional bet wins.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> [short_bet_text(game, game.wager(wager)) for wager in ("five_card_bonus", "bonus_spin")]
    ['5 Card Bonus wins with a pair of sixes or better.', 'Bonus Spin: a pair in your two cards spins the wheel.']
    """
    if wager.pays is not None:
        return f"{wager.title} wins with {_least(_wins(game.pays[wager.pays].table))}."
    told = next(_decided_by(game, wager), "")
    return f"{wager.title}: {told[:1].lower()}{told[1:]}"


def _decided_by(game: Game, wager: Wager) -> Iterator[str]:
    lines = hands_deciding(game, wager)
    if wager.line is not None and len(lines) > 1:
        hands = [hand_name(game, line) for line in lines]
        yield f"It is paid on the better of your {' and your '.join(hands)}."
    elif wager.line is not None and len(lines) == 1:
        (line,) = lines
        own = bool(set(line.places).intersection(game.hand_places))
        cards = made_of(game, line)
        step = _asked_at(game, wager)
        shows = step is not None and step.shows
        if not own:
            yield f"It is paid on {cards}; your own cards do not count."
        elif wager.id in game.opening_wagers and (shows or line.id not in played_lines(game)):
            yield f"It is paid on {cards}{', whatever the dealer has' if game.dealer_places else ''}."
        else:
            yield f"It is paid on your {hand_name(game, line)}."
        if shows:
            yield "Show your hand when you are asked: a hand that stays hidden loses this bet."
    elif wager.spins:
        yield from (spin_trigger(spin) for spin in posted_notice(game).spins if spin.wager == wager.id)
    elif wager in game.first_wagers or wager.stake.of is not None:
        yield from _against_dealer(game)
    elif wager.pays is not None:
        yield f"It is paid on {_paid_on(game, wager)}."


def _paid_on(game: Game, wager: Wager) -> str:
    """Return the cards that a side bet is paid on, where they include the dealer's; else the kind of hand."""
    places = set(places_of_hand(game, wager.deciding[0])) if wager.deciding else set()
    if places.isdisjoint(game.dealer_places) or sets_two_hands(game):
        hand = wager.deciding[0] if wager.deciding else ""
        return _whose_hand(hand, game.pays[wager.pays or ""].table)
    own = len(places.intersection(game.hand_places))
    yours = [f"your {number(own)} cards"] if own else []
    cards = joined_with_and([*yours, places_words(game, places)])
    best = next(hand.best for hand in game.book.hands if hand.id == side_of(wager.deciding[0])[1])
    return f"the best {number(best)} of {cards}" if best else cards


def _whose_hand(hand: str, table: PayTable) -> str:
    """Return the kind of hand that a pay table ranks, with the side whose cards make it.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> table = compile_game("nj-pai-gow").pays["progressive"].table
    >>> _whose_hand("jackpot", table), _whose_hand("dealer.jackpot", table)
    ('the best hand in your seven cards', "the best hand in the dealer's seven cards")
    """
    kind = KINDS_OF_HAND.get(table.order, as_words(table.order))
    side = side_of(hand)[0]
    whose = f"the {side}'s" if side else "your"
    before, cards, after = kind.partition("seven cards")
    return f"{f'the {before}' if before else ''}{whose} {cards}{after}" if cards else f"{whose} {kind}"


def _also_paid(game: Game, wager: Wager) -> Iterator[str]:
    """Yield what a wager is paid on beside its first hand."""
    applies = (rule for rule in wager.settle if all(game.settings.get(name) == is_ for name, is_ in rule.where.items()))
    for paid in next((rule.pays[1:] for rule in applies), ()):
        table = game.pays[paid.pay].table
        yield f"It also wins on {_whose_hand(paid.on, table)}: {_span(table.lines, named=True)}."


def _against_dealer(game: Game) -> Iterator[str]:
    if sets_two_hands(game):
        yield "It wins if both your hands beat the dealer's, and pushes if only one does."
    else:
        yield f"It wins if {'the hand you chose' if names_a_line(game) else 'your hand'} beats the dealer's."
        if "dealer_hand_push" in game.settings:
            yield _equal_hands(game)


def _pay_sentences(game: Game, wager: Wager) -> Iterator[str]:
    if wager.odds is not None:
        commission = _commission(game) if wager in game.first_wagers and sets_two_hands(game) else ""
        yield f"A win pays {wager.odds}{commission}."
    for bonus in wager.bonus:
        yield f"Beside it, whatever the dealer has: {_span(game.pays[bonus.pay].table.lines, named=True)}."
    against = not sets_two_hands(game) and bool(game.dealer_places) and wager.line is None
    if wager.pays is not None:
        told = list(pay_sentences(game.pays[wager.pays].table, against=against))
        also = list(_also_paid(game, wager))
        yield from [*told[:-1], *also, "Any other hand loses."] if also else told
    for name in wager.also_pays:
        table = game.pays[name].table
        if table.lines and table.order == "random_award":
            yield f"Drawn at random beside it: {_span(table.lines)}."
        elif table.lines:
            yield f"If another player has {_least(table.lines)}, you get {_span(table.lines)}."
    for wheel in game.wheels:
        if wheel.wager == wager.id:
            yield _wheel_span(game, wheel)


def _wheel_span(game: Game, wheel: Wheel) -> str:
    """Return the lowest and the highest prize of a wheel, and its meter.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("nj-criss-cross")
    >>> _wheel_span(game, game.wheels[0])
    'The wheel pays $25 to $2,500, or the Bonus Spin jackpot.'
    """
    prizes = [prize_of(game, wheel, index) for index in range(len(wheel.slices))]
    cents = [prize.cents for prize in prizes if not prize.meter]
    ring = "" if wheel.ring == "spin" else f"{as_words(wheel.ring)} "
    jackpot = f", or the {meter_of(game, wheel.wager).title}" if len(cents) < len(prizes) else ""
    return f"The {ring}wheel pays {dollars(min(cents))} to {dollars(max(cents))}{jackpot}."


def pay_sentences(table: PayTable, *, against: bool = False) -> Iterator[str]:
    """Yield what a pay table pays; `against` where the hand must also beat the dealer's."""
    wins = _wins(table)
    if not wins:
        return
    if against:
        whole = wins[-1].hand == "high_card"
        yield f"A win pays by your hand{',' if whole else ':'} {_span(wins, named=not whole)}."
        return
    yield f"{_first_up(_least(wins))} pays {_span(wins)}."
    for line in table.lines:
        if _pushes(line):
            yield f"{_first_up(_a(line))} pushes: you get the bet back."
    yield "Any lower hand loses."


def _wins(table: PayTable) -> list[PayLine]:
    return [line for line in table.lines if not _pushes(line)]


def _least(lines: Sequence[PayLine]) -> str:
    """Return the lowest hand of some lines of a pay table, "or better" where there are more."""
    worst = _a(lines[-1])
    return worst if len(lines) == 1 or worst.endswith(" or better") else f"{worst} or better"


def _span(lines: Sequence[PayLine], *, named: bool = False) -> str:
    """Return the lowest and the highest pay of some lines, the lowest with its hand if it is `named`."""
    low, high = f"{f'{_a(lines[-1])} pays ' if named else ''}{pay_words(lines[-1])}", pay_words(lines[0])
    return low if low == high else f"{low}, and up to {high} for {_a(lines[0])}"


def _bets(game: Game) -> Section:
    required = game.first_wagers
    optional = [wager for wager in game.opening_wagers.values() if wager not in required]
    text = [required_text(game)]
    if optional:
        names = joined_with_and([wager.title for wager in optional])
        text.append(f"{names} {'is' if len(optional) == 1 else 'are'} optional.")
    later = [wager for wager in game.wagers if wager.id not in game.opening_wagers]
    if later:
        text.append(f"{joined_with_and([wager.title for wager in later])} come{'s' if len(later) == 1 else ''} later.")
    picture = BetsPicture(caption="Your betting areas", rows=_areas(game, required, optional))
    return Section(id="bets", title="Bet before the cards", text=tuple(text), pictures=(picture,))


def required_text(game: Game) -> str:
    """Return the bet that opens the hand."""
    required = game.first_wagers
    names = joined_with_and([title_of(wager.id, game) for wager in required])
    stake = stake_text(game, required[0])
    if len(required) == 1:
        return f"Place your {names}: {stake}."
    return f"Place your {names}: {stake} each. They are equal and go down together."


def _areas(game: Game, required: Sequence[Wager], optional: Sequence[Wager]) -> tuple[tuple[BetArea, ...], ...]:
    rows = [[game.wager(wager) for wager in row if game.offers(wager)] for row in game.book.table.layout.rows]
    shown = {wager.id for row in rows for wager in row}
    rows.append([wager for wager in (*required, *optional) if wager.id not in shown])
    return tuple(tuple(_area(game, wager) for wager in row) for row in rows if row)


def _area(game: Game, wager: Wager) -> BetArea:
    opening = wager.id in game.opening_wagers
    stake = stake_text(game, wager).replace("times your ", "× ").replace(" × ", "× ")
    return BetArea(id=wager.id, title=wager.title, stake=stake, required=wager.required, opening=opening)


# --- decisions ------------------------------------------------------------------------------------------------------


def decisions(game: Game) -> tuple[Decide, ...]:
    """Return the steps at which a player decides."""
    return tuple(step for step in game.book.script if isinstance(step, Decide) and game.offers(step.wager))


def decision_text(game: Game, step: Decide) -> tuple[str, ...]:
    """Return a decision: what the player has seen, what may be bet, and what folding costs."""
    wager = game.wager(step.wager)
    lines = fixed_hands(game)
    if step.shows:
        return (f"Show your hand for the {title_of(wager.id, game)}, or keep it hidden. A hidden hand loses that bet.",)
    named = [option for option in game.options(step) if option in lines]
    if named:
        hands = " or your ".join(hand_name(game, lines[option]) for option in named)
        first = (
            f"Choose your {hands}. The choice bets {stake_text(game, wager, step)}: your {title_of(wager.id, game)}."
        )
    else:
        otherwise = OTHERWISE if step.bet is not None else {**OTHERWISE, "check": "check and leave it"}
        others = [otherwise.get(option, as_words(option)) for option in game.options(step)]
        or_else = "".join(f", or {words}" for words in others if words)
        bet = f"{stake_text(game, wager, step)}, {_on(game, wager)}" if step.bet is not None else ""
        first = f"{wager.title}: {bet}{or_else if bet else or_else.removeprefix(', or ')}."
    return (first, *fold_text(game, step))


OTHERWISE: Final[Mapping[str, str]] = {
    "bet": "",
    "fold": "",
    "check": "check and bet nothing",
    "withdraw": "take it back",
}
"""The acts at a decision beside the bet; a fold has a sentence of its own."""


def fold_text(game: Game, step: Decide) -> Iterator[str]:
    """Yield what a fold costs and what it leaves in play."""
    if step.fold is None:
        return
    lost = [wager for wager in game.fold_forfeits(step) if game.offers(wager)]
    first = {wager.id for wager in game.first_wagers}
    optional = [wager for wager in lost if wager in game.opening_wagers and wager not in first]
    certain = [wager for wager in lost if wager not in optional]
    and_if = f", and {_titles(game, optional)} if you placed it" if optional else ""
    yield f"Fold and you lose {_titles(game, certain)}{and_if}."
    kept = [wager for wager in game.fold_keeps(step) if game.offers(wager)]
    if kept:
        stays = "stays in play if you placed it" if len(kept) == 1 else "stay in play if you placed them"
        yield f"{_first_up(_titles(game, kept))} {stays}."


def _on(game: Game, wager: Wager) -> str:
    if wager.line is None:
        return "against the dealer"
    made = hands_deciding(game, wager)
    return (
        f"on your {hand_name(game, made[0])}" if len(made) == 1 else f"on the better of your {number(len(made))} hands"
    )


def _decisions(game: Game) -> Section:
    text: list[str] = []
    if sets_two_hands(game):
        text += [*joker_text(game), *setting_text(game)]
    for step in decisions(game):
        optional = not (game.wager(step.wager).stake.of or game.wager(step.wager) in game.first_wagers)
        intro = f"With the {title_of(step.wager, game)}: " if optional else f"When {_known_words(game, step)}: "
        text.append(intro + " ".join(decision_text(game, step)))
    bets = any(step.bet is not None for step in decisions(game))
    title = (
        "Set your hands" if sets_two_hands(game) else "Bet again, or fold" if bets else "Leave a bet, or take it back"
    )
    return Section(id="decisions", title=title, text=tuple(text))


def setting_text(game: Game) -> tuple[str, ...]:
    """Return how two hands are set, and what a foul is."""
    text = ["Press two cards for your low hand; the others are your high hand."]
    if game.settings.get("foul_hand_loses"):
        text.append("The high hand must rank above the low hand. The other way round is a foul, and a foul loses.")
    if game.house_way is not None:
        text.append("House way sets your cards as the dealer sets the house's.")
    return tuple(text)


def joker_text(game: Game) -> tuple[str, ...]:
    """Return what the joker does, where the deck has one."""
    use = game.settings.get("joker_is")
    return () if use is None else (f"The joker is used {setting_rules()['joker_is'].meaning(use)}.",)


def _asked_at(game: Game, wager: Wager) -> Decide | None:
    return next((step for step in decisions(game) if step.wager == wager.id), None)


def _known_words(game: Game, step: Decide | None) -> str:
    """Return what a player has seen at a decision."""
    seen: list[str] = []
    for one in game.book.script:
        if one is step:
            break
        if isinstance(one, Reveal):
            seen += one.cards
    return f"you see your cards, and {places_words(game, seen)}" if seen else "you see your cards"


# --- settlement -----------------------------------------------------------------------------------------------------


def settlement_text(game: Game) -> tuple[str, ...]:
    """Return how the bets are settled at the end."""
    if sets_two_hands(game):
        opening = game.first_wagers[0]
        copies = setting_rules()["copies_go_to"].meaning(game.settings["copies_go_to"])
        return (
            f"If both your hands win, your {title_of(opening.id, game)} pays {opening.odds}{_commission(game)}.",
            "If both lose, you lose the bet. If one wins and one loses, it is a push: you get the bet back.",
            f"Equal hands go to {copies}.",
        )
    if plays_dealer(game) and "dealer_line" not in game.settings:
        return tuple(_compared(game))
    if plays_dealer(game):
        dealer = setting_rules()["dealer_line"].meaning(game.settings["dealer_line"])
        paid = [wager for wager in game.wagers if wager.odds is not None or (wager.pays and wager.line is None)]
        wins = [f"your {title_of(wager.id, game)} pays {_win_pay(game, wager)}" for wager in paid]
        return (
            f"The dealer plays {dealer}. The dealer's hand always plays.",
            f"If yours is higher, {joined_with_and(wins)}. If it is lower, you lose both.",
            _equal_hands(game),
        )
    paid = [wager for wager in game.wagers if wager.pays and (wager.stake.of is not None or wager in game.first_wagers)]
    if not paid:
        return ()
    staked = next((wager for wager in paid if wager.stake.of is not None), paid[0])
    table = game.pays[staked.pays or ""].table
    ante = posted_pay(game, game.first_wagers[0])
    bets = [title_of(wager.id, game) for wager in paid if wager.pays == staked.pays]
    pays, *more = pay_sentences(table)
    return (*ante, f"{_first_up(joined_with_and(bets))}: {pays[0].lower()}{pays[1:]}", *more)


def _win_pay(game: Game, wager: Wager) -> str:
    """Return what a win against the dealer pays."""
    if wager.odds is not None or wager.pays is None:
        return str(wager.odds)
    return f"by your hand, {_span(_wins(game.pays[wager.pays].table))}"


def _compared(game: Game) -> Iterator[str]:
    """Yield what follows from each comparison with the dealer's hand, and from a dealer who does not qualify."""
    rules = [(wager, rule) for wager in game.wagers for rule in wager.settle]
    for mark in dict.fromkeys(mark for _, rule in rules for mark in rule.unless.values()):
        results = [
            _result(game, wager, rule.odds) for wager, rule in rules if mark in rule.unless.values() and rule.odds
        ]
        yield f"The dealer {mark_words(mark, has=True)} with {_marked(game, mark)}."
        yield f"If the dealer {mark_words(mark, has=False)}, {joined_with_and(results)}."
    compared = [(wager, rule) for wager, rule in rules if rule.versus]
    if compared:
        wins = joined_with_and([_result(game, wager, rule.win or "1 to 1") for wager, rule in compared])
        yield f"If your hand is higher, {wins}. If it is lower, you lose {'it' if len(compared) == 1 else 'them'}."
        yield _equal_hands(game)


def _equal_hands(game: Game) -> str:
    """Return what equal hands of the player and the dealer do."""
    ties = {str(rule.tie or "push") for wager in game.wagers for rule in wager.settle if rule.versus}
    if ties == {"push"}:
        return "Equal hands: a push, which gives the bet back."
    return f"Equal hands {_or([tie if tie in ('push', 'lose') else f'pay {tie}' for tie in sorted(ties)])}."


def _marked(game: Game, name: str) -> str:
    """Return the hands that have a mark."""
    mark = next(hand.marks[name] for hand in game.book.hands if name in hand.marks)
    asked = mark.at_least or mark.is_
    assert asked is not None
    if asked.hand == "high_card" and asked.lowest:
        ranks = "-".join(RANK_NAMES[rank] for rank in asked.lowest)
        hand = ranks if len(asked.lowest) > 1 else f"{ranks}-high"
    else:
        hand = _a(PayLine(hand=asked.hand, low=asked.low, high=asked.high))
    return hand if mark.at_least is None or hand.endswith(" or better") else f"{hand} or better"


def _result(game: Game, wager: Wager, result: object) -> str:
    name = f"your {title_of(wager.id, game)}"
    if str(result) == "push":
        return f"{name} pushes"
    return f"{name} pays {'by the pay table' if isinstance(result, msgspec.Struct) else result}"


def posted_pay(game: Game, wager: Wager) -> Iterator[str]:
    """Yield the pay of the first bets, where they pay one price for every winning hand."""
    if wager.pays is None:
        return
    wins = _wins(game.pays[wager.pays].table)
    if len({pay_words(line) for line in wins}) == 1:
        name = _first_up(group_name(wager, game) or wager.title)
        yield f"{name}s pay {pay_words(wins[0])}, whatever the winning hand."


def _settlement(game: Game) -> Section:
    main = game.first_wagers[0]
    later = [game.pays[wager.pays].table for wager in game.wagers if wager.stake.of is not None and wager.pays]
    if not sets_two_hands(game):
        later += [game.pays[wager.pays].table for wager in game.wagers if wager.pays]
    both = (
        ("Both your hands win", f"{main.odds}{_commission(game)}"),
        ("One wins, one loses", "push"),
        ("Both lose", "lost"),
    )
    picture = _pays_picture(later[0]) if later else PaysPicture(caption=main.title, lines=both)
    shown = (picture,) if later or sets_two_hands(game) else ()
    return Section(id="settlement", title="What pays", text=settlement_text(game), pictures=shown)


def _commission(game: Game) -> str:
    per_mille = game.settings.get("commission_per_mille")
    if not per_mille or game.settings.get("ez_variation"):
        return ""
    return f", less {game.number('commission_per_mille') / 10:g} % commission"


# --- extras ---------------------------------------------------------------------------------------------------------


def bank_text(game: Game) -> tuple[str, ...]:
    """Return what the bank is, where players may hold it."""
    offered = any(isinstance(step, OfferBank) for step in game.book.script) and game.choices.get("bank.offered")
    if not offered:
        return ()
    return (
        "The bank is the side that everybody plays against. The house holds it unless a player takes it.",
        "With the bank you pay the winners from your own chips and keep the lost bets. You may always decline.",
    )


def _extras(game: Game) -> Section:
    spins = [f"{spin.title}: {spin_trigger(spin)}" for spin in posted_notice(game).spins]
    return Section(id="extras", title="Good to know", text=(*spins, *bank_text(game), *surrender_text(game)))


def spin_trigger(spin: PostedSpin) -> str:
    """Return what spins a wheel, to the player."""
    return spin.trigger.replace("the player's", "your")


def surrender_text(game: Game) -> tuple[str, ...]:
    """Return what a surrender costs."""
    if not sets_two_hands(game) or "surrender_refund_per_mille" not in game.settings:
        return ()
    returned = game.number("surrender_refund_per_mille") / 10
    main = title_of(game.first_wagers[0].id, game)
    back = f"returns {returned:g} % of" if returned else "returns nothing of"
    return (f"Surrender ends your hand early and {back} your {main}.",)


# --- pictures -------------------------------------------------------------------------------------------------------


def _cards_picture(game: Game, line: Line) -> CardsPicture:
    """Show the cards of a hand: its community cards lit, the others face down, the player's own below."""
    cards = dict(zip(game.hand_places, SAMPLE_OWN.split(), strict=False))
    groups = []
    for area in areas_of(game):
        if area.whose == "community":
            sample = (SAMPLE_CROSS if area.group.shape == "cross" else SAMPLE_ROW).split()[: len(area.places)]
            cards |= dict(zip(area.places, sample, strict=False))
            lit = tuple(place in line.places for place in area.places)
            groups.append(GroupPicture(shape=area.group.shape, cards=tuple(sample), lit=lit))
    rank = rules_of(game).hand(line.id, {place: Card(card) for place, card in cards.items()})
    pays = game.pays_on_line.get(line.id)
    found = None if pays is None else pays.line_for(rank)
    result = "" if pays is None else f": {'no pay' if found is None else _result_words(found)}"
    return CardsPicture(
        caption=f"{_first_up(hand_title(game, line.id))}, here {rank.name}{result}",
        groups=tuple(groups),
        own=tuple(cards[place] for place in line.places if place in game.hand_places),
    )


def _result_words(line: PayLine) -> str:
    return "a push" if _pushes(line) else f"pays {pay_words(line)}"


def _hands_picture(game: Game) -> HandsPicture:
    seven = parse_cards(SAMPLE_SEVEN)
    made = house_way_of(game).set(seven)
    hands = set_hand(seven, made.low)
    return HandsPicture(
        caption=f"High hand: {hands.high.name}. Low hand: {hands.low.name}.",
        high=tuple(card.text for card in made.high),
        low=tuple(card.text for card in made.low),
    )


def _pays_picture(table: PayTable) -> PaysPicture:
    lines = tuple((_first_up(line_title(line)), pay_words(line)) for line in table.lines[:MOST_PAY_LINES])
    return PaysPicture(caption=table.title, lines=lines)


# --- what a game is -------------------------------------------------------------------------------------------------


def sets_two_hands(game: Game) -> bool:
    """Return whether players set two hands of their cards."""
    return any(isinstance(step, SetHands | Compare) for step in game.book.script)


def plays_dealer(game: Game) -> bool:
    """Return whether a wager compares a hand with the dealer's."""
    return any(rule.versus for wager in game.wagers for rule in wager.settle)


def fixed_hands(game: Game) -> Mapping[str, Line]:
    """Return the hands with fixed places, by id: of the player's own cards, of community cards, or of both."""
    lines = (*game.book.lines, *hands_of_own_cards(game))
    return {line.id: line for line in lines}


def hands_deciding(game: Game, wager: Wager) -> tuple[Line, ...]:
    """Return the hands with fixed places by which a wager is settled."""
    parts = {hand.id: hand.parts or (hand.id,) for hand in game.book.hands}
    lines = fixed_hands(game)
    named = dict.fromkeys(part for rule in wager.settle for name in rule.deciding for part in parts.get(name, ()))
    return tuple(lines[name] for name in named if name in lines)


def names_a_line(game: Game) -> bool:
    """Return whether a player chooses one hand of several."""
    return any(fixed_hands(game).keys() & set(game.options(step)) for step in decisions(game))


def played_lines(game: Game) -> frozenset[str]:
    """Return the hands that decide the main wagers, without those of side bets."""
    named = {option for step in decisions(game) for option in game.options(step)}
    main = [wager for wager in game.wagers if wager in game.first_wagers or wager.stake.of is not None]
    used = {line.id for wager in main for line in hands_deciding(game, wager)}
    return frozenset(line for line in fixed_hands(game) if line in used | named)


def hand_name(game: Game, line: Line) -> str:
    """Return the name of a hand inside a sentence; a player's only hand needs none."""
    if played_lines(game) == {line.id} and "hand" not in line.title.lower():
        return "hand"
    return hand_title(game, line.id)


# --- words ----------------------------------------------------------------------------------------------------------


def number(count: int) -> str:
    """
    >>> number(7), number(12)
    ('seven', '12')
    """
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _pushes(line: PayLine) -> bool:
    return line.odds is not None and line.odds.is_push


def _a(line: PayLine) -> str:
    title = line_title(line).removeprefix("one ")
    bare = title.startswith(("four ", "three ", "five ", "two pair")) or title.endswith(("aces", " high"))
    return title if bare else f"{'an' if title[0] in 'aeiou' else 'a'} {title}"


def _or(parts: Sequence[Any]) -> str:
    return " or ".join(map(str, parts))


def _titles(game: Game, wagers: Sequence[str]) -> str:
    """List wagers by title; a whole group of equal wagers by its name."""
    named: dict[str, None] = {}
    for wager in wagers:
        group = group_name(game.wager(wager), game)
        whole = group and {other.id for other in game.wagers if other.group == group} <= set(wagers)
        named[f"your {group}s" if whole else f"your {title_of(wager, game)}"] = None
    return joined_with_and(list(named))


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]
