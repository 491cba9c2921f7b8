"""What people type at a table: `ante 10 bonus 5`, `bet 3`, `fold`, `cards`, `pays`.

A line is read against what one seat sees and may do (`crossfelt.table.sight`). It becomes a move, a question, or a
refusal that says what is allowed. Nothing here knows a terminal: a command box in a browser reads the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, get_args

import msgspec

from crossfelt.money import dollars
from crossfelt.problems import Problem
from crossfelt.rulebooks.game import Game
from crossfelt.table.acts import Option, Range
from crossfelt.table.acts_deciding import BY_NAME
from crossfelt.table.bots import SHORT_NAMES
from crossfelt.table.moves import Move, take
from crossfelt.table.sight import THE_BANK, Sight
from crossfelt.table.telling_words import stake_words
from crossfelt.table.typed_front import CARD, read_front

Question = Literal["deal", "pass", "ask", "cards", "pays", "balance", "log", "why", "help", "quit"]


class Ask(msgspec.Struct, frozen=True):
    """Something that is not a command of the seat: a question, or a word to the dealer."""

    what: Question
    number: int | None = None
    """How much of it, or which: `log 20`, `why 3`."""


_OTHER_WORDS: Final[Mapping[str, Question]] = {
    "": "deal", "d": "deal", "go": "deal", "sit out": "pass", "skip": "pass",
    "c": "cards", "hand": "cards", "p": "pays", "paytable": "pays", "odds": "pays",
    "b": "balance", "chips": "balance", "money": "balance", "l": "log", "history": "log",
    "w": "why", "clause": "why", "clauses": "why", "h": "help", "?": "help", "q": "quit", "exit": "quit", "bye": "quit",
}  # fmt: skip
QUESTIONS: Final[Mapping[str, Question]] = {**{word: word for word in get_args(Question)}, **_OTHER_WORDS}
TO_THE_DEALER: Final = ("deal", "pass")
LONGEST: Final = 200
"""More than anybody types."""


def read(text: str, sight: Sight, last: Mapping[str, int]) -> Move | Ask | Problem:
    """What a line means to the player of a seat; `last` are the wagers of the player's last round.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> bet = Option(command="bet", seat=1, ranges={"cents": Range(1000, 3000, 100)}, clauses=("MDC-31",))
    >>> sight = Sight(
    ...     game=compile_game("md-criss-cross"), seat=1, round=1, step="decide_across", asked="across", hole=(),
    ...     face_up={}, placed={"ante_across": 1000}, options={"bet": (bet,)},
    ... )
    >>> read("bet 3", sight, {}), read("$25", sight, {}), read("pays", sight, {})
    (Move(name='bet', fields={'seat': 1, 'cents': 3000}), Move(name='bet', fields={'seat': 1, 'cents': 2500}), \
Ask(what='pays', number=None))
    >>> print(read("bet $40", sight, {}))
    bet: not an amount that is allowed: '$40' (allowed: $10 to $30) [MDC-31]
    """
    words = _tidy(text)
    if (named := _by_name(words, sight)) is not None:
        return named
    question = QUESTIONS.get(words)
    if question is not None and not (sight.asked and question in TO_THE_DEALER):
        return Ask(question)
    if match := re.fullmatch(r"(log|why) (\d{1,5})", words):
        return Ask(QUESTIONS[match[1]], int(match[2]))
    for pattern, reader in _READERS:
        if match := re.fullmatch(pattern, words):
            return reader(match, sight, last)
    if _SHORT.get(words, words) in _DECISIONS or question is not None or not words:
        return _not_now(words or "nothing", sight, last)
    if pairs := _pairs(words):
        return _read_wagers(pairs, sight, last)
    return Problem(code="typed.unknown", what="not understood", value=text.strip(), allowed=in_words(sight, last))


def _tidy(text: str) -> str:
    """Lower case, single spaces, no commas: neither those of "1,000" nor those between wagers."""
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text[:LONGEST].lower()).replace(",", " ")
    return " ".join(text.split()).rstrip(".! ")


# --- by name --------------------------------------------------------------------------------------------------------


def _by_name(words: str, sight: Sight) -> Move | None:
    """Options without amounts, by their name or, where that is plain, by its first letter: `fold`, `f`."""
    named = dict(_named(sight))
    if sight.asked == THE_BANK:
        return named.get(_OF_THE_BANK.get(words, words))
    words = _SHORT.get(words, words)
    if words in named:
        return named[words]
    short = [name for name in named if words == name[0]]
    return named[short[0]] if len(short) == 1 else None


_SHORT: Final[Mapping[str, str]] = {"w": "house way", "way": "house way", "house": "house way"}
PASS: Final = "pass"
_OF_THE_BANK: Final[Mapping[str, str]] = {
    "": PASS, "decline": PASS, "take bank": "bank", "take the bank": "bank", "cobank": "co-bank", "co bank": "co-bank",
}  # fmt: skip
"""Enter lets the bank pass; no single letter takes it by accident."""


def _named(sight: Sight) -> Iterator[tuple[str, Move]]:
    for option in sight.options.get("take_bank", ()):
        yield "co-bank" if option.fields["co_bank"] else "bank", take(option)
    for option in sight.options.get("decline_bank", ()):
        yield PASS if sight.asked else "give back", take(option)
    for name in ("fold", "choose", "set_house_way", "surrender"):
        for option in sight.options.get(name, ()):
            yield str(option.fields.get("choice", name.removeprefix("set_").replace("_", " "))), take(option)


_DECISIONS: Final = {"fold", "house way", "surrender", "bank", "co-bank", "give back", *BY_NAME}
"""Words that belong to some decision, if not to this one."""


# --- amounts --------------------------------------------------------------------------------------------------------

_AMOUNT: Final = r"\$?\d{1,9}(?:\.\d{1,2})?"


def cents_of(text: str) -> int:
    """An amount in dollars as it is typed.

    >>> cents_of("$25"), cents_of("2.50"), cents_of("1.5")
    (2500, 250, 150)
    """
    whole, _, part = text.removeprefix("$").partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


def range_words(amounts: Range) -> str:
    """Amounts to choose from.

    >>> range_words(Range(500, 50_000, 100)), range_words(Range(1000, 3000, 1000)), range_words(Range(500, 500))
    ('$5 to $500', '$10 to $30 in steps of $10', '$5')
    """
    if amounts.of or amounts.min == amounts.max:
        return " or ".join(map(dollars, amounts.of or (amounts.min,)))
    steps = f" in steps of {dollars(amounts.step)}" if amounts.step not in (1, 100) else ""
    return f"{dollars(amounts.min)} to {dollars(amounts.max)}{steps}"


def limits_words(wager_id: str, amounts: Range, game: Game) -> str:
    """Amounts to choose from in the unit of a wager.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> limits_words("progressive_player", Range(100, 500, 100), compile_game("nj-pai-gow"))
    '1 to 5 credits of $1'
    """
    wager = game.wager(wager_id)
    credit = game.credit_cents(wager)
    if wager.unit == "cents":
        return range_words(amounts)
    return f"{amounts.min // credit} to {amounts.max // credit} credits of {dollars(credit)}"


def _wrong_stake(name: str, wager_id: str, cents: int, amounts: Range, game: Game) -> Problem:
    wager = game.wager(wager_id)
    whole = wager.unit == "credits" and cents % game.credit_cents(wager) == 0
    return Problem(
        code="typed.amount",
        where=name,
        what="not an amount that is allowed",
        value=stake_words(wager_id, cents, game) if whole else dollars(cents),
        allowed=limits_words(wager_id, amounts, game),
        clauses=wager.clauses,
    )


def _wrong_amount(where: str, cents: int, amounts: Range, clauses: tuple[str, ...]) -> Problem:
    what, allowed = "not an amount that is allowed", range_words(amounts)
    return Problem(code="typed.amount", where=where, what=what, value=dollars(cents), allowed=allowed, clauses=clauses)


# --- bets -----------------------------------------------------------------------------------------------------------


def _read_bet(match: re.Match[str], sight: Sight, last: Mapping[str, int]) -> Move | Problem:
    option = sight.option("bet")
    if option is None:
        return _cannot_bet(sight, last) if _short_of_chips(sight) else _not_now(match[0], sight, last)
    amounts = option.ranges["cents"]
    cents = _bet_cents(match["amount"], sight)
    if cents not in amounts:
        return _wrong_amount("bet", cents, amounts, option.clauses)
    return take(option, cents=cents)


def _bet_cents(text: str, sight: Sight) -> int:
    """`3x` is three times the ante, and so is a bare 3; `$3` is three dollars, and so is a number too large for 3x."""
    bare = text.replace("x", "")
    times = bare.isdecimal() and ("x" in text or int(bare) <= sight.game.wager(sight.asked).stake.max)
    return int(bare) * sight.base_cents if times else cents_of(bare)


def _cannot_bet(sight: Sight, last: Mapping[str, int]) -> Problem:
    return Problem(code="typed.balance", what="your chips do not reach for a bet", allowed=in_words(sight, last))


def _not_now(what: str, sight: Sight, last: Mapping[str, int]) -> Problem:
    return Problem(code="typed.not_now", what="not now", value=what, allowed=in_words(sight, last))


def _short_of_chips(sight: Sight) -> bool:
    """A decision is asked for, and the chips reach for none but a fold."""
    return bool(sight.asked) and not {"bet", "choose", "set_hand", "set_house_way"} & set(sight.options)


# --- wagers before the cards ------------------------------------------------------------------------------------------


def _pairs(words: str) -> list[tuple[str, str]]:
    """Names with their amounts; nothing where the words are not that.

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


