"""Texts that notebooks show as code."""

from __future__ import annotations

from ._unshade import _code_html

__all__ = ["Listing"]


class Listing(str):
    """A listing: text, which a notebook shows as code."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _code_html(self)
