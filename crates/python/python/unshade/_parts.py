"""A catalog in parts: files of Parquet in a folder, here or wherever fsspec reaches."""

from __future__ import annotations

import os
import re
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import unshade

from ._files import File, filesystem, is_address, is_local

OWN = re.compile(r"(\.)?part-\d{5}-of-\d{5}\.parquet(?(1)\.[0-9a-f]{32}\.tmp)")
"""Names of parts, and of those that are being written."""
BUFFER = 32 << 20
"""Bytes of rows that are written together."""


def catalog_schema() -> Any:
    """The columns, with what they mean."""
    import pyarrow

    return pyarrow.schema(unshade.scan_bytes(b"", ""))


class Folder:
    """The folder of a catalog in parts."""

    def __init__(self, out: str, options: Mapping[str, Any]) -> None:
        self._options = dict(options)
        # Workers may stand in other folders.
        self._address = out.rstrip("/") if is_address(out) else os.path.abspath(out)
        self._shown = out.rstrip("/") or out

    def _open(self) -> tuple[Any, str]:
        if not is_address(self._address):
            import fsspec.implementations.local

            return fsspec.implementations.local.LocalFileSystem(), self._address
        return filesystem(self._address, self._options)

    def path(self, name: str) -> str:
        """A part, as the folder was given."""
        return f"{self._shown}/{name}"

    def without_own(self, files: Iterable[File]) -> list[File]:
        """Files that do not lie in it: what is written is no input."""
        system, root = self._open()
        if is_local(system):
            own = os.path.join(os.path.abspath(root), "")
            return [
                file for file in files if file.remote or not os.path.abspath(os.fsdecode(file.place)).startswith(own)
            ]
        own = f"{system.unstrip_protocol(root)}/"
        return [file for file in files if not (file.remote and file.place.decode().startswith(own))]

    def parts(self, names: Iterable[str]) -> dict[str, dict[str, str]]:
        """What the parts that are there say of themselves."""
        import pyarrow
        import pyarrow.parquet

        system, root = self._open()
        found: dict[str, dict[str, str]] = {}
        for name in names:
            try:
                with system.open(f"{root}/{name}", "rb") as file:
                    about = pyarrow.parquet.read_metadata(file).metadata or {}
            except (OSError, pyarrow.ArrowInvalid):
                # Not there, or cut off: it is written anew.
                continue
            own = {key: value for key, value in about.items() if key.startswith(b"unshade.")}
            found[name] = {key.decode(): value.decode() for key, value in own.items()}
        return found

    def write(self, name: str, tables: Iterator[Any], about: Callable[[], Mapping[str, str]]) -> None:
        """Writes a part: whole, or not at all."""
        system, root = self._open()
        if not is_local(system):
            # A store shows an object when all of it is there.
            with tempfile.TemporaryDirectory(prefix="unshade-") as folder:
                file = os.path.join(folder, name)
                _write(file, tables, about)
                system.put_file(file, f"{root}/{name}")
            return
        os.makedirs(root, exist_ok=True)
        file = os.path.join(root, f".{name}.{uuid.uuid4().hex}.tmp")
        try:
            _write(file, tables, about)
            os.replace(file, os.path.join(root, name))
        finally:
            if os.path.exists(file):
                os.remove(file)

    def remove_others(self, names: set[str]) -> None:
        """Removes parts of which no file is left, those of another division, and what lost workers left."""
        system, root = self._open()
        for file in system.ls(root, detail=False):
            name = file.rstrip("/").rsplit("/", 1)[-1]
            if OWN.fullmatch(name) and name not in names:
                system.rm_file(file)


def _write(file: str, tables: Iterator[Any], about: Callable[[], Mapping[str, str]]) -> None:
    """Writes tables as one file of Parquet, in groups of some size."""
    import pyarrow
    import pyarrow.parquet

    schema = catalog_schema()
    meanings = {f"unshade.column.{name}": meaning for name, meaning in unshade.COLUMNS}
    schema = schema.with_metadata({**(schema.metadata or {}), **meanings})
    waiting: list[Any] = []
    with pyarrow.parquet.ParquetWriter(file, schema, compression="snappy") as writer:

        def flush() -> None:
            if waiting:
                writer.write_table(pyarrow.concat_tables(waiting).cast(schema))
                waiting.clear()

        for table in tables:
            if table.num_rows:
                waiting.append(table)
            if sum(table.nbytes for table in waiting) >= BUFFER:
                flush()
        flush()
        writer.add_key_value_metadata(about())
