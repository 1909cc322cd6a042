"""What reports look like: the JSON that the command prints, as dictionaries."""

from __future__ import annotations

from typing import Any, TypedDict

__all__ = ["Aligned", "Alike", "Match"]


class _Match(TypedDict):
    #: What names it on the command line.
    place: str
    #: By which rule it was found.
    rule: Any
    #: That rule in words.
    meaning: str
    #: How sure it is: `content`, `exact`, `conditional`.
    certainty: str
    #: Hash of the program.
    code_hash: str


class Match(_Match, total=False):
    """A program that `which` found."""

    #: Options or macros that it was compiled for.
    options: str


class Aligned(TypedDict):
    """Two programs side by side."""

    #: Instructions of the same operation with the same kinds of operands, in the same order.
    alike: int
    #: Those of them that are equal to the last operand.
    equal: int
    #: Instructions of the program that was asked about.
    here: int
    #: Instructions of the one that was found.
    there: int


class _Alike(TypedDict):
    #: `same`, `renamed` (other registers, labels or constants), `alike`.
    relation: str
    #: How much of both is alike, 0.0 to 1.0.
    share: float
    #: Hash of the program.
    code_hash: str
    #: Which step of the pipeline it is for.
    kind: str
    #: Instructions in it.
    instructions: int
    #: How often it occurs.
    count: int
    #: Where, the first thousand.
    places: list[str]


class Alike(_Alike, total=False):
    """A program that `similar` found."""

    #: The instructions side by side.
    aligned: Aligned
    #: Why they are not: its file could not be read again.
    unread: str
    #: Options or macros that it was compiled for, where it was seen first.
    options: str
