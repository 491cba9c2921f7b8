"""The rules in a beginner's words: the opponent, what each bet does, what pays, what folding costs.

Every sentence is composed from the compiled game, so that another multiple, push or limit changes the text with it. No
sentence depends on the name of a game: a script with a step for setting two hands, a dealer with cards, a line that the
player names, each has its own sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

import msgspec

from crossfelt.cards.card import RANK_NAMES
from crossfelt.play.areas import community_places
from crossfelt.play.bet_words import (
    BetText,
    bet_text,
    circumstance,
    commission_words,
    equal_hands,
    marks_text,
    pay_sentences,
    pay_span,
    required_text,
    result_words,
    spin_trigger,
    stake_text,
    winning_lines,
)
from crossfelt.play.game_words import (
    a_hand,
    board_words,
    cards_of,
    counted_of,
    decisions,
    fixed_hands,
    hand_name,
    hands_deciding,
    known_words,
    line_text,
    names_a_line,
    played_lines,
    plays_dealer,
    sets_two_hands,
    shared_card,
    wager_titles,
)
from crossfelt.play.narration import mark_words
from crossfelt.play.posted_notice import posted_notice
from crossfelt.play.rule_pictures import (
    BetsPicture,
    PaysPicture,
    Picture,
    bet_areas,
    cards_picture,
    hands_picture,
    pays_picture,
)
from crossfelt.play.text import capital, group_name, joined_with_and, number, title_of
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.hand_forms import Mark, side_of
from crossfelt.rulebooks.model import PayLine, Wager
from crossfelt.rulebooks.render.json import describe
from crossfelt.rulebooks.render.phrases import as_words, in_sentence, pay_words
from crossfelt.rulebooks.script import Decide, OfferBank
from crossfelt.rulebooks.settings import setting_rules


class HelpSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the text with its pictures."""

    id: Literal["idea", "bets", "decisions", "settlement", "extras"]
    title: str
    text: tuple[str, ...]
    pictures: tuple[Picture, ...] = ()


class HowToPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The whole text of a game."""

    rulebook: str
    title: str
    jurisdiction: str
    sections: tuple[HelpSection, ...]
    bets: tuple[BetText, ...]


def how_to_play(game: Game) -> HowToPlay:
    """Return the text of a game with the choices of its table.

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


def idea(game: Game) -> tuple[str, ...]:
    """Return what the game is about: the hands, and who they play against."""
    own = len(game.hand_places)
    if sets_two_hands(game):
        return (
            f"You get {number(own)} cards. Make a high hand of {number(own - 2)} cards and a low hand of two.",
            "Both must beat the dealer's: high against high, low against low.",
        )
    lines = played_lines(game)
    titles = [hand_name(game, line) for line in lines]
    table = board_words(game)
    cards = f"You get {cards_of(own) if own > 1 else 'one card'}."
    if table and titles:
        cards += f" With {table} on the table {'they make' if own > 1 else 'it makes'} {_hands_words(titles)}."
    if len(lines) == 1 and (counted := counted_of(game, lines[0])):
        cards += f" The {counted} count."
    if names_a_line(game):
        return (cards, "You choose one of them. It must beat the dealer's hand.")
    if plays_dealer(game):
        return (cards, "They must beat the dealer's hand." if len(titles) > 1 else "Your hand must beat the dealer's.")
    return (cards, "There is no dealer's hand to beat: the pay table alone decides.")


def _hands_words(titles: Sequence[str]) -> str:
    if len(titles) == 1:
        return f"your {titles[0]}"
    return f"{number(len(titles))} hands at once: your {joined_with_and([*titles[:-1], f'your {titles[-1]}'])}"


def _idea(game: Game) -> HelpSection:
    lines = played_lines(game)
    every = {*game.hand_places, *community_places(game)}
    whole = len(lines) < 2 and all(set(line.places) >= every for line in lines)
    made = [] if whole else [line_text(game, line) for line in lines]
    text = [*idea(game), *made, *shared_card(game, lines)]
    pictures: list[Picture] = [hands_picture(game)] if sets_two_hands(game) else []
    pictures += [cards_picture(game, line) for line in lines]
    return HelpSection(id="idea", title="The idea", text=tuple(text), pictures=tuple(pictures))


