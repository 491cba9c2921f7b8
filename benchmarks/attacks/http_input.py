"""Attacks by requests: paths, fragments of code, wrong types, sizes, origins and hosts."""

from __future__ import annotations

import re
import urllib.parse
from collections.abc import Iterator
from typing import Final

from benchmarks.attacks.target import JSON, REFUSED, RULEBOOK, TABLE, UPGRADE, Headers, Target, Try, path_of
from crossfelt.server.accounts.policy import ROUTES


def traversal(target: Target) -> Iterator[Try]:
    """Paths out of the served folders, plain and encoded, to files of the machine and of the server."""
    data = str(target.directory).lstrip("/")
    files = ["etc/passwd", f"{data}/crossfelt.sqlite", f"{data}/crossfelt.key", "proc/self/environ"]
    up = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..\\", "%252e%252e%252f", "..;/", "....//", "%c0%ae%c0%ae/"]
    places = ["/web/", "/table/", "/rules/", "/api/games/", "/api/streams/", "/api/clauses/", "/console/"]
    cases = [f"{place}{step * 12}{file}" for place in places for step in up for file in files]
    cases += [f"{place}/{file}" for place in places for file in files]
    secret = re.compile(rb"root:[x*]?:0:|SQLite format 3|PRIVATE KEY|\0PATH=")
    for path in target.some(cases):
        reply = target.raw("GET", path, token=target.tokens["auditor"])
        yield f"{path}: {reply.status}", reply.status < 500 and not secret.search(reply.body)
    for path in target.some(f"{step * 12}{file}" for step in ("/", "../", "file:///") for file in files):
        reply = target.post("/api/tables", {"rulebook": path}, "player")
        yield f"rulebook {path}: {reply.status}", reply.refused


INJECTIONS: Final = (
    *("' OR '1'='1", "'; DROP TABLE records; --", '" OR ""="', "1); DELETE FROM rows; --", "admin'--", "\\'; --"),
    *("' UNION SELECT body FROM records --", "%' OR kind='password", "${7*7}", "{{7*7}}", "{0.__class__}", "%s%n"),
    *("$(id)", "`id`", "| id", "a\r\nSet-Cookie: x=1", "a%0d%0aX-Evil: 1", "=1+1", "\ud800", "a" * 60),
    *("[wagers]\nante = 0", '{"$ne": null}', "*", "(|(a=*))", "../../etc", "\N{FULLWIDTH APOSTROPHE} OR 1=1"),
)


def injection(target: Target) -> Iterator[Try]:
    """Fragments of SQL, templates, shells, headers and TOML in names, paths, searches, reasons and fields."""

    def control() -> list[int]:
        return [len(target.get("/api/accounts", "owner").data), len(target.get("/api/lobby").data["tables"])]

    before = control()
    for text in target.some(INJECTIONS):
        quoted = urllib.parse.quote(text, errors="surrogatepass")
        replies = {
            "guest": target.post("/api/guests", {"name": text}),
            "session": target.post("/api/session", {"name": text, "password": text}),
            "rulebook": target.post("/api/tables", {"rulebook": text, "id": text}, "player"),
            "table id": target.post("/api/tables", {"rulebook": RULEBOOK, "id": f"t {text}"}, "player"),
            "submission": target.post("/api/tables", {"rulebook": RULEBOOK, "submission": {text: text}}, "player"),
            "proposal": target.post(
                "/api/proposals", {"kind": text, "subject": text, "details": {}, "reason": text}, "floor"
            ),
            "typed": target.post("/api/type", {"table": TABLE, "line": text}, "player"),
            "advice": target.post("/api/advice", {"rulebook": text, "hole": text}, "player"),
            "table": target.get(f"/api/tables/{quoted}/game"),
            "stream": target.get(f"/api/streams/{quoted}", "auditor"),
            "clause": target.get(f"/api/clauses/{quoted}"),
        }
        for place, reply in replies.items():
            held = reply.status in REFUSED and "x-evil" not in reply.head and "set-cookie: x=1" not in reply.head
            yield f"{text!r} as {place}: {reply.status}", held
        for field in ("text", "who", "table", "kind", "after"):
            searched = target.get(f"/api/audit/entries?{field}={quoted}", "auditor")
            yield f"{text!r} as search for {field}: {searched.status}", searched.status in (200, *REFUSED)
        kept = target.post("/api/me/deposits", {"cents": 1, "reason": text.replace("\ud800", "")}, "player")
        yield f"{text!r} as a reason: {kept.status}", kept.status in (201, *REFUSED)
    yield f"accounts and tables: {before} and {control()}", before == control()


