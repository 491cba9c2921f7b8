"""The rules in a beginner's words: the opponent, what each bet does, what pays, what folding costs.

Every sentence is composed from the compiled game, so that another multiple, push or limit changes the text with it. No
sentence depends on the name of a game: a script with a step for setting two hands, a dealer with cards, a line that the
player names, each has its own sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

from crossfelt.cards.card import Card
from crossfelt.cards.notation import parse_cards
from crossfelt.games.house_way import house_way_of
from crossfelt.games.split_hands import set_hand
from crossfelt.hands.kinds import KINDS
from crossfelt.money import dollars
from crossfelt.play.posted_notice import PostedSpin, posted_notice
from crossfelt.play.text import joined_with_and, title_of
from crossfelt.progressive.wheels import meter_of, prize_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.model import Line, PayLine, PayTable, Wager, Wheel
from crossfelt.rulebooks.render.json import describe
from crossfelt.rulebooks.render.phrases import KINDS_OF_HAND, as_words, line_title, pay_words
from crossfelt.rulebooks.script import Compare, Decide, OfferBank, Reveal, SetHands
from crossfelt.rulebooks.settings import setting_rules

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
PLACES: Final[Mapping[str, str]] = {
    "across_right": "the card on your left",
    "across_left": "the card on your right",
    "down_far": "the card nearest to you",
    "down_near": "the card nearest to the dealer",
    "middle": "the middle card",
}
"""The places of the cross as the player sees them; the rulebook names them from the dealer's side."""
GROUPS: Final[Mapping[frozenset[str], str]] = {
    frozenset({"across_left", "across_right"}): "the two outer cards of the row",
    frozenset({"down_far", "down_near"}): "the two outer cards of the column",
    frozenset({"across_left", "middle", "across_right"}): "the three cards of the row",
    frozenset({"down_far", "middle", "down_near"}): "the three cards of the column",
    frozenset(PLACES) - {"middle"}: "the four outer cards of the cross",
    frozenset(PLACES): "the five cards of the cross",
}
SAMPLE: Final[Mapping[str, str]] = {
    "hole_1": "Kh", "hole_2": "9c", "across_left": "4s", "middle": "7h", "across_right": "Kd", "down_far": "9d",
    "down_near": "2c",
}  # fmt: skip
"""Example cards of the pictures: a pair of kings in the row, a pair of nines in the column."""
SAMPLE_SEVEN: Final = "As Ad Kc Qh 9s 9d 4c"
MOST_PAY_LINES: Final = 12


class CrossPicture(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="cross"):
    """A cross with the cards of one line lit, and the player's cards below it."""

    caption: str
    lit: tuple[str, ...]
    cards: dict[str, str]
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


Picture = CrossPicture | HandsPicture | BetsPicture | PaysPicture


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
            "Both must beat the dealer's two hands.",
        )
    titles = [hand_name(line) for line in game.lines_of_players if line.id in played_lines(game)]
    hands = f"You get {number(own)} cards. With the cross on the table they make {_hands_words(titles)}."
    if names_a_line(game):
        return (hands, "You choose one of them. It must beat the dealer's hand.")
    if game.dealer_places:
        return (hands, "It must beat the dealer's hand." if len(titles) == 1 else "They must beat the dealer's hand.")
    return (hands, "There is no dealer's hand to beat: the pay table alone decides.")


def _hands_words(titles: Sequence[str]) -> str:
    if len(titles) == 1:
        return f"your {titles[0]}"
    return f"{number(len(titles))} hands at once: your {joined_with_and([*titles[:-1], f'your {titles[-1]}'])}"


def _idea(game: Game) -> Section:
    lines = [line for line in game.book.lines if line.id in played_lines(game)]
    text = [*idea(game), *(line_text(line) for line in lines), *shared_card(lines)]
    pictures: list[Picture] = [_hands_picture(game)] if sets_two_hands(game) else []
    pictures += [_cross_picture(game, line) for line in lines if set(line.places) <= set(SAMPLE)]
    return Section(id="idea", title="The idea", text=tuple(text), pictures=tuple(pictures))


def line_text(line: Line) -> str:
    """Return the cards that make a hand.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> [line_text(line) for line in compile_game("nj-criss-cross").book.lines][::2]
    ['Across hand: your two cards and the three cards of the row.', 'Community cards: the five cards of the cross.']
    """
    own = sum(place.startswith("hole_") for place in line.places)
    shared = [place for place in line.places if not place.startswith("hole_")]
    yours = [f"your {number(own)} cards"] if own else []
    return f"{line.title}: {joined_with_and([*yours, places_words(shared)])}."


