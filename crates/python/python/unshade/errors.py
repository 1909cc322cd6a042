"""What can go wrong. All of it is an `Error`; what the system says of a file is an `OSError`, as everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._unshade import Diagnostic

__all__ = [
    "AssembleError",
    "AssembleWarning",
    "CatalogError",
    "DecompileError",
    "EditError",
    "Error",
    "FormatError",
    "NameNotFound",
    "RunError",
]


class Error(Exception):
    """Something that Unshade cannot do, with its place. Its text is what the command line says."""

    #: Stable name of what is wrong: `shbin.dvle.magic`.
    code: str | None
    #: Where in the file it is, in bytes. Of a file inside others it counts from the start of that file.
    offset: int | None
    #: Path of the field, as `File.show` gives it: `dvle[0].magic`; behind the name of a file inside, `:Model/x.szs dvle[0].magic`.
    path: str | None
    #: The file.
    file: str | None

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        offset: int | None = None,
        path: str | None = None,
        file: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.offset = offset
        self.path = path
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        # What is given by name is no part of `args`, which is all that `pickle` knows of.
        return (_again, (type(self), self.args[0], self.__dict__.copy()))


def _again(kind: type[Error], message: str, about: dict[str, Any]) -> Error:
    error = kind(message)
    error.__dict__.update(about)
    return error


class FormatError(Error):
    """Bytes that are not what they claim to be, or nothing that is known."""


class NameNotFound(Error, LookupError):
    """Nothing in the file has that name. The text says what there is."""


class CatalogError(Error):
    """A table that is no catalog, or that cannot be read or written."""


class EditError(Error, ValueError):
    """A change that cannot be: no such path or name, a value that does not fit."""


class DecompileError(Error):
    """A program that cannot be said in the language that was asked for."""


class RunError(Error, ValueError):
    """Inputs that make no sense. `path` says where in them."""


class AssembleError(Error, ValueError):
    """A text that does not assemble. Its own text shows the first line that is wrong; `diagnostics` has all findings."""

    #: Everything that is wrong, in the order of the text.
    diagnostics: list[Diagnostic]
    #: Line of the first finding, from 1.
    line: int | None
    #: Column of the first finding, from 1, in characters.
    column: int | None

    def __init__(self, message: str, *, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)
        first = next(iter(self.diagnostics), None)
        self.line = first.line if first else None
        self.column = first.column if first else None
        self.code = first.code if first else None
        self.file = first.file if first else None


class AssembleWarning(UserWarning):
    """A text that assembles, but perhaps does not say what was meant."""
