"""The parser of typed commands: `ante 10 bonus 5`, `bet 3`, `fold`, `set K Q`, `cards`, `pays`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal, get_args

import msgspec

from crossfelt.cards.card import JOKER, Card
from crossfelt.cards.notation import format_cards, parse_cards
from crossfelt.errors import BadInput, Problem
from crossfelt.games.rules import rules_of
from crossfelt.money import dollars
from crossfelt.play.careful_player import multiples
from crossfelt.play.player_view import BANK, PlayerView
from crossfelt.play.text import short_name, stake_words, wager_called
from crossfelt.rulebooks.game import Game
from crossfelt.rulebooks.script import Decide
from crossfelt.table.act import Move, Option, Range, fill_in

CARD: Final = r"(?:(?:10|[2-9tjqka])[cdhs]|jk)"
"""One card in full, as it is typed."""


def parse_front(text: str, hole: Sequence[Card], game: Game) -> tuple[Card, ...] | Problem:
    """Parse two of a player's cards; of equal ranks take those that leave the better hand behind.

    >>> hole, game = parse_cards("Kd Kh Ks 9s 7s 5s 2s"), compile_game("nj-pai-gow")
    >>> [format_cards(parse_front(text, hole, game)) for text in ("ks kh", "kk", "K 9")]
    ['Ks Kh', 'Kd Kh', 'Kd 9s']
    >>> print(parse_front("a k", hole, game))
    set: these are not two of your cards: 'a k' (allowed: Kd Kh Ks 9s 7s 5s 2s)
    """
    if (fronts := _by_rank(text, hole)) is not None:
        if not fronts:
            return Problem.at("set", "typed.card", "these are not two of your cards", text, format_cards(hole))
        return max(fronts, key=lambda front: rules_of(game).set(hole, front).high)
    try:
        low = parse_cards(text, count=2, joker=True, where="set")
    except BadInput as bad:
        return bad.problems[0]
    strange = [card for card in low if card not in hole]
    if strange:
        return Problem.at("set", "typed.card", "this is not one of your cards", str(strange[0]), format_cards(hole))
    return low


def _by_rank(text: str, hole: Sequence[Card]) -> list[tuple[Card, ...]] | None:
    """Return all pairs of cards of two ranks; None where the text names no two. Alone, `jk` is a jack and a king."""
    words = text.lower().replace("10", "t").split()
    named = list(words[0]) if len(words) == 1 else words
    if len(named) != 2 or not all(re.fullmatch("jk|[2-9tjqka]", word) for word in named):
        return None
    ranks = {card: "jk" if card is JOKER else card.text[0].lower() for card in hole}
    return [front for front in combinations(hole, 2) if sorted(ranks[card] for card in front) == sorted(named)]


# --- whole lines ------------------------------------------------------------------------------------------------------

Question = Literal["deal", "pass", "ask", "coach", "cards", "pays", "balance", "log", "why", "help", "quit"]


class TypedQuestion(msgspec.Struct, frozen=True):
    """A typed line that is not a command of the seat: a question, or a word to the dealer."""

    what: Question
    number: int | None = None
    """The number of lines or of the event: `log 20`, `why 3`."""


_OTHER_WORDS: Final[Mapping[str, Question]] = {
    "": "deal", "d": "deal", "go": "deal", "sit out": "pass", "skip": "pass",
    "c": "cards", "hand": "cards", "p": "pays", "paytable": "pays", "odds": "pays",
    "b": "balance", "chips": "balance", "money": "balance", "l": "log", "history": "log",
    "w": "why", "clause": "why", "clauses": "why", "h": "help", "?": "help", "q": "quit", "exit": "quit", "bye": "quit",
}  # fmt: skip
QUESTIONS: Final[Mapping[str, Question]] = {**{word: word for word in get_args(Question)}, **_OTHER_WORDS}
TO_THE_DEALER: Final = ("deal", "pass")
LONGEST: Final = 200
"""The longest line; every command is shorter."""


def parse_command(text: str, view: PlayerView, last: Mapping[str, int]) -> Move | TypedQuestion | Problem:
    """Parse a line typed by the player of a seat; `last` are the wagers of the player's last round.

    >>> bet = Option(command="bet", seat=1, ranges={"cents": Range(1000, 3000, 100)}, clauses=("MDC-31",))
    >>> view = PlayerView(
    ...     game=compile_game("md-criss-cross"), seat=1, round=1, step="decide_across", asked="across", hole=(),
    ...     face_up={}, placed={"ante_across": 1000}, options={"bet": (bet,)},
    ... )
    >>> parse_command("bet 3", view, {}), parse_command("$25", view, {}), parse_command("pays", view, {})
    (Move(name='bet', fields={'seat': 1, 'cents': 3000}), Move(name='bet', fields={'seat': 1, 'cents': 2500}), \
TypedQuestion(what='pays', number=None))
    >>> print(parse_command("bet $40", view, {}))
    bet: this amount is not allowed: '$40' (allowed: $10 to $30) [MDC-31]
    """
    words = re.sub(r"(?<=\d),(?=\d{3})", "", text[:LONGEST].lower())  # “1,000” is a number, “ante 5, bonus 5” a list
    words = " ".join(words.replace(",", " ").split()).rstrip(".! ")
    if (named := _by_name(words, view)) is not None:
        return named
    question = QUESTIONS.get(words)
    if question is not None and not (view.asked and question in TO_THE_DEALER):
        return TypedQuestion(question)
    if match := re.fullmatch(r"(log|why) (\d{1,5})", words):
        return TypedQuestion(QUESTIONS[match[1]], int(match[2]))
    for word, command, pattern in _PATTERNS:
        if match := re.fullmatch(pattern, words):
            return _read(word, command, match, view, last)
    if _SHORT.get(words, words) in _decisions(view.game) or question is not None or not words:
        return _not_now(words or "nothing", view, last)
    if pairs := _pairs(words):
        return _read_wagers(pairs, view, last)
    return Problem(code="typed.unknown", what="not understood", value=text.strip(), allowed=in_words(view, last))


# --- by name --------------------------------------------------------------------------------------------------------


def _by_name(words: str, view: PlayerView) -> Move | None:
    """Match an option without amounts by its name or, where it is unique, by its first letter: `fold`, `f`."""
    named = dict(_named(view))
    if view.asked == BANK:
        return named.get(_OF_THE_BANK.get(words, words))
    words = _SHORT.get(words, words)
    if words in named:
        return named[words]
    if (bet := _only_bet(view)) is not None:
        title = view.game.wager(view.asked).title.lower()
        if words in ("bet", "raise", view.asked.replace("_", " "), title):
            return bet
    short = [name for name in named if words == name[0]]
    return named[short[0]] if len(short) == 1 else None


def _only_bet(view: PlayerView) -> Move | None:
    """Return the bet of a decision that allows one amount only."""
    option = view.option("bet")
    if option is None or option.ranges["cents"].min != option.ranges["cents"].max:
        return None
    return fill_in(option, cents=option.ranges["cents"].min)


_SHORT: Final[Mapping[str, str]] = {"w": "house way", "way": "house way", "house": "house way"}
PASS: Final = "pass"
DEAL: Final = "deal"
_OF_THE_BANK: Final[Mapping[str, str]] = {
    "": PASS, "decline": PASS, "take bank": "bank", "take the bank": "bank", "cobank": "co-bank", "co bank": "co-bank",
}  # fmt: skip
"""Enter declines the bank; no single letter takes it by accident."""


def _named(view: PlayerView) -> Iterator[tuple[str, Move]]:
    for option in view.options.get("take_bank", ()):
        yield "co-bank" if option.fields["co_bank"] else "bank", fill_in(option)
    for option in view.options.get("decline_bank", ()):
        yield PASS if view.asked else "give back", fill_in(option)
    for name in ("fold", "choose", "set_house_way", "surrender"):
        for option in view.options.get(name, ()):
            words = str(option.fields.get("choice", name.removeprefix("set_")))
            yield _titles(view).get(words, words).replace("_", " "), fill_in(option)


def _titles(view: PlayerView) -> Mapping[str, str]:
    """Return the words of a rulebook for the acts of the decision that is due."""
    step = view.game.steps.get(view.step, (0, None))[1]
    actions = step.actions if isinstance(step, Decide) else ()
    return {action.forms[0]: action.title.lower() for action in actions if action.title and not action.bet}


def _decisions(game: Game) -> set[str]:
    """Return the words of any decision of a game."""
    options = {option for step in game.book.script if isinstance(step, Decide) for option in game.options(step)}
    named = {option.replace("_", " ") for option in options - {"bet"}}
    return {"fold", "house way", "surrender", "bank", "co-bank", "give back", *named}


# --- amounts --------------------------------------------------------------------------------------------------------

_AMOUNT: Final = r"\$?\d{1,9}(?:\.\d{1,2})?"


def cents_of(text: str) -> int:
    """Return a typed amount in dollars, in cents.

    >>> cents_of("$25"), cents_of("2.50"), cents_of("1.5")
    (2500, 250, 150)
    """
    whole, _, part = text.removeprefix("$").partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


def range_words(amounts: Range) -> str:
    """Describe the amounts of a choice.

    >>> range_words(Range(500, 50_000, 100)), range_words(Range(1000, 3000, 1000)), range_words(Range(500, 500))
    ('$5 to $500', '$10 to $30 in steps of $10', '$5')
    """
    if amounts.of or amounts.min == amounts.max:
        return " or ".join(map(dollars, amounts.of or (amounts.min,)))
    steps = f" in steps of {dollars(amounts.step)}" if amounts.step not in (1, 100) else ""
    return f"{dollars(amounts.min)} to {dollars(amounts.max)}{steps}"


def limits_words(wager_id: str, amounts: Range, game: Game) -> str:
    """Describe the amounts of a choice in the unit of a wager.

    >>> limits_words("progressive_player", Range(100, 500, 100), compile_game("nj-pai-gow"))
    '1 to 5 credits of $1'
    """
    wager = game.wager(wager_id)
    credit = game.credit_cents(wager)
    if wager.unit == "cents":
        return range_words(amounts)
    return f"{amounts.min // credit} to {amounts.max // credit} credits of {dollars(credit)}"


# --- bets -----------------------------------------------------------------------------------------------------------


def _read(word: str, command: str, match: re.Match[str], view: PlayerView, last: Mapping[str, int]) -> Move | Problem:
    """Return the move of a line that matches a pattern, where its command is open."""
    options = view.options.get(command, ())
    if word in ("clear", "rebet"):  # the same command takes wagers back
        options = tuple(it for it in options if ("wagers" in it.fields if word == "clear" else it.ranges and last))
    if not options:
        if word == "bet" and _short_of_chips(view):
            return Problem(code="typed.balance", what="your chips do not cover a bet", allowed=in_words(view, last))
        return _not_now(match[0] if word == "bet" else word, view, last)
    option = options[0]
    match word:
        case "bet" | "buy":
            cents = _bet_cents(match["amount"], view) if word == "bet" else cents_of(match["amount"])
            if cents in option.ranges["cents"]:
                return fill_in(option, cents=cents)
            what, allowed = "this amount is not allowed", range_words(option.ranges["cents"])
            return Problem.at(word, "typed.amount", what, dollars(cents), allowed, option.clauses)
        case "rebet":
            return _place(option, view, {wager: cents for wager, cents in last.items() if wager in option.ranges})
        case "set":  # the table refuses a foul unless the player insists
            low = parse_front(match["cards"] or match["bare"], view.hole, view.game)
            return low if isinstance(low, Problem) else fill_in(option, low=low, insists=bool(match["insists"]))
    return fill_in(option)


def _bet_cents(text: str, view: PlayerView) -> int:
    """Parse a bet: `3x` or a bare 3 is three times the ante; `$3`, or a number too large for that, is dollars."""
    bare = text.replace("x", "")
    times = bare.isdecimal() and ("x" in text or int(bare) <= max(_multiples(view)))
    return int(bare) * view.base_cents if times else cents_of(bare)


def _multiples(view: PlayerView) -> tuple[int, ...]:
    step = view.game.steps[view.step][1]
    return multiples(view.game, step) if isinstance(step, Decide) else ()


def _not_now(what: str, view: PlayerView, last: Mapping[str, int]) -> Problem:
    return Problem(code="typed.not_now", what="not now", value=what, allowed=in_words(view, last))


def _short_of_chips(view: PlayerView) -> bool:
    """Say if a decision is due and the chips cover nothing but a fold."""
    return bool(view.asked) and not {"bet", "choose", "set_hand", "set_house_way"} & set(view.options)


# --- wagers before the cards ------------------------------------------------------------------------------------------


def _pairs(words: str) -> list[tuple[str, str]]:
    """Return the names with their amounts; an empty list where the words are no wagers.

    >>> _pairs("ante $10 and five card bonus 5"), _pairs("ante 10 bonus"), _pairs("fold")
    ([('ante', '$10'), ('five card bonus', '5')], [], [])
    """
    pairs: list[tuple[str, str]] = []
    name: list[str] = []
    for word in re.sub(r"(?<=[a-z])(?=[$\d])", " ", words).split():
        if re.fullmatch(_AMOUNT, word) and name:
            pairs.append((" ".join(name), word))
            name = []
        elif word not in ("and", "+", "credit", "credits"):
            name.append(word)
    return [] if name else pairs


def _read_wagers(pairs: Sequence[tuple[str, str]], view: PlayerView, last: Mapping[str, int]) -> Move | Problem:
    option = view.wagering
    if option is None:
        return _not_now(" ".join(map(" ".join, pairs)), view, last)
    named: dict[str, int] = {}
    for name, amount in pairs:
        found = wagers_named(name, option, view)
        if not found:
            allowed = ", ".join(known for known, _ in wager_names(option, view))
            return Problem(code="typed.wager", what="no such wager here", value=name, allowed=allowed)
        if not named.keys().isdisjoint(found):
            return Problem.at("", "typed.twice", "the wager is named twice", name, "one amount for each wager")
        named |= {wager: _stake_cents(wager, amount, view.game) for wager in found}
    wagers = {**view.placed, **named}
    return _place(option, view, {w: cents for w, cents in wagers.items() if cents or w not in option.optional})


def _stake_cents(wager_id: str, amount: str, game: Game) -> int:
    """Parse credits: `player 2` is two credits, `player $2` the number that two dollars buy."""
    wager = game.wager(wager_id)
    in_credits = wager.unit == "credits" and amount.isdecimal()
    return int(amount) * game.credit_cents(wager) if in_credits else cents_of(amount)


def wager_names(option: Option, view: PlayerView) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the wagers by the name to type; wagers of equal amounts share a name.

    >>> option = Option(command="place_wagers", ranges={"ante_across": Range(1, 9), "five_card_bonus": Range(1, 9)})
    >>> view = PlayerView(
    ...     game=compile_game("md-criss-cross"), seat=1, round=1, step="open_bets", asked="", hole=(), face_up={},
    ...     placed={}, options={},
    ... )
    >>> dict(wager_names(option, view))
    {'ante': ('ante_across',), 'bonus': ('five_card_bonus',)}
    """
    grouped: dict[str, tuple[str, ...]] = {}
    for wager in option.ranges:
        name = view.game.wager(wager).group or short_name(wager, option.ranges)
        grouped[name] = (*grouped.get(name, ()), wager)
    return iter(grouped.items())