def shared_card(lines: Sequence[Line]) -> Iterator[str]:
    """Say which card of the cross belongs to every hand of the player."""
    own = [line for line in lines if any(place.startswith("hole_") for place in line.places) and len(line.places) > 3]
    if len(own) > 1:
        shared = set.intersection(*(set(line.places) for line in own)) & set(PLACES)
        for place in shared:
            hands = "both hands" if len(own) == 2 else "every hand"
            yield f"{PLACES[place].capitalize()} belongs to {hands}."


def places_words(places: Collection[str]) -> str:
    """Return places of the cross as a player sees them.

    >>> places_words(["down_far", "down_near"]), places_words(["down_far", "across_right"])
    ('the two outer cards of the column', 'the card nearest to you and the card on your left')
    """
    named = GROUPS.get(frozenset(places))
    if named:
        return named
    return joined_with_and([PLACES.get(place, place.replace("_", " ")) for place in places])


# --- bets -----------------------------------------------------------------------------------------------------------


def stake_text(game: Game, wager: Wager) -> str:
    """Return the stakes that a table takes.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> game = compile_game("md-criss-cross")
    >>> [stake_text(game, game.wager(wager)) for wager in ("ante_across", "across", "bonus_spin")]
    ['$5 to $500', '1 to 3 times your ante', '$5']
    """
    stake = wager.stake
    if stake.of is not None:
        times = f"{stake.min} to {stake.max}" if stake.max > stake.min else f"{stake.min}"
        base = game.base(wager)
        return f"{times} times your {base.group or title_of(base.id, game)}"
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
        yield f"{stake}{', or fold' if step is not None and step.fold else ''}."
    else:
        yield f"{stake}{'' if wager.required else ', if you like'}."


def side_bet_text(game: Game, wager: Wager) -> str:
    """Return what an optional bet does in two sentences."""
    return " ".join([*list(_decided_by(game, wager))[:1], *list(_pay_sentences(game, wager))[:1]])


def _decided_by(game: Game, wager: Wager) -> Iterator[str]:
    lines = {line.id: line for line in game.book.lines}
    if wager.line is not None and len(game.lines_of(wager)) > 1:
        hands = [hand_name(lines[line]) for line in game.lines_of(wager)]
        yield f"It is paid on the better of your {' and your '.join(hands)}."
    elif (only := game.line_of(wager)) is not None:
        line = lines[only]
        own = any(place.startswith("hole_") for place in line.places)
        made_of = line_text(line).split(": ", 1)[1].rstrip(".")
        step = _asked_at(game, wager)
        shows = step is not None and step.shows
        if not own:
            yield f"It is paid on {made_of}; your own cards do not count."
        elif wager.id in game.opening_wagers and (shows or line.id not in played_lines(game)):
            yield f"It is paid on {made_of}, whatever the dealer has."
        else:
            yield f"It is paid on your {hand_name(line)}."
        if shows:
            yield "Show your hand when you are asked: a hand that stays hidden loses this bet."
    elif wager.spins:
        yield from (spin_trigger(spin) for spin in posted_notice(game).spins if spin.wager == wager.id)
    elif wager.required or wager.stake.of is not None:
        yield from _against_dealer(game)
    elif wager.pays is not None:
        yield f"It is paid on the {KINDS_OF_HAND[game.pays[wager.pays].table.order]}."


def _against_dealer(game: Game) -> Iterator[str]:
    if sets_two_hands(game):
        yield "It wins if both your hands beat the dealer's, and pushes if only one does."
    else:
        yield f"It wins if {'the hand you chose' if names_a_line(game) else 'your hand'} beats the dealer's."
        if "dealer_hand_push" in game.settings:
            yield f"Equal hands: {setting_rules()['dealer_hand_push'].meaning(game.settings['dealer_hand_push'])}."


def _pay_sentences(game: Game, wager: Wager) -> Iterator[str]:
    if wager.odds is not None:
        commission = _commission(game) if wager.required and sets_two_hands(game) else ""
        yield f"A win pays {wager.odds}{commission}."
    against = not sets_two_hands(game) and bool(game.dealer_places) and wager.line is None
    if wager.pays is not None:
        yield from pay_sentences(game.pays[wager.pays].table, against=against)
    for name in wager.also_pays:
        lines = game.pays[name].table.lines
        if lines:
            yield f"{game.pays[name].table.title}: {_span(lines)}."
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
    wins = [line for line in table.lines if not _pushes(line)]
    if not wins:
        return
    worst = wins[-1]
    if against:
        yield f"A win pays by your hand, {_span(wins)}."
        return
    least = _a(worst) if len(wins) == 1 or worst.high == "A" else f"{_a(worst)} or better"
    yield f"{_first_up(least)} pays {_span(wins)}."
    for line in table.lines:
        if _pushes(line):
            yield f"{_first_up(_a(line))} pushes: you get the bet back."
    yield "Any lower hand loses."


