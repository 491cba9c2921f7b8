"""The ledger: accounts always sum to zero, and only the cage may be negative."""

from __future__ import annotations

import pytest

from crossfelt.money.ledger import CAGE, TRAY, Posting, Unbalanced, check, chips_of, post, risk_of
from properties import given, st

ACCOUNTS = (CAGE, TRAY, chips_of(1), risk_of(1), chips_of(2))
postings = st.builds(Posting, st.sampled_from(ACCOUNTS), st.sampled_from(ACCOUNTS), st.integers(-5, 100))


@given(st.lists(postings, max_size=30))
def test_postings_balance_and_others_are_refused(moves: list[Posting]) -> None:
    balances: dict[str, int] = {}
    for move in moves:
        covered = move.source == CAGE or balances.get(move.source, 0) >= move.cents
        if move.cents < 0 or not covered:
            with pytest.raises(Unbalanced):
                post(balances, [move])
            continue
        balances = post(balances, [move])
        assert sum(balances.values()) == 0
        assert all(cents > 0 for account, cents in balances.items() if account != CAGE)
        assert 0 not in balances.values()
        check(balances)


def test_posting_leaves_the_balances_before_it_alone() -> None:
    before = {CAGE: -500, TRAY: 500}
    post(before, [Posting(TRAY, CAGE, 500)])
    assert before == {CAGE: -500, TRAY: 500}


@pytest.mark.parametrize("balances", [{TRAY: 1}, {CAGE: -500, TRAY: 499}])
def test_accounts_that_do_not_sum_to_zero_are_found(balances: dict[str, int]) -> None:
    with pytest.raises(Unbalanced, match="sum to"):
        check(balances)