SCRIPTS: Final = (
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg onload=alert(1)>', "javascript:alert(1)"),
    *("</title><script>1</script>", "<iframe srcdoc='<script>1</script>'>", "{{constructor.constructor('1')()}}"),
    *("<a href=data:text/html,1>x</a>", "'-alert(1)-'", "</script><script>1", "<style>@import'//x'</style>", "<!--"),
)


def scripts(target: Target) -> Iterator[Try]:
    """Scripts stored as reasons and names, asked for in paths, and read back; and the headers of every page."""
    for text in target.some(SCRIPTS):
        stored = target.post("/api/me/deposits", {"cents": 1, "reason": text}, "player")
        named = target.post("/api/guests", {"name": text})
        yield f"{text} as a name: {named.status}", named.refused
        account = target.get("/api/me", "player").data["account"]
        quoted = urllib.parse.quote(text)
        pages = [target.get(f"/api/audit/entries?text={quoted}", "auditor"), stored]
        pages += [target.get(f"/api/streams/account%2F{urllib.parse.quote(account)}", "auditor")]
        pages += [
            target.get(f"{place}{quoted}") for place in ("/table/", "/rules/", "/api/games/", "/nothing/", "/console/")
        ]
        for page in pages:
            shown = "text/html" in page.head and text.encode() in page.body
            yield f"{text} read back: {page.status}", not shown and page.status < 500 and "nosniff" in page.head
    for route in target.some(it for it in ROUTES if it.startswith("GET /") and ROUTES[it].public and "/live" not in it):
        page = target.get(path_of(route.partition(" ")[2]))
        held = "script-src 'self';" in page.head and "frame-ancestors 'none'" in page.head and "nosniff" in page.head
        yield f"headers of {route}", held and b" onclick=" not in page.body and b"<script>" not in page.body


def content_types(target: Target) -> Iterator[Try]:
    """JSON in bodies that do not say so, on every route that takes JSON: forms, plain text, none."""
    kinds = (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "",
    )
    for method, path, who, _ in target.written_routes():
        for kind in target.some(kinds):
            headers = [("Content-Type", kind)] if kind else []
            reply = target.raw(method, path, b'{"name": "Ann"}', headers, target.tokens[who])
            yield f"{method} {path} as {kind}: {reply.status}", reply.status == 400 and reply.refused


def bad_utf8(target: Target) -> Iterator[Try]:
    """Bytes that are not UTF-8 in the JSON of every route that takes JSON."""
    wrong = (
        b'{"name":"\xff\xfeab"}',
        b'{"\xc0\xaf":1}',
        b'"\xed\xa0\x80"',
        b'{"name":"\xf8\x88\x80\x80\x80"}',
        b"\xfe\xff\0{",
    )
    for method, path, who, _ in target.written_routes():
        for body in target.some(wrong):
            reply = target.raw(method, path, body, [JSON], target.tokens[who])
            yield f"{method} {path} with {body!r}: {reply.status}", reply.status == 400 and reply.refused