def _bets(game: Game) -> HelpSection:
    required = game.first_wagers
    optional = [wager for wager in game.opening_wagers.values() if wager not in required]
    text = [required_text(game)]
    if optional:
        names = joined_with_and([wager.title for wager in optional])
        text.append(f"{names} {'is' if len(optional) == 1 else 'are'} optional.")
    later = [wager for wager in game.wagers if wager.id not in game.opening_wagers]
    if later:
        text.append(f"{joined_with_and([wager.title for wager in later])} come{'s' if len(later) == 1 else ''} later.")
    picture = BetsPicture(caption="Your betting areas", rows=bet_areas(game, required, optional))
    return HelpSection(id="bets", title="Bet before the cards", text=tuple(text), pictures=(picture,))


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
        said = {each.forms[0]: f"“{in_sentence(each.title)}”" for each in step.actions if each.check and each.title}
        others = [said.get(option) or otherwise.get(option, as_words(option)) for option in game.options(step)]
        or_else = "".join(f", or {words}" for words in others if words)
        bet = f"{stake_text(game, wager, step)}, {_on(game, wager)}" if step.bet is not None else ""
        first = f"{wager.title}: {bet}{or_else if bet else or_else.removeprefix(', or ')}."
    return (first, *fold_text(game, step), *_passed_over(game, step))


def _passed_over(game: Game, step: Decide) -> Iterator[str]:
    """Yield the hands of which a decision is asked, where it is not asked of all."""
    hands = {hand.id: hand for hand in game.book.hands}
    for words, marks in (("asked only", step.when), ("not asked", step.unless)):
        for name, mark in marks.items():
            side, own = side_of(name)
            title = f"{f'{capital(side)}: ' if side else ''}{hands[own].title}"
            yield f"You are {words} if “{title}” is {_marked_hands(hands[own].marks[mark])}."


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
    and_if = f", and {wager_titles(game, optional)} if you placed it" if optional else ""
    yield f"Fold and you lose {wager_titles(game, certain)}{and_if}."
    kept = [wager for wager in game.fold_keeps(step) if game.offers(wager)]
    if kept:
        stays = "stays in play if you placed it" if len(kept) == 1 else "stay in play if you placed them"
        yield f"{capital(wager_titles(game, kept))} {stays}."


def _on(game: Game, wager: Wager) -> str:
    if wager.line is None:
        return "against the dealer"
    made = hands_deciding(game, wager)
    return (
        f"on your {hand_name(game, made[0])}" if len(made) == 1 else f"on the better of your {number(len(made))} hands"
    )


def _decisions(game: Game) -> HelpSection:
    text = [*joker_text(game), *(setting_text(game) if sets_two_hands(game) else ())]
    for step in decisions(game):
        optional = not (game.wager(step.wager).stake.of or game.wager(step.wager) in game.first_wagers)
        intro = f"With the {title_of(step.wager, game)}: " if optional else f"When {known_words(game, step)}: "
        text.append(intro + " ".join(decision_text(game, step)))
    bets = any(step.bet is not None for step in decisions(game))
    title = (
        "Set your hands" if sets_two_hands(game) else "Bet again, or fold" if bets else "Leave a bet, or take it back"
    )
    return HelpSection(id="decisions", title=title, text=tuple(text))


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


def settlement_text(game: Game) -> tuple[str, ...]:
    """Return how the bets are settled at the end."""
    if sets_two_hands(game):
        opening = game.first_wagers[0]
        copies = setting_rules()["copies_go_to"].meaning(game.settings["copies_go_to"])
        return (
            f"If both your hands win, your {title_of(opening.id, game)} pays {opening.odds}{commission_words(game)}.",
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
            equal_hands(game),
        )
    paid = [wager for wager in game.wagers if wager.pays and (wager.stake.of is not None or wager in game.first_wagers)]
    if not paid:
        return ()
    staked = next((wager for wager in paid if wager.stake.of is not None), paid[0])
    table = game.pays[staked.pays or ""]
    ante = posted_pay(game, game.first_wagers[0])
    bets = [title_of(wager.id, game) for wager in paid if wager.pays == staked.pays]
    pays, *more = pay_sentences(table)
    return (*ante, f"{capital(joined_with_and(bets))}: {pays[0].lower()}{pays[1:]}", *more)


def _win_pay(game: Game, wager: Wager) -> str:
    """Return what a win against the dealer pays."""
    if wager.odds is not None or wager.pays is None:
        return str(wager.odds)
    return f"by your hand, {pay_span(winning_lines(game.pays[wager.pays]))}"


