"""The files of the pages, read once at start. Browsers cache them for ever, by the version in their URL."""

from __future__ import annotations

import hashlib
import mimetypes
from importlib.resources import as_file, files
from typing import Any, Final, NamedTuple

from litestar import Response, route
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from crossfelt.server.http.errors import http_error
from crossfelt.server.http.middleware.host_and_origin import SAFE_METHODS
from crossfelt.server.http.request import AnyRequest

MEDIA_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
IMMUTABLE: Final = "public, max-age=31536000, immutable"
REVALIDATE: Final = "no-cache"
NO_PAGES: Final = ("/api", "/web/")
"""Prefixes of paths that programs use: a wrong path gets problems, not a page."""
PAGES: Final = (
    *("/", "/lobby", "/table/{rest:path}", "/rules", "/rules/{rest:path}"),
    *("/laboratory", "/laboratory/{rest:path}", "/settings", "/review/{rest:path}"),
    *("/history/{rest:path}", "/proof/{rest:path}", "/train", "/console", "/console/{rest:path}"),
)


class File(NamedTuple):
    """A file to serve."""

    body: bytes
    media_type: str
    etag: str


def read_web() -> tuple[str, dict[str, File]]:
    """Return the version of all files together, and each file by its path."""
    with as_file(files("crossfelt") / "web") as web:
        found = {path.relative_to(web).as_posix(): path.read_bytes() for path in web.rglob("*") if path.is_file()}
    version = hashlib.sha256()
    for path, body in sorted(found.items()):
        version.update(path.encode() + b"\0" + hashlib.sha256(body).digest())
    return version.hexdigest()[:16], {path: _file(path, body) for path, body in found.items()}


def _file(path: str, body: bytes) -> File:
    suffix = f".{path.rpartition('.')[2]}"
    media_type = MEDIA_TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    return File(body, media_type, f'"{hashlib.sha256(body).hexdigest()[:16]}"')


class StaticFiles:
    """Every page is the same document. Its files lie under `/web/`, with or without the version."""

    def __init__(self) -> None:
        self._version, self._found = read_web()
        index = self._found["index.html"].body
        self._index = _file("index.html", index.replace(b'"/web/', b'"/web/%b/' % self._version.encode()))

    def handlers(self) -> list[HTTPRouteHandler]:
        version, found, index = self._version, self._found, self._index

        @route(list(PAGES), http_method=["GET", "HEAD"], include_in_schema=False, sync_to_thread=False)
        def page(request: AnyRequest) -> Response[bytes]:
            return _answer(request, index, REVALIDATE)

        @route("/web/{path:path}", http_method=["GET", "HEAD"], include_in_schema=False, sync_to_thread=False)
        def file(request: AnyRequest, path: FromPath[str]) -> Response[bytes]:
            name = path.lstrip("/")
            versioned = name.startswith(f"{version}/")
            wanted = found.get(name.removeprefix(f"{version}/"))
            if wanted is None:
                raise NotFoundException(detail="no such file")
            return _answer(request, wanted, IMMUTABLE if versioned else REVALIDATE)

        @route("/favicon.ico", http_method=["GET", "HEAD"], include_in_schema=False, sync_to_thread=False)
        def icon(request: AnyRequest) -> Response[bytes]:
            """Return the icon for documents that name none: JSON, text, a saved report."""
            return _answer(request, found["icon.svg"], REVALIDATE)

        return [page, file, icon]

    def missing(self, request: AnyRequest, error: NotFoundException) -> Response[Any]:
        """Answer a wrong link with the page, which says so, and a program with problems."""
        if request.method not in SAFE_METHODS or request.scope["path"].startswith(NO_PAGES):
            return http_error(request, error)
        return Response(self._index.body, status_code=error.status_code, media_type=self._index.media_type)


def _answer(request: AnyRequest, file: File, cache_control: str) -> Response[bytes]:
    headers = {"ETag": file.etag, "Cache-Control": cache_control}
    if request.headers.get("if-none-match") == file.etag:
        return Response(b"", status_code=304, headers=headers, media_type=file.media_type)
    return Response(file.body, headers=headers, media_type=file.media_type)
