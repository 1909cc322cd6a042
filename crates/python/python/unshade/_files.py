"""The files that a scan on several machines is about, on local disks and wherever fsspec reaches."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Path = str | os.PathLike[str]

MARKS = ("ETag", "etag", "md5", "mtime", "LastModified", "last_modified", "updated")
"""What file systems call what changes when a file changes; the surest first."""


@dataclass(frozen=True)
class File:
    """A file to look into."""

    name: str
    """What it is called in rows: as it was given, with `/` between folders."""
    place: bytes
    """Where it is: a path in the bytes of the system, or an address."""
    remote: bool = False
    """Whether that is an address."""
    size: int = 0
    """How long it is."""
    state: str = ""
    """What changes when it changes; empty where nobody knows."""
    error: str = ""
    """Why it, or the folder of that name, cannot be looked into."""


def is_address(path: str) -> bool:
    """Whether a path is one of fsspec's: `s3://bucket/games`."""
    return "://" in path


def filesystem(address: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The file system of an address, and the path there."""
    import fsspec.core

    system, path = fsspec.core.url_to_fs(address, **options)
    # Others write there as well.
    system.invalidate_cache()
    if is_memory(system):
        raise ValueError(f"{address} is in the memory of one process; the workers are others")
    return system, path


def is_memory(system: Any) -> bool:
    from fsspec.implementations.memory import MemoryFileSystem

    return isinstance(system, MemoryFileSystem)


def is_local(system: Any) -> bool:
    """Whether a file system is that of the machine."""
    from fsspec.implementations.local import LocalFileSystem

    return isinstance(system, LocalFileSystem)


def list_files(paths: Sequence[Path], options: Mapping[str, Any]) -> list[File]:
    """All files below `paths`, sorted by name, each once, as the scan on one machine lists them.

    Links to folders are not followed, since they may lead around in circles; those that are given themselves are.
    Raises `FileNotFoundError` where one of `paths` is not there.
    """
    found: list[File] = []
    for path in paths:
        text = os.fspath(path)
        if not is_address(text):
            if not os.path.exists(text):
                raise FileNotFoundError(2, "No such file or directory", text)
            # Workers may stand in other folders.
            found.extend(_local(os.path.join(os.getcwd(), text), _shown(text)))
            continue
        system, place = filesystem(text, options)
        if not system.exists(place):
            raise FileNotFoundError(2, "No such file or directory", text)
        local = is_local(system)
        found.extend(_local(place, text.rstrip("/")) if local else _remote(system, place, text.rstrip("/")))
    found.sort(key=lambda file: (file.name, file.place))
    by_name = {file.name: file for file in reversed(found)}
    return [by_name[name] for name in sorted(by_name)]


def _shown(path: str) -> str:
    text = os.fsencode(path).decode("utf-8", "replace")
    if os.sep == "\\":
        text = text.replace("\\", "/")
    return text.rstrip("/") or text


def _local(root: str, name: str) -> Iterator[File]:
    """Files below a folder of the machine, or the file itself."""
    folders = [(os.fsencode(root), name, True)]
    while folders:
        place, name, given = folders.pop()
        try:
            about = os.stat(place)
            if stat.S_ISREG(about.st_mode):
                state = f"{about.st_size} {about.st_mtime_ns}"
                yield File(name, place, size=about.st_size, state=state)
            elif stat.S_ISDIR(about.st_mode) and (given or not os.path.islink(place)):
                separator = "" if name.endswith("/") else "/"
                for entry in os.listdir(place):
                    text = entry.decode("utf-8", "replace")
                    folders.append((os.path.join(place, entry), f"{name}{separator}{text}", False))
        except OSError as error:
            yield File(name, place, error=f"{error.strerror} (os error {error.errno})")


def _remote(system: Any, root: str, name: str) -> Iterator[File]:
    """Objects below an address, or the object itself."""
    root = root.rstrip("/")
    for place, about in system.find(root, detail=True, withdirs=False).items():
        size = int(about.get("size") or 0)
        mark = next((str(about[key]) for key in MARKS if about.get(key)), "")
        address = system.unstrip_protocol(place)
        yield File(
            name + place.removeprefix(root),
            address.encode(),
            remote=True,
            size=size,
            state=f"{size} {mark}" if mark else "",
        )
