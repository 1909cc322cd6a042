"""What reports look like: the JSON that the command prints, as dictionaries."""

from __future__ import annotations

from typing import Any, TypedDict

__all__ = ["Match"]


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
