"""Compiled shaders of consoles and mobile GPUs: opened, checked, disassembled, decompiled, run, changed."""

from __future__ import annotations

from ._unshade import (
    COLUMNS,
    SCHEMA_VERSION,
    Progress,
    Table,
    __version__,
    read_catalog,
    scan,
    scan_bytes,
    scan_file,
    which,
)
from .errors import CatalogError, Error, FormatError, NameNotFound

__all__ = [
    "COLUMNS",
    "SCHEMA_VERSION",
    "CatalogError",
    "Error",
    "FormatError",
    "NameNotFound",
    "Progress",
    "Table",
    "__version__",
    "read_catalog",
    "scan",
    "scan_bytes",
    "scan_file",
    "which",
]