def wrong_types(target: Target) -> Iterator[Try]:
    """Numbers as text, text as numbers, fractions, infinite and huge numbers, lists and nothing in every field."""
    whole = (
        b'"100"',
        b'"1e2"',
        b"1.5",
        b"true",
        b"null",
        b"[]",
        b"{}",
        b"1e400",
        b"-0.0",
        b"9" * 400,
        b"NaN",
        b"[[1]]",
    )
    for method, path, who, shape in target.written_routes():
        for field, stated in shape.get("properties", {}).items():
            kind = stated.get("type")
            wrong = whole if kind == "integer" else (b"5", b"true", b"[]") if kind == "string" else ()
            for value in target.some(wrong):
                reply = target.raw(method, path, b'{"%s": %s}' % (field.encode(), value), [JSON], target.tokens[who])
                yield f"{method} {path} {field}={value[:9]!r}: {reply.status}", reply.status == 400 and reply.refused


def large(target: Target) -> Iterator[Try]:
    """Bodies and heads that are too long or too deep, and heads that contradict themselves."""
    deep = [
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000,
        b"[" * 300_000,
        b'{"name":' + b"[" * 5000 + b"]" * 5000 + b"}",
    ]
    long = [b'{"name": "%s"}' % (size * b"a") for size in (100, 10_000, 3 << 20, 20 << 20)]
    many = [b"{%s}" % b",".join(b'"k%d":1' % at for at in range(50_000)), b'{"cents": %s}' % (b"9" * 1_000_000)]
    for method, path, who, _ in target.some(target.written_routes()):
        for body in target.some([*deep, *long, *many]):
            reply = target.raw(method, path, body, [JSON], target.tokens[who])
            yield f"{len(body):,} bytes to {path}: {reply.status}", reply.status in (0, *REFUSED)
    heads: list[Headers] = [[("X-Long", "a" * size)] for size in (33_000, 100_000, 1 << 20)]
    heads += [[(f"X-{at}", "a") for at in range(count)] for count in (101, 1_000, 10_000)]
    twice = [("Host", "127.0.0.1"), ("Authorization", "Bearer a"), ("Origin", "http://127.0.0.1")]
    heads += [[("Host", target.host), header, header] for header in twice]
    heads += [[("Transfer-Encoding", "chunked"), ("Content-Length", "5")], [("Content-Length", "-1")]]
    heads += [[("Content-Length", "5"), ("Content-Length", "6")], [("Transfer-Encoding", "chunked, identity")]]
    for head in target.some(heads):
        reply = target.raw("GET", "/api/lobby", b"0\r\n\r\nGET /x HTTP/1.1\r\n\r\n" * ("Transfer" in head[0][0]), head)
        yield f"head {head[0][0]} × {len(head)}: {reply.status}", reply.status in (0, *REFUSED)


def origins(target: Target) -> Iterator[Try]:
    """Requests and WebSockets from pages of other sites, and to hosts that this server is not."""
    port = target.host.rpartition(":")[2]
    near = f"http://{target.host}"
    foreign = f"https://{target.host} null http://evil.example http://[ {near}.evil.example file:// ws://{target.host}".split()
    foreign += f"http://evil.example@{target.host} http://127.0.0.1 http://localhost {near}/ {near}1".split()
    foreign += ["a b", f"{near} http://evil.example"]
    hosts = f"evil.example 127.0.0.1:{port}@evil evil@127.0.0.1:{port} 127.0.0.1:80:80 [::1 127.0.0.1/evil".split()
    hosts += ["127.0.0.1.evil.example", "127.1", "0x7f000001", "2130706433", "127.0.0.1:99999999", "localhost.evil"]
    hosts += ["", "127.0.0.1 evil"]
    live = f"/api/tables/{TABLE}/live?as=player"
    token = target.tokens["player"]
    for method, path, data, more in (
        ("POST", "/api/guests", b"{}", ()),
        ("POST", "/api/me/deposits", b'{"cents":1}', ()),
        ("DELETE", "/api/session", b"", ()),
        ("GET", live, b"", UPGRADE),
    ):
        for origin in target.some(foreign):
            reply = target.raw(method, path, data, [JSON, ("Origin", origin), *more], token)
            yield f"{method} {path} from {origin}: {reply.status}", reply.status in REFUSED
        for host in target.some(hosts):
            reply = target.raw(method, path, data, [JSON, ("Host", host), *more], token)
            yield f"{method} {path} to {host}: {reply.status}", reply.status in REFUSED