def wagers_named(name: str, option: Option, view: PlayerView) -> tuple[str, ...]:
    """Return the wagers of a name; none where the table has no such wager."""
    for known, wagers in wager_names(option, view):
        members = (view.game.wager(wager).title.lower() for wager in wagers)
        if name in (known, f"{known}s", *members):
            return wagers
    alone = [wager for wager in option.ranges if view.game.wager(wager).group is None]
    found = wager_called(name, alone, {wager: view.game.wager(wager).title for wager in alone})
    return () if found is None else (found,)


def _place(option: Option, view: PlayerView, wagers: Mapping[str, int]) -> Move | Problem:
    """Return the move that places these wagers, within the limits of the option."""
    for name, members in wager_names(option, view):
        for wager in members:
            cents, amounts = wagers.get(wager), option.ranges[wager]
            if cents is None and wager not in option.optional:
                clauses = view.game.asking_for(view.game.wager(wager), wagers).clauses
                what, allowed = f"place the {name} first", f"{name} {limits_words(wager, amounts, view.game)}"
                return Problem(code="typed.missing", what=what, allowed=allowed, clauses=clauses)
            if cents is not None and cents not in amounts:
                rule = view.game.wager(wager)
                whole = rule.unit == "credits" and cents % view.game.credit_cents(rule) == 0
                value = stake_words(wager, cents, view.game) if whole else dollars(cents)
                what, allowed = "this amount is not allowed", limits_words(wager, amounts, view.game)
                return Problem.at(name, "typed.amount", what, value, allowed, rule.clauses)
    total = sum(wagers.values())
    if option.most_in_all is not None and total > option.most_in_all:
        what, allowed = "your wagers exceed your chips", dollars(option.most_in_all)
        return Problem(code="typed.balance", what=what, value=dollars(total), allowed=allowed)
    return fill_in(option, wagers=dict(wagers))


