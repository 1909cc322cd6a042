"""Texts that notebooks show as what they are."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any

from ._unshade import _code_html, _report_html

__all__ = ["Listing", "Page", "report"]


class Listing(str):
    """A listing: text, which a notebook shows as code."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _code_html(self)


class Page(str):
    """A page: HTML, which a notebook shows in a frame of its own."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        text = self.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe sandbox srcdoc="{text}" style="width: 100%; height: 720px; border: 0"></iframe>'


def report(
    catalog: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    title: str | None = None,
    dictionaries: Sequence[Any] | None = None,
) -> Page:
    """A page with charts about catalogs, which loads nothing and runs no script.

    `catalog`: tables that `scan` wrote, or files and folders to look into; one or several. `title` stands at its head.
    """
    return Page(_report_html(catalog, title=title, dictionaries=dictionaries))