def _span(lines: Sequence[PayLine]) -> str:
    """Return the lowest and the highest pay of some lines."""
    low, high = pay_words(lines[-1]), pay_words(lines[0])
    return low if low == high else f"{low}, and up to {high} for {_a(lines[0])}"


def _bets(game: Game) -> Section:
    required = [wager for wager in game.opening_wagers.values() if wager.required]
    optional = [wager for wager in game.opening_wagers.values() if not wager.required]
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
    required = [wager for wager in game.opening_wagers.values() if wager.required]
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
    lines = {line.id: line for line in game.book.lines}
    if step.shows:
        return (f"Show your hand for the {title_of(wager.id, game)}, or keep it hidden. A hidden hand loses that bet.",)
    named = [option for option in game.options(step) if option in lines]
    if named:
        hands = " or your ".join(hand_name(lines[option]) for option in named)
        first = f"Choose your {hands}. The choice bets {stake_text(game, wager)}: your {title_of(wager.id, game)}."
    elif game.options(step) == ("bet", "fold"):
        first = f"{wager.title}: {stake_text(game, wager)}, {_on(game, wager)}."
    else:
        first = f"{wager.title}: {' or '.join(game.options(step))}."
    return (first, *fold_text(game, step))


def fold_text(game: Game, step: Decide) -> Iterator[str]:
    """Yield what a fold costs and what it leaves in play."""
    if step.fold is None:
        return
    lost = [wager for wager in game.fold_forfeits(step) if game.offers(wager)]
    optional = [wager for wager in lost if wager in game.opening_wagers and not game.wager(wager).required]
    certain = [wager for wager in lost if wager not in optional]
    and_if = f", and {_titles(game, optional)} if you placed it" if optional else ""
    yield f"Fold and you lose {_titles(game, certain)}{and_if}."
    kept = [wager for wager in game.fold_keeps(step) if game.offers(wager)]
    if kept:
        stays = "stays in play if you placed it" if len(kept) == 1 else "stay in play if you placed them"
        yield f"{_first_up(_titles(game, kept))} {stays}."


def _on(game: Game, wager: Wager) -> str:
    lines = {line.id: line for line in game.book.lines}
    if wager.line is None:
        return "against the dealer"
    made = game.lines_of(wager)
    return (
        f"on your {hand_name(lines[made[0]])}" if len(made) == 1 else f"on the better of your {number(len(made))} hands"
    )


def _decisions(game: Game) -> Section:
    text: list[str] = []
    if sets_two_hands(game):
        text += setting_text(game)
    for step in decisions(game):
        optional = not (game.wager(step.wager).stake.of or game.wager(step.wager).required)
        intro = f"With the {title_of(step.wager, game)}: " if optional else f"When {_known_words(game, step)}: "
        text.append(intro + " ".join(decision_text(game, step)))
    title = "Set your hands" if sets_two_hands(game) else "Bet again, or fold"
    return Section(id="decisions", title=title, text=tuple(text))


def setting_text(game: Game) -> tuple[str, ...]:
    """Return how two hands are set, and what a foul is."""
    text = ["Press two cards for your low hand; the others are your high hand."]
    if game.settings.get("foul_hand_loses"):
        text.append("The high hand must rank above the low hand. The other way round is a foul, and a foul loses.")
    if game.house_way is not None:
        text.append("House way sets your cards as the dealer sets the house's.")
    return tuple(text)


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
    return f"you see your cards, and {places_words(seen)}" if seen else "you see your cards"


# --- settlement -----------------------------------------------------------------------------------------------------