_PATTERNS: Final = (
    ("bet", "bet", rf"(?:bet |raise )?(?P<amount>\d{{1,3}}x|x\d{{1,3}}|{_AMOUNT})"),
    ("buy", "buy_chips", rf"(?:buy|chips) (?P<amount>{_AMOUNT})"),
    ("rebet", "place_wagers", r"r|rebet|again|same"),
    ("clear", "place_wagers", r"clear|take back|x"),
    ("leave", "leave_seat", r"leave|leave seat"),
    (
        "set",
        "set_hand",
        rf"(?:(?:set|front|low) (?P<cards>.+?)|(?P<bare>{CARD} {CARD}))(?P<insists> all the same| anyway)?",
    ),
)
"""Words with their commands and the patterns of a line, tried in this order."""


# --- what is allowed, as a prompt -------------------------------------------------------------------------------------


def in_words(view: PlayerView, last: Mapping[str, int]) -> str:
    """List the commands that may be typed now, the player's own moves first.

    >>> bet = Option(command="bet", seat=1, ranges={"cents": Range(1000, 3000, 100)})
    >>> view = PlayerView(
    ...     game=compile_game("md-criss-cross"), seat=1, round=1, step="decide_across", asked="across", hole=(),
    ...     face_up={}, placed={"ante_across": 1000}, options={"bet": (bet,), "fold": (Option(command="fold"),)},
    ... )
    >>> in_words(view, {})
    'bet $10–$30 (1x 2x 3x), fold, cards, pays, why, log, help, quit'
    """
    moves = moves_in_words(view, last)
    if view.asked == BANK:
        moves = [f"{name} (Enter)" if name == PASS else name for name in moves] + ["pays", "why"]
    elif view.asked:
        moves[1:1] = ["ask"] if "set_hand" in view.options else []
        moves += ["cards", "pays", "why"]
    else:
        moves = [f"{name} (Enter)" if name == DEAL else name for name in moves] + ["pays"]
    return ", ".join([*moves, "log", "help", "quit"])


