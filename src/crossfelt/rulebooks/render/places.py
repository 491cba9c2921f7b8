"""The groups of cards on the felt: where each lies, and the name of each place from the player's or the dealer's side.

Positions follow from a group's shape and the order of its places. A cross lists them as the dealer sees it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from crossfelt.rulebooks.hand_forms import Group
from crossfelt.rulebooks.model import Rulebook
from crossfelt.rulebooks.render.phrases import as_words

Side = Literal["dealer", "player"]
CROSS: Final[Mapping[Side, tuple[str, ...]]] = {
    "dealer": ("far", "left", "middle", "right", "near"),
    "player": ("bottom", "right", "middle", "left", "top"),
}
OWNERS: Final = ("dealer", "community", "seat")


def groups_on_felt(book: Rulebook) -> Iterator[dict[str, Any]]:
    """Yield the groups of the dealer, of the table and of a seat; a group of all positions is one of each.

    >>> from crossfelt.rulebooks.loader import load
    >>> for group in groups_on_felt(load("nj-double-cross")):
    ...     print(group["owner"], group["shape"], *group["names"])
    dealer pair dealer 1 dealer 2
    community cross bottom right middle left top
    seat pair card 1 card 2
    """
    for owner in OWNERS:
        for group in book.groups:
            if group.owner == owner or (group.owner == "positions" and owner != "community"):
                yield {
                    "id": group.id,
                    "owner": owner,
                    "shape": group.shape,
                    "places": places_of(group, owner),
                    "names": names_of(group, owner, "player"),
                    "labels": _printed(book, group) if owner == "community" else (),
                }


def places_of(group: Group, owner: str) -> tuple[str, ...]:
    """Return the places of a group; the dealer's have a prefix, since a seat may have the same."""
    return tuple(f"dealer_{name}" for name in group.names) if owner == "dealer" else group.names


def names_of(group: Group, owner: str, side: Side) -> tuple[str, ...]:
    """Return the name of each place in words, as one side of the table sees it."""
    if group.shape == "cross" and len(group.names) == len(CROSS[side]):
        return CROSS[side]
    if owner != "community":
        return tuple(f"{'dealer' if owner == 'dealer' else 'card'} {at}" for at in range(1, len(group.names) + 1))
    if not group.labels:
        return tuple(map(as_words, group.names))
    numbered, seen = Counter(group.labels), Counter[str]()
    names = []
    for label in group.labels:
        seen[label] += 1
        names.append(f"{label} {seen[label]}" if numbered[label] > 1 else label)
    return tuple(names)


def _printed(book: Rulebook, group: Group) -> tuple[str, ...]:
    """Return the label printed for each place: the group's own, or the layout's with which the place's name begins."""
    labels = book.table.layout.community_labels
    if group.labels or not labels:
        return group.labels
    return tuple(next((label for label in labels if name.startswith(label.lower())), "") for name in group.names)
