"""Compiled shaders of consoles and mobile GPUs: opened, checked, disassembled, decompiled, run, changed.

    file = unshade.open("game.szs:Model/shaders.bfsha")
    for stage in file.stages:
        print(stage.item, stage.decompile())

Every function takes paths, or the bytes of files. What it does is what the command `unshade` of the same name does, and the
interpreter's lock is released while it does it: threads run side by side.
"""

from __future__ import annotations

from ._unshade import (
    COLUMNS,
    SCHEMA_VERSION,
    Decompiled,
    Diagnostic,
    File,
    Progress,
    Roundtrip,
    Stage,
    Stages,
    Table,
    Verdict,
    __version__,
    assemble,
    open,
    raw,
    read_catalog,
    scan,
    scan_bytes,
    scan_file,
    which,
)
from .errors import (
    AssembleError,
    AssembleWarning,
    CatalogError,
    DecompileError,
    EditError,
    Error,
    FormatError,
    NameNotFound,
    RunError,
)
from .texts import Listing

__all__ = [
    "COLUMNS",
    "SCHEMA_VERSION",
    "AssembleError",
    "AssembleWarning",
    "CatalogError",
    "DecompileError",
    "Decompiled",
    "Diagnostic",
    "EditError",
    "Error",
    "File",
    "FormatError",
    "Listing",
    "NameNotFound",
    "Progress",
    "Roundtrip",
    "RunError",
    "Stage",
    "Stages",
    "Table",
    "Verdict",
    "__version__",
    "assemble",
    "open",
    "raw",
    "read_catalog",
    "scan",
    "scan_bytes",
    "scan_file",
    "which",
]