def settlement_text(game: Game) -> tuple[str, ...]:
    """Return how the bets are settled at the end."""
    if sets_two_hands(game):
        main = next(wager for wager in game.wagers if wager.required)
        copies = setting_rules()["copies_go_to"].meaning(game.settings["copies_go_to"])
        return (
            f"If both your hands win, your {title_of(main.id, game)} pays {main.odds}{_commission(game)}.",
            "If both lose, you lose the bet. If one wins and one loses, it is a push: you get the bet back.",
            f"Equal hands go to {copies}.",
        )
    if game.dealer_places:
        dealer = setting_rules()["dealer_line"].meaning(game.settings["dealer_line"])
        equal = setting_rules()["dealer_hand_push"].meaning(game.settings["dealer_hand_push"])
        paid = [wager for wager in game.wagers if wager.odds is not None or (wager.pays and wager.line is None)]
        wins = [f"your {title_of(wager.id, game)} pays {wager.odds or 'by the pay table'}" for wager in paid]
        return (
            f"The dealer plays {dealer}. The dealer's hand always plays.",
            f"If yours is higher, {joined_with_and(wins)}. If it is lower, you lose both.",
            f"Equal hands: {equal}. A push gives the bet back.",
        )
    main = next(wager for wager in game.wagers if wager.stake.of is not None and wager.pays)
    table = game.pays[main.pays or ""].table
    first = game.wager(next(iter(game.opening_wagers)))
    ante = posted_pay(game, first)
    bets = [title_of(wager.id, game) for wager in game.wagers if wager.stake.of is not None and wager.pays == main.pays]
    pays, *more = pay_sentences(table)
    return (*ante, f"{_first_up(joined_with_and(bets))}: {pays[0].lower()}{pays[1:]}", *more)


def posted_pay(game: Game, wager: Wager) -> Iterator[str]:
    """Yield the pay of the first bets, where they pay one price for every winning hand."""
    if wager.pays is None:
        return
    wins = [line for line in game.pays[wager.pays].table.lines if not _pushes(line)]
    if len({pay_words(line) for line in wins}) == 1:
        yield f"{_first_up(wager.group or wager.title)}s pay {pay_words(wins[0])}, whatever the winning hand."


def _settlement(game: Game) -> Section:
    later = [game.pays[wager.pays].table for wager in game.wagers if wager.stake.of is not None and wager.pays]
    main = next(wager for wager in game.wagers if wager.required)
    both = (
        ("Both your hands win", f"{main.odds}{_commission(game)}"),
        ("One wins, one loses", "push"),
        ("Both lose", "lost"),
    )
    picture = _pays_picture(later[0]) if later else PaysPicture(caption=main.title, lines=both)
    return Section(id="settlement", title="What pays", text=settlement_text(game), pictures=(picture,))


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
    main = next(title_of(wager.id, game) for wager in game.wagers if wager.required)
    back = f"returns {returned:g} % of" if returned else "returns nothing of"
    return (f"Surrender ends your hand early and {back} your {main}.",)


# --- pictures -------------------------------------------------------------------------------------------------------


def _cross_picture(game: Game, line: Line) -> CrossPicture:
    own = tuple(SAMPLE[place] for place in line.places if place.startswith("hole_"))
    rank = KINDS[line.hand].classify([Card(SAMPLE[place]) for place in line.places])
    pays = game.pays_on_line.get(line.id)
    found = None if pays is None else pays.line_for(rank)
    result = "" if pays is None else f": {'no pay' if found is None else _result_words(found)}"
    return CrossPicture(
        caption=f"{line.title}, here {rank.name}{result}",
        lit=line.places,
        cards={place: card for place, card in SAMPLE.items() if place in PLACES},
        own=own,
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


def names_a_line(game: Game) -> bool:
    """Return whether a player chooses one line of several."""
    lines = {line.id for line in game.book.lines}
    return any(lines.intersection(game.options(step)) for step in decisions(game))


def played_lines(game: Game) -> frozenset[str]:
    """Return the lines that decide the main wagers, without those of side bets."""
    named = {option for step in decisions(game) for option in game.options(step)}
    main = [wager for wager in game.wagers if wager.required or wager.stake.of is not None]
    used = {line for wager in main for line in game.lines_of(wager)}
    return frozenset(line.id for line in game.book.lines if line.id in used | named)


def hand_name(line: Line) -> str:
    """Return the name of a hand inside a sentence."""
    return line.title[0].lower() + line.title[1:]


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
    bare = title.startswith(("four ", "three ", "five ", "two pair")) or title.endswith("aces")
    return title if bare else f"{'an' if title[0] in 'aeiou' else 'a'} {title}"


def _or(parts: Sequence[Any]) -> str:
    return " or ".join(map(str, parts))


def _titles(game: Game, wagers: Sequence[str]) -> str:
    """List wagers by title; a whole group of equal wagers by its name."""
    named: dict[str, None] = {}
    for wager in wagers:
        group = game.wager(wager).group
        whole = group and {other.id for other in game.wagers if other.group == group} <= set(wagers)
        named[f"your {group}s" if whole else f"your {title_of(wager, game)}"] = None
    return joined_with_and(list(named))


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]