def moves_in_words(view: PlayerView, last: Mapping[str, int]) -> list[str]:
    """List the moves that may be typed now, each as it is typed."""
    if view.asked == BANK:
        return [name for name, _ in _named(view)]
    if view.asked:
        set_words = ["set __ __ (the two in front)"] if "set_hand" in view.options else []
        return [*_bet_words(view), *set_words, *(name for name, _ in _named(view))]
    return list(_wager_words(view, last))


def _wager_words(view: PlayerView, last: Mapping[str, int]) -> Iterator[str]:
    option = view.wagering
    if option is None:
        banks = "decline_bank" in view.options
        yield from (DEAL, "give back", "buy 100") if banks else ("buy 100", PASS)
        return
    names = list(wager_names(option, view))
    offers = {wager: f"{name} {_stakes(wager, option.ranges[wager], view.game)}" for name, (wager, *_) in names}
    required = [words for wager, words in offers.items() if wager not in option.optional]
    optional = [f"[{words}]" for wager, words in offers.items() if wager in option.optional]
    yield " ".join(required + optional)
    if view.placed:
        yield from ("clear", DEAL)
    else:
        yield from ("rebet",) if last else ()
        yield PASS


def _bet_words(view: PlayerView) -> Iterator[str]:
    option = view.option("bet")
    if option is None:
        yield from ("buy 100",) if _short_of_chips(view) else ()
        return
    amounts = option.ranges["cents"]
    times = [f"{n}x" for n in _multiples(view) if n * view.base_cents in amounts]
    yield f"bet {_dash(amounts)} ({' '.join(times)})" if times else f"bet {_dash(amounts)}"


def _stakes(wager_id: str, amounts: Range, game: Game) -> str:
    wager = game.wager(wager_id)
    credit = game.credit_cents(wager)
    if wager.unit == "cents":
        return _dash(amounts)
    return f"{amounts.min // credit}–{amounts.max // credit} credits"


def _dash(amounts: Range) -> str:
    if amounts.of:
        return "/".join(map(dollars, amounts.of))
    low, high = dollars(amounts.min), dollars(amounts.max)
    return low if low == high else f"{low}–{high}"
