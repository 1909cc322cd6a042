"""The part of the package in Rust."""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, final, overload

import pandas
import polars
import pyarrow
from typing_extensions import Self

from .reports import Match

_Path: TypeAlias = str | os.PathLike[str]
_Data: TypeAlias = bytes | bytearray | memoryview
_Row: TypeAlias = dict[str, str | int | None]

__version__: Final[str]
SCHEMA_VERSION: Final[int]
COLUMNS: Final[list[tuple[str, str]]]

__all__ = [
    "COLUMNS",
    "SCHEMA_VERSION",
    "Progress",
    "Rows",
    "Table",
    "__version__",
    "_table",
    "read_catalog",
    "scan",
    "scan_bytes",
    "scan_file",
    "which",
]

@final
class Rows:
    def __iter__(self) -> Self: ...
    def __next__(self) -> _Row: ...

@final
class Table:
    @property
    def column_names(self) -> list[str]: ...
    @property
    def num_rows(self) -> int: ...
    @property
    def meanings(self) -> dict[str, str]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Rows: ...
    @overload
    def __getitem__(self, key: int, /) -> _Row: ...
    @overload
    def __getitem__(self, key: str, /) -> list[Any]: ...
    def to_dicts(self) -> list[_Row]: ...
    def to_arrow(self) -> pyarrow.Table: ...
    def to_pandas(self) -> pandas.DataFrame: ...
    def to_polars(self) -> polars.DataFrame: ...
    def _repr_html_(self) -> str: ...

@final
class Progress:
    @property
    def files(self) -> int: ...
    @property
    def all_files(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def all_bytes(self) -> int: ...
    @property
    def unchanged(self) -> int: ...
    @property
    def unchanged_bytes(self) -> int: ...
    @property
    def stages(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def unread(self) -> int: ...
    @property
    def unique(self) -> int: ...
    @property
    def finished(self) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

def scan(
    paths: _Path | Sequence[_Path],
    out: _Path,
    *,
    threads: int | None = None,
    memory: int | None = None,
    shard: tuple[int, int] | None = None,
    unique_to: _Path | None = None,
    fresh: bool = False,
    dictionaries: Sequence[_Path | _Data] | None = None,
    progress: Callable[[Progress], bool | None] | None = None,
) -> Progress: ...
def scan_file(
    path: _Path,
    *,
    name: str | None = None,
    memory: int | None = None,
    dictionaries: Sequence[_Path | _Data] | None = None,
) -> Table: ...
def scan_bytes(
    data: _Data,
    name: str,
    *,
    memory: int | None = None,
    dictionaries: Sequence[_Path | _Data] | None = None,
) -> Table: ...
def read_catalog(path: _Path) -> Table: ...
def which(
    query: _Path | _Data,
    catalog: _Path,
    *,
    dictionaries: Sequence[_Path | _Data] | None = None,
) -> list[Match]: ...
def _table(
    fields: Sequence[tuple[str, bool, dict[str, str]]], about: dict[str, str], columns: Sequence[Any]
) -> Table: ...
