"""`crossfelt fair`: check a round against what the house had fixed before the bets closed, and the players' seeds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec

from crossfelt._util.bounded_input import bounded
from crossfelt.cli.options import AsJson, argument, option
from crossfelt.cli.output import answer, require_sound, unreadable
from crossfelt.errors import BadInput
from crossfelt.proof.fair_round import FairRound, check_round, gaps
from crossfelt.proof.signed_heads import VerifyingKey
from crossfelt.text_layout import columns


def fair(
    file: Annotated[Path, argument("FILE", "A closed round, as JSON from the server.")],
    root: Annotated[str, option("HEX", "Root of the commitment, as published before the bets closed.")] = "",
    key: Annotated[Path | None, option("FILE", "Public key of the house, for the receipt.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check that the house did not choose the cards: receipt, deck, players' seeds, order and cards of a round.

    The file contains a root of its own. It proves something if it has your receipt, or if you give the root that you
    noted before betting with --root. The verdict says what is missing. Exits with 1 if anything does not match.
    """
    played, root = _read(file), root.strip().lower()
    trusted = VerifyingKey.read(key) if key is not None else None
    try:
        findings = list(check_round(played, root=root, key=trusted))
        missing = list(gaps(played, root=root))
    except (LookupError, TypeError, ValueError) as error:
        raise BadInput.at(str(file), "fair.shape", f"an event of the round cannot be read: {error}") from None
    wrong = [found for found in findings if not found.holds]
    verdict = f"all {len(findings)} checks hold"
    if missing:
        verdict += f", but nothing here shows that {' or that '.join(it.unproved for it in missing)}"
    if wrong or not findings:
        verdict = f"{len(wrong)} of {len(findings)} checks FAIL" if wrong else "nothing to check"
    told = {"findings": [it._asdict() for it in findings], "gaps": [it._asdict() for it in missing]}
    data = {"round": played.round, "root": played.commitment.root, **told, "verdict": verdict}
    rows = [*((it.what, it.says) for it in findings), *((it.what, it.says) for it in missing)]
    answer(data, [f"root {played.commitment.root}", *columns(rows, indent=2), verdict], as_json=as_json)
    require_sound(bool(findings) and not wrong)


class _Fixed(msgspec.Struct):
    """The commitment of a round alone; none where the cards were physical."""

    commitment: Any = msgspec.UNSET


def _read(file: Path) -> FairRound:
    try:
        content = bounded(file.read_bytes())
        if msgspec.json.decode(content, type=_Fixed).commitment is None:
            what = "the cards of this round were physical: the house had fixed no order, so there is nothing to check"
            raise BadInput.at(str(file), "fair.physical", what)
        return msgspec.json.decode(content, type=FairRound)
    except OSError as error:
        raise unreadable(file, error) from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise BadInput.at(str(file), "fair.shape", f"not the JSON record of a round: {error}") from None