def _compared(game: Game) -> Iterator[str]:
    """Yield what follows from each comparison with the dealer's hand, and from a dealer who does not qualify."""
    rules = [(wager, rule) for wager in game.wagers for rule in wager.settle]
    for mark in dict.fromkeys(mark for _, rule in rules for mark in rule.unless.values()):
        results = [
            result_words(game, wager, rule.odds) for wager, rule in rules if mark in rule.unless.values() and rule.odds
        ]
        yield f"The dealer {mark_words(mark, has=True)} with {_marked(game, mark)}."
        yield f"If the dealer {mark_words(mark, has=False)}, {joined_with_and(results)}."
    for mark in dict.fromkeys(mark for _, rule in rules for mark in rule.when.values()):
        yield f"{capital(as_words(mark))}: {_marked(game, mark)}."
    for wager, rule in rules:
        if rule.when and rule.odds:
            yield f"If {marks_text(game, rule.when, rule.unless)}, {result_words(game, wager, rule.odds)}."
    compared = [(wager, rule) for wager, rule in rules if rule.versus]
    if compared:
        wins = joined_with_and(
            [
                f"{result_words(game, wager, rule.win or '1 to 1')}{circumstance(game, wager, rule)}"
                for wager, rule in compared
            ]
        )
        lost = f"you lose {'it' if len(compared) == 1 else 'them'}"
        if any(rule.lose for _, rule in compared):
            lost = joined_with_and([result_words(game, wager, rule.lose or "lose") for wager, rule in compared])
        yield f"If your hand is higher, {wins}. If it is lower, {lost}."
        yield equal_hands(game)


def _marked(game: Game, name: str) -> str:
    """Return the hands that have a mark of this name."""
    return _marked_hands(next(hand.marks[name] for hand in game.book.hands if name in hand.marks))


def _marked_hands(mark: Mark) -> str:
    asked = mark.at_least or mark.is_
    assert asked is not None
    if asked.hand == "high_card" and asked.lowest:
        ranks = "-".join(RANK_NAMES[rank] for rank in asked.lowest)
        hand = ranks if len(asked.lowest) > 1 else f"{ranks}-high"
    else:
        hand = a_hand(PayLine(hand=asked.hand, low=asked.low, high=asked.high))
    return hand if mark.at_least is None or hand.endswith(" or better") else f"{hand} or better"


def posted_pay(game: Game, wager: Wager) -> Iterator[str]:
    """Yield the pay of the first bets, where they pay one price for every winning hand."""
    if wager.pays is None:
        return
    wins = winning_lines(game.pays[wager.pays])
    if len({pay_words(line) for line in wins}) == 1:
        name = capital(group_name(wager, game) or wager.title)
        yield f"{name}s pay {pay_words(wins[0])}, whatever the winning hand."


def _settlement(game: Game) -> HelpSection:
    main = game.first_wagers[0]
    later = [game.pays[wager.pays] for wager in game.wagers if wager.stake.of is not None and wager.pays]
    if not sets_two_hands(game):
        later += [game.pays[wager.pays] for wager in game.wagers if wager.pays]
    both = (
        ("Both your hands win", f"{main.odds}{commission_words(game)}"),
        ("One wins, one loses", "push"),
        ("Both lose", "lost"),
    )
    picture = pays_picture(later[0]) if later else PaysPicture(caption=main.title, lines=both)
    shown = (picture,) if later or sets_two_hands(game) else ()
    return HelpSection(id="settlement", title="What pays", text=settlement_text(game), pictures=shown)


def bank_text(game: Game) -> tuple[str, ...]:
    """Return what the bank is, where players may hold it."""
    offered = any(isinstance(step, OfferBank) for step in game.book.script) and game.choices.get("bank.offered")
    if not offered:
        return ()
    return (
        "The bank is the side that everybody plays against. The house holds it unless a player takes it.",
        "With the bank you pay the winners from your own chips and keep the lost bets. You may always decline.",
    )


def _extras(game: Game) -> HelpSection:
    spins = [f"{spin.title}: {spin_trigger(spin)}" for spin in posted_notice(game).spins]
    return HelpSection(id="extras", title="Good to know", text=(*spins, *bank_text(game), *surrender_text(game)))


def surrender_text(game: Game) -> tuple[str, ...]:
    """Return what a surrender costs."""
    if not sets_two_hands(game) or "surrender_refund_per_mille" not in game.settings:
        return ()
    returned = game.number("surrender_refund_per_mille") / 10
    main = title_of(game.first_wagers[0].id, game)
    back = f"returns {returned:g} % of" if returned else "returns nothing of"
    return (f"Surrender ends your hand early and {back} your {main}.",)
