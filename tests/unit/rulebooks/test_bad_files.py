"""Files that make no sense: each is refused in lines that name the place and what is allowed, and never crashes."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from crossfelt.errors import BadInput
from crossfelt.rulebooks.loader import load

GAME = files("crossfelt.rulebooks").joinpath("new_game.toml").read_text("utf-8").replace('"NAME"', '"own-game"')
GAME = GAME.replace('"LABEL"', '"own_game"')
HEAD = 'schema = 2\nid = "other"\nversion = "1.0.0"\ntitle = "Other"\n'
NEW_HAND = "# --- wagers"
SETTLE = 'settle = [{ pay = "main", on = "final" }]'
DECIDE = re.search(r'\[\[script\]\]\nstep = "decide".*?\n\]\n\n', GAME, re.DOTALL)
DEAL = re.search(r'\[\[script\]\]\nstep = "deal".*?\n\n', GAME, re.DOTALL)
assert DECIDE
assert DEAL


def game(old: str, new: str) -> str:
    """Return the new game with one change."""
    assert old in GAME, old
    return GAME.replace(old, new, 1)


def table(text: str) -> str:
    return game(NEW_HAND, f"{text}\n{NEW_HAND}")


def before_settle(text: str) -> str:
    return game('[[script]]\nstep = "settle"', f'{text}\n[[script]]\nstep = "settle"')


CASES: dict[str, tuple[str | bytes, str]] = {
    # the file
    "an empty file": ("", "schema: missing (allowed: 2)"),
    "JSON in a TOML file": ('{"schema": 2}', "not TOML: Invalid statement (at line 1, column 1)"),
    "bytes": (bytes(range(256)), "cannot be read: not UTF-8 text"),
    "a key twice": (game("schema = 2", "schema = 2\nschema = 2"), "not TOML: Cannot overwrite a value"),
    "lists too deep": ("a = " + "[" * 500 + "]" * 500, "not TOML: nested too deeply"),
    "an old schema": (game("schema = 2", "schema = 1"), "schema: unknown value: 1 (allowed: 2)"),
    "an id with spaces": (
        game('"own-game"', '"Own Game"'),
        "id: not allowed: 'Own Game' (allowed: small letters and digits, with single hyphens between words)",
    ),
    # shapes
    "a key misspelt": (game("required", "requierd"), "wager (ante).requierd: unknown key; did you mean required?"),
    "a table misspelt": (game("[[paytable]]", "[[paytabel]]"), "paytabel: unknown key; did you mean paytable?"),
    "a step misspelt": (
        game('"decide"', '"decied"'),
        "script (raise_or_fold).step: unknown value: 'decied' (allowed: offer_bank",
    ),
    "a number in letters": (game("cards = 2", 'cards = "two"'), "group (hole).cards: not a whole number: 'two'"),
    "a text for a list": (game(SETTLE, 'settle = "main"'), "wager (ante).settle: not a list: 'main'"),
    "a number for a table": (game('stake = { posted = "ante" }', "stake = 5"), "wager (ante).stake: not a table: 5"),
    "a plain setting": (
        GAME + "\n[settings]\ncut_min_cards = 10\n",
        "settings.cut_min_cards: not a table: 10 (allowed: { value = … })",
    ),
    "a mark of two words": (
        table(
            '[[hand]]\nid = "pair"\nof = ["hole"]\norder = "two_card"\nmarks = { "a b" = { is = { hand = "pair" } } }'
        ),
        "hand (pair).marks: not allowed: 'a b' (allowed: a name of small letters, digits and underscores)",
    ),
    "a ceiling by the dealer's hand": (
        game('{ bet = "raise" }', '{ bet = "raise", most = [{ when = { "dealer.final" = "high" }, times = 2 }] }'),
        "actions[0].most[0].when: not allowed: 'dealer.final'",
    ),
    "half an ante": (game("min = 1", "min = 0.5"), "wager (raise).stake.min: not a whole number: 0.5"),
    "bets of a million antes": (
        game("max = 3", "max = 1000000"),
        "stake.max: too large: 1000000 (allowed: at most 1000)",
    ),
    "odds of twenty digits": (
        game("250 to 1", "9" * 20 + " to 1"),
        "lines[0].odds: not odds: '99999999999999999999 to 1'",
    ),
    "a ten in digits": (game('low = "J"', 'low = "10"'), "low: not allowed: '10' (allowed: one of 2 3 4"),
    "a result that is none": (
        game(SETTLE, 'settle = [{ versus = ["final", "final"], win = "one" }]'),
        """win: not allowed: 'one' (allowed: "A to B", "A for B", "push" or "lose", or { pay = …, on = … })""",
    ),
    "an id of a clause": (
        GAME + '\n[[clause]]\nid = "one"\ncitation = "1"\nsays = "x"\n',
        "clause (one).id: not allowed: 'one' (allowed: two to five capitals, a hyphen and a number: RS-1)",
    ),
    # cards and hands
    "a hand of a hand": (
        table('[[hand]]\nid = "a"\nof = ["final"]\norder = "five_card"\n'),
        "hand (a): no such group or place: 'final' (allowed: hole, board,",
    ),
    "hands of each other": (
        table('[[hand]]\nid = "a"\nhighest_of = ["b", "final"]\n[[hand]]\nid = "b"\nhighest_of = ["a", "final"]\n'),
        "hand (a): no such hand: 'b' (allowed: final)",
    ),
    "an order without categories": (
        table('[[order]]\nid = "mine"\ncards = 5\ncategories = []\n'),
        "order (mine).categories: empty list (allowed: at least 1)",
    ),
    "a new category": (
        table('[[order]]\nid = "mine"\ncards = 5\ncategories = ["rainbow"]\n'),
        "order (mine): no such category: 'rainbow' (allowed: royal_flush,",
    ),
    "three cards for five": (
        game('order = "five_card"', 'order = "three_card"'),
        "wrong number of cards: 5 (allowed: 3",
    ),
    "seven seats and too many cards": (
        game(NEW_HAND, f"[table]\nseats = 7\n{NEW_HAND}").replace("cards = 2", "cards = 9"),
        "script[2] (deal): a full table needs too many cards: 66 (allowed: at most 52)",
    ),
    "a label too few": (
        game('"First", "Second", "Third"', '"First"'),
        "labels another number of cards: 1 (allowed: 3)",
    ),
    # wagers and pay tables
    "no rule": (game(SETTLE, "settle = []"), "wager (ante).settle: needs at least one rule"),
    "a rule after one that always applies": (
        game(SETTLE, 'settle = [{ odds = "1 to 1" }, { pay = "main", on = "final" }]'),
        "wager (ante).settle[1]: a rule above applies always",
    ),
    "a hand against itself": (
        game(SETTLE, 'settle = [{ versus = ["final", "final"], win = "1 to 1" }]'),
        "wager (ante).settle[0]: compares a hand with itself: 'final'",
    ),
    "a dealer who has no cards": (
        game(SETTLE, 'settle = [{ versus = ["final", "dealer.final"], win = "1 to 1" }]'),
        "wager (ante).settle[0]: the dealer has no hand: 'dealer.final'",
    ),
    "a mark that is not there": (
        game(SETTLE, 'settle = [{ when = { final = "good" }, pay = "main", on = "final" }]'),
        "wager (ante).settle[0]: final has no such mark: 'good' (allowed: none)",
    ),
    "a stake of itself": (game('of = "ante"', 'of = "raise"'), "the stake is a multiple of itself: 'raise of raise'"),
    "stakes of each other": (
        game('stake = { posted = "ante" }', 'stake = { of = "raise" }'),
        "wager (ante): the stake is a multiple of itself: 'ante of raise of ante'",
    ),
    "a multiple before the cards": (
        game('wagers = ["ante"', 'wagers = ["raise", "ante"'),
        "script[0] (open_bets).wagers: a multiple of another wager is no stake before the cards; a group has equal",
    ),
    "a bet that is no multiple": (
        game('stake = { of = "ante", min = 1, max = 3, whole = true }', 'stake = { posted = "raise" }'),
        "script[4] (raise_or_fold).actions[0].bet: a bet is a multiple of another wager: 'raise' (allowed: of)",
    ),
    "a wager that needs itself": (game("required = true", 'needs = ["ante"]'), "wager (ante): needs itself: 'ante'"),
    "no pay lines": (
        re.sub(r"lines = \[.*?\n\]", "lines = []", GAME, flags=re.DOTALL),
        "(main).lines: a pay table needs a line",
    ),
    "a hand that no order has": (
        game('"full_house"', '"ful_house"'),
        "unknown hand: 'ful_house' (allowed: flush, four_",
    ),
    # the round
    "no actions": (re.sub(r"actions = \[.*?\n\]", "actions = []", GAME, flags=re.DOTALL), "a decision without actions"),
    "a decision before the deal": (
        GAME.replace(DECIDE[0], "").replace(DEAL[0], DECIDE[0] + DEAL[0]),
        "script[2] (raise_or_fold): a decision comes before the cards are dealt",
    ),
    "a fold that forgets a wager": (
        game(', forfeits = ["ante"]', ""),
        "a fold neither forfeits nor keeps this wager: 'ante'",
    ),
    "cards turned up again": (
        before_settle('[[script]]\nstep = "reveal"\nid = "again"\ncards = ["board"]\n'),
        "script[6] (again).cards: turns up no card that still lies face down",
    ),
    "two hands without a split": (
        before_settle('[[script]]\nstep = "set_hands"\nid = "set"\nwho = "players"\n'),
        "script[6] (set): this step needs cards that are split into two hands (allowed: split)",
    ),
    "a bank without a split": (
        game("# --- the round", '[[script]]\nstep = "offer_bank"\nid = "bank"\n# --- the round'),
        "script[0] (bank): this step needs cards that are split into two hands",
    ),
    "the board shown as one's own": (
        game('{ bet = "raise" }', '{ bet = "raise" }, { expose = "board" }'),
        "not a group of the player's own cards: 'board' (allowed: hole)",
    ),
    # a rulebook that extends another
    "a file that extends itself": (
        f'extends = "own.toml"\n{HEAD}',
        "extends: a rulebook cannot extend itself: 'own.toml'",
    ),
    "files that extend each other": (f'extends = "other.toml"\n{HEAD}', "the files extend each other: 'own.toml'"),
    "a base that is not there": (f'extends = "nothing.toml"\n{HEAD}', "extends: no such file: 'nothing.toml'"),
    "a base by number": (f"extends = 5\n{HEAD}", "extends: no such rulebook: '5' (allowed: "),
    "something dropped of nothing": (
        f'{GAME}\n[drop]\nwager = ["ante"]\n',
        "drop: only a rulebook that extends another can",
    ),
    "an unknown item dropped": (
        f'extends = "base.toml"\n{HEAD}\n[drop]\nwager = ["rise"]\n',
        "drop.wager: the other rulebook has no such item: 'rise' (allowed: ante, raise)",
    ),
    "an item dropped where there are none": (
        f'extends = "base.toml"\n{HEAD}\n[drop]\nschema = ["rise"]\n',
        "drop.schema: the other rulebook has no such item: 'rise'",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_file_that_makes_no_sense_is_refused_in_words(name: str, tmp_path: Path) -> None:
    text, says = CASES[name]
    own = tmp_path / "own.toml"
    own.write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "other.toml").write_text(f'extends = "own.toml"\n{HEAD}')
    (tmp_path / "base.toml").write_text(GAME)
    with pytest.raises(BadInput) as refused:
        load(str(own))
    lines = [str(problem) for problem in refused.value.problems]
    assert any(says in line for line in lines), lines
    assert all(line.startswith(str(tmp_path)) for line in lines)
    assert len(lines) == len(set(lines))
    assert "^" not in "".join(lines)


def test_a_fault_of_shape_makes_no_fault_of_cards_by_number(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(game('of = ["hole", "board"]', 'of = ["hole.1", "hole.2", "board"]').replace("required", "requierd"))
    with pytest.raises(BadInput) as refused:
        load(str(own))
    assert [problem.code for problem in refused.value.problems] == ["key.unknown"]


def test_a_misspelt_key_hides_no_other_fault(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = (
        game("required", "requierd")
        .replace('posted = "ante"', 'postd = "ante"')
        .replace("[[paytable]]", "[[paytabel]]")
    )
    own.write_text(text.replace('forfeits = ["ante"]', 'forfeits = ["auntie"]'))
    with pytest.raises(BadInput) as refused:
        load(str(own))
    assert sorted(problem.code for problem in refused.value.problems) == [*["key.unknown"] * 3, *["script.fold"] * 2]


def test_a_key_that_is_only_a_little_like_another_makes_no_second_fault(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(game("required = true", 'required = true\nranks = ["A"]'))
    with pytest.raises(BadInput) as refused:
        load(str(own))
    assert [problem.code for problem in refused.value.problems] == ["key.unknown"]


def test_a_second_deal_brings_no_second_stub(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    again = '[[script]]\nstep = "deal"\nid = "again"\ndeliver = [{ to = "board" }]\n\n[[script]]\nstep = "reveal"'
    own.write_text(game("# --- the round", again).replace(', { to = "board" }]', "]"))
    with pytest.raises(BadInput) as refused:
        load(str(own))
    assert not [str(problem) for problem in refused.value.problems if "stub" in str(problem)]


def test_the_game_itself_is_sound(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(GAME)
    assert load(str(tmp_path / "own.toml")).id == "own-game"
