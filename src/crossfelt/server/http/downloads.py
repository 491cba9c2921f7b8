"""Responses that a browser saves as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from litestar import Response


def attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def csv_text(rows: Iterable[Iterable[object]], line_end: str = "\r\n") -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator=line_end).writerows(rows)
    return file.getvalue()


def csv_file(name: str, rows: Iterable[Iterable[object]]) -> Response[str]:
    return Response(csv_text(rows), media_type="text/csv", headers=attachment(name))