def _read_wagers(pairs: Sequence[tuple[str, str]], sight: Sight, last: Mapping[str, int]) -> Move | Problem:
    option = sight.wagering
    if option is None:
        return _not_now(" ".join(map(" ".join, pairs)), sight, last)
    named: dict[str, int] = {}
    for name, amount in pairs:
        found = wagers_named(name, option, sight)
        if not found:
            allowed = ", ".join(known for known, _ in wager_names(option, sight))
            return Problem(code="typed.wager", what="no such wager here", value=name, allowed=allowed)
        if not named.keys().isdisjoint(found):
            return Problem(code="typed.twice", what="named twice", value=name, allowed="one amount for each wager")
        named |= {wager: _stake_cents(wager, amount, sight.game) for wager in found}
    wagers = {**sight.placed, **named}
    return _place(option, sight, {w: cents for w, cents in wagers.items() if cents or w not in option.optional})


def _stake_cents(wager_id: str, amount: str, game: Game) -> int:
    """`player 2` is two credits, `player $2` as many as two dollars buy."""
    wager = game.wager(wager_id)
    return (
        int(amount) * game.credit_cents(wager) if wager.unit == "credits" and amount.isdecimal() else cents_of(amount)
    )


def wager_names(option: Option, sight: Sight) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The wagers that may be placed, by the name to type; those of equal amounts have one name.

    >>> option = Option(command="place_wagers", ranges={"ante_across": Range(1, 9), "five_card_bonus": Range(1, 9)})
    >>> from crossfelt.rulebooks.game import compile_game
    >>> sight = Sight(
    ...     game=compile_game("md-criss-cross"), seat=1, round=1, step="open_bets", asked="", hole=(), face_up={},
    ...     placed={}, options={},
    ... )
    >>> dict(wager_names(option, sight))
    {'ante': ('ante_across',), 'bonus': ('five_card_bonus',)}
    """
    short = {wager: name for name, wager in SHORT_NAMES.items()}
    grouped: dict[str, tuple[str, ...]] = {}
    for wager in option.ranges:
        name = sight.game.wager(wager).group or short.get(wager, wager.replace("_", " "))
        grouped[name] = (*grouped.get(name, ()), wager)
    return iter(grouped.items())


def wagers_named(name: str, option: Option, sight: Sight) -> tuple[str, ...]:
    """The wagers that a name stands for; none where there is no such wager here."""
    whole = name.replace(" ", "_")
    for known, wagers in wager_names(option, sight):
        if name in (known, f"{known}s") or (whole in wagers and len(wagers) == 1):
            return wagers
    return ()


def _place(option: Option, sight: Sight, wagers: Mapping[str, int]) -> Move | Problem:
    """The wagers as they shall lie, within what the option allows."""
    for name, members in wager_names(option, sight):
        for wager in members:
            cents, amounts = wagers.get(wager), option.ranges[wager]
            clauses = sight.game.wager(wager).clauses
            if cents is None and wager not in option.optional:
                what, allowed = f"the {name} comes first", f"{name} {limits_words(wager, amounts, sight.game)}"
                return Problem(code="typed.missing", what=what, allowed=allowed, clauses=clauses)
            if cents is not None and cents not in amounts:
                return _wrong_stake(name, wager, cents, amounts, sight.game)
    total = sum(wagers.values())
    if option.most_in_all is not None and total > option.most_in_all:
        what, allowed = "more than you have", dollars(option.most_in_all)
        return Problem(code="typed.balance", what=what, value=dollars(total), allowed=allowed)
    return take(option, wagers=dict(wagers))


def _read_rebet(_: re.Match[str], sight: Sight, last: Mapping[str, int]) -> Move | Problem:
    option = sight.wagering
    if option is None or not last:
        return _not_now("rebet", sight, last)
    return _place(option, sight, {wager: cents for wager, cents in last.items() if wager in option.ranges})


def _read_clear(_: re.Match[str], sight: Sight, last: Mapping[str, int]) -> Move | Problem:
    taking_back = (option for option in sight.options.get("place_wagers", ()) if "wagers" in option.fields)
    option = next(taking_back, None)
    return take(option) if option is not None else _not_now("clear", sight, last)


# --- chips and the seat -----------------------------------------------------------------------------------------------


def _read_buy(match: re.Match[str], sight: Sight, last: Mapping[str, int]) -> Move | Problem:
    option = sight.option("buy_chips")
    if option is None:
        return _not_now("buy", sight, last)
    cents = cents_of(match["amount"])
    if cents not in option.ranges["cents"]:
        return _wrong_amount("buy", cents, option.ranges["cents"], option.clauses)
    return take(option, cents=cents)


def _read_set(match: re.Match[str], sight: Sight, last: Mapping[str, int]) -> Move | Problem:
    """Two cards for the front. A foul is refused by the table, unless it is insisted on."""
    option = sight.option("set_hand")
    if option is None:
        return _not_now("set", sight, last)
    low = read_front(match["cards"] or match["bare"], sight.hole)
    if isinstance(low, Problem):
        return low
    return take(option, low=low, insists=bool(match["insists"]))


def _read_leave(_: re.Match[str], sight: Sight, last: Mapping[str, int]) -> Move | Problem:
    option = sight.option("leave_seat")
    return take(option) if option is not None else _not_now("leave", sight, last)


_READERS: Final = (
    (rf"(?:bet |raise )?(?P<amount>\dx|x\d|{_AMOUNT})", _read_bet),
    (rf"(?:buy|chips) (?P<amount>{_AMOUNT})", _read_buy),
    (r"r|rebet|again|same", _read_rebet),
    (r"clear|take back|x", _read_clear),
    (r"leave|leave seat", _read_leave),
    (rf"(?:(?:set|front|low) (?P<cards>.+?)|(?P<bare>{CARD} {CARD}))(?P<insists> all the same| anyway)?", _read_set),
)
"""What a line can look like, tried in this order."""


# --- what is allowed, as a prompt -------------------------------------------------------------------------------------


def in_words(sight: Sight, last: Mapping[str, int]) -> str:
    """What may be typed now, the player's own moves first.

    >>> from crossfelt.rulebooks.game import compile_game
    >>> bet = Option(command="bet", seat=1, ranges={"cents": Range(1000, 3000, 100)})
    >>> sight = Sight(
    ...     game=compile_game("md-criss-cross"), seat=1, round=1, step="decide_across", asked="across", hole=(),
    ...     face_up={}, placed={"ante_across": 1000}, options={"bet": (bet,), "fold": (Option(command="fold"),)},
    ... )
    >>> in_words(sight, {})
    'bet $10–$30 (1x 2x 3x), fold, cards, pays, why, log, help, quit'
    """
    if sight.asked == THE_BANK:
        moves = [f"{name} (Enter)" if name == PASS else name for name, _ in _named(sight)] + ["pays", "why"]
    elif sight.asked:
        moves = [*_bet_words(sight), *_set_words(sight), *(name for name, _ in _named(sight)), "cards", "pays", "why"]
    else:
        moves = [*_wager_words(sight, last), "pays"]
    return ", ".join([*moves, "log", "help", "quit"])


def _wager_words(sight: Sight, last: Mapping[str, int]) -> Iterator[str]:
    option = sight.wagering
    if option is None:
        banks = "decline_bank" in sight.options
        yield from ("deal (Enter)", "give back", "buy 100") if banks else ("buy 100", "pass")
        return
    names = list(wager_names(option, sight))
    told = {wager: f"{name} {_stakes(wager, option.ranges[wager], sight.game)}" for name, (wager, *_) in names}
    required = [words for wager, words in told.items() if wager not in option.optional]
    optional = [f"[{words}]" for wager, words in told.items() if wager in option.optional]
    yield " ".join(required + optional)
    if sight.placed:
        yield from ("clear", "deal (Enter)")
    else:
        yield from ("rebet",) if last else ()
        yield "pass"


def _bet_words(sight: Sight) -> Iterator[str]:
    option = sight.option("bet")
    if option is None:
        yield from ("buy 100",) if _short_of_chips(sight) else ()
        return
    amounts, stake = option.ranges["cents"], sight.game.wager(sight.asked).stake
    times = [f"{n}x" for n in range(stake.min, stake.max + 1) if n * sight.base_cents in amounts]
    yield f"bet {_dash(amounts)} ({' '.join(times)})" if times else f"bet {_dash(amounts)}"


def _set_words(sight: Sight) -> Iterator[str]:
    if "set_hand" in sight.options:
        yield "set __ __ (the two in front)"
        yield "ask"


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
