"""Attacks by people and on accounts: roles, private tables, two people, names, sessions, log-in."""

from __future__ import annotations

import secrets
import string
import urllib.parse
from collections.abc import Callable, Iterator
from typing import Any, Final

from benchmarks.attacks.target import REFUSED, RULEBOOK, Target, Try, path_of
from benchmarks.server import PASSWORD
from crossfelt.server.accounts.policy import ROUTES


def roles(target: Target) -> Iterator[Try]:
    """Every route, as a stranger and in every role that its policy excludes."""
    cases = [
        (route, who)
        for route, policy in ROUTES.items()
        for who in target.tokens
        if not policy.public and who not in policy.roles and not route.endswith("/live")
    ]
    for route, who in target.some(cases):
        method, _, template = route.partition(" ")
        reply = target.send(method, path_of(template), None if method == "GET" else {}, target.tokens[who])
        yield f"{route} as {who}: {reply.status}", reply.status in (401, 403)


def private_tables(target: Target) -> Iterator[Try]:
    """Every route of another player's private table: it must look like one that does not exist."""
    theirs = target.send("POST", "/api/tables", {"rulebook": RULEBOOK}, target.guest()).data["id"]
    cases = [route for route, policy in ROUTES.items() if "{table}" in route and "player" in policy.roles]
    for route in target.some(cases):
        method, _, template = route.partition(" ")
        data: Any = None if method == "GET" else {}
        found, missing = (
            target.send(method, path_of(template, it), data, target.tokens["player"]) for it in (theirs, 10 * "x")
        )
        same = found.body.replace(theirs.encode(), b"") == missing.body.replace(10 * b"x", b"")
        yield f"{route}: {found.status} and {missing.status}", found.status == missing.status in REFUSED and same


def alone(target: Target) -> Iterator[Try]:
    """Acts that take two people, by one: money for the own account, the own proposal approved, more roles."""
    floor = target.get("/api/me", "floor").data["account"]
    place = f"/api/accounts/{urllib.parse.quote(floor)}"
    player = target.get("/api/me", "player").data["account"]
    for cents in target.some(range(1, 100_000_00, 500_000)):
        reply = target.post(f"{place}/deposits", {"cents": cents, "reason": "mine"}, "floor")
        yield f"own deposit: {reply.status}", reply.refused
    for cents in target.some(range(-20_00, 20_00, 200)):
        details = {"cents": str(cents or 1)}
        asked = {"kind": "correction", "subject": f"account/{player}", "details": details, "reason": "a test"}
        proposed = target.post("/api/proposals", asked, "floor")
        number = proposed.data.get("number", 0)
        reply = target.post(f"/api/proposals/{number}/approval", {}, "floor")
        yield f"own proposal {number} approved: {reply.status}", reply.refused
        own = {**asked, "subject": f"account/{floor}"}
        reply = target.post("/api/proposals", own, "floor")
        yield f"own account corrected: {reply.status}", reply.refused
    other = f"/api/accounts/{urllib.parse.quote(player)}"
    for given in target.some([["owner"], ["floor"], ["dealer"], ["auditor"], ["floor", "auditor"]]):
        for who, path in (("floor", place), ("floor", other), ("owner", other)):
            reply = target.send("PUT", f"{path}/roles", {"roles": given}, target.tokens[who])
            yield f"roles {given} by {who}: {reply.status}", reply.refused


LOOK_ALIKE_ROLES: Final = ("owner", "floor", "dealer", "admin", "house", "auditor", "cashier", "system")


def names(target: Target) -> Iterator[Try]:
    """Names that look like a role or like another name: digits, spaces, other alphabets, invisible signs."""
    ways: list[Callable[[str], str]] = [
        *(str.upper, str.title, lambda it: f"{it} 1", lambda it: f"{it}-2", lambda it: f" {it} "),
        *(lambda it: it.replace("o", "0"), lambda it: it.replace("e", "3"), lambda it: it.replace("a", "4")),
        *(lambda it: it.replace("o", "\u043e"), lambda it: it.replace("e", "\u0435")),  # Cyrillic
        *(lambda it: it.replace("a", "\u0430"), lambda it: it.replace("o", "\u03bf")),  # Cyrillic, Greek
        *(lambda it: it[0] + "\N{ZERO WIDTH SPACE}" + it[1:], lambda it: it + "\N{RIGHT-TO-LEFT OVERRIDE}"),
        *(lambda it: it + "\N{HANGUL FILLER}", lambda it: it[0] + "\N{SOFT HYPHEN}" + it[1:]),
        lambda it: "".join(chr(ord(letter) + 0xFEE0) for letter in it),  # full width
    ]
    fixed = ["Guest 123456", "\u01c3", "<b>", "a" * 25, "a", "", "\0ann", "../ann", "Ann and Ben"]
    tried = {way(role) for role in LOOK_ALIKE_ROLES for way in ways} | set(fixed)
    for name in target.some(sorted(tried)):
        reply = target.post("/api/guests", {"name": name})
        yield f"{name!r}: {reply.status}", reply.refused


def sessions(target: Target) -> Iterator[Try]:
    """A session that the attacker has fixed, altered, ended or guessed."""
    password = "a horse, a battery and a staple"
    for number in range(len(target.some(range(10)))):
        name = f"Victim {secrets.token_hex(4)}"
        fixed = secrets.token_hex(32) if number % 2 else target.guest()
        cookie = [("Cookie", f"crossfelt_session={fixed}")]
        begun = target.post("/api/accounts", {"name": name, "password": password}, headers=cookie).data["token"]
        yield "a fixed session is taken over", begun != fixed and who_is(target, fixed) != name
        other = target.post("/api/session", {"name": name, "password": password}).data["token"]
        newer = target.send("PUT", "/api/me/password", {"old": password, "new": password[::-1]}, begun).data["token"]
        for what, token in (("its own", begun), ("another", other)):
            yield f"{what} session after a change of the password", who_is(target, token) is None
        for _ in range(5):
            at = target.chance.randrange(len(newer))
            changed = newer[:at] + target.chance.choice(string.ascii_letters.replace(newer[at], "")) + newer[at + 1 :]
            yield "an altered token", who_is(target, changed) is None
        for guess in (name, "' OR 1=1 --", newer[:-1], newer + "0", newer * 50):
            yield "a guessed token", who_is(target, guess) is None
        target.send("DELETE", "/api/session", None, newer)
        yield "a session after log-out", who_is(target, newer) is None


def who_is(target: Target, token: str) -> str | None:
    reply = target.send("GET", "/api/me", None, token)
    return str(name) if reply.status == 200 and (name := reply.data["name"]) else None


def log_ins(target: Target) -> Iterator[Try]:
    """Guessed passwords of one name, and of many names from one address."""
    name = target.get("/api/me", "auditor").data["account"]
    guesses, looked_at = target.some(range(300)), 0
    for number in guesses:
        asked = {"name": name if number % 2 else f"Nobody {number}", "password": f"a guess, number {number}"}
        reply = target.post("/api/session", asked)
        looked_at += reply.status == 401
        yield f"guess {number}: {reply.status}", reply.status == 429 or (reply.status == 401 and looked_at <= 40)
    right = target.post("/api/session", {"name": name, "password": PASSWORD})
    yield "the right password, guessed in the wait", len(guesses) < 60 or right.status == 429
