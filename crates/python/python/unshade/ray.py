"""The scan of a library of games on several machines, by [Ray Data](https://docs.ray.io).

    import unshade.ray

    done = unshade.ray.scan(["s3://games/dumps"], "s3://games/catalog")
    programs = ray.data.read_parquet(done.parts)

One machine is enough nearly always: `unshade.scan` takes about a second for 300 MB on two cores. Ray is for
libraries whose files lie where reading takes longer than looking, and for machines that are there anyway.

The catalog is written in parts. Which part a file belongs to is a matter of its name alone, and a part is
written as a whole or not at all, under a name that says which it is. So a part that is written twice, since a
worker was lost or the scan was started again, is the same. A second scan writes only the parts of which a file
has changed, has come or has gone, or in which a file could not be read.

Needs `pip install unshade[ray]`.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import unshade

from ._files import File, Path, filesystem, list_files
from ._parts import Folder, catalog_schema

__all__ = ["LOSSES", "PARTS", "Summary", "scan"]

PARTS = 64
"""Parts of a catalog."""
LOSSES = 3
"""How many workers may be lost over one file before it is left out."""
MEMORY = 512 << 20
"""Bytes that a file may take unless it is told otherwise."""
DICTIONARIES = 16 << 20
"""Files of dictionaries are not longer than this."""
AGAIN = ("[scan.io]", "[scan.memory]", "[scan.panic]", "[scan.worker]")
"""Errors that may be gone at another time."""


@dataclass(frozen=True)
class Summary:
    """What a scan has found."""

    parts: list[str]
    """The files of the catalog, in their order."""
    written: int
    """How many of them were written; the others had not changed."""
    files: int
    """Files that were listed."""
    stages: int
    """Rows of programs."""
    errors: int
    """Rows of errors."""
    unread: int
    """Rows of files known by name only."""


def scan(
    paths: Path | Sequence[Path],
    out: Path,
    *,
    parts: int = PARTS,
    memory: int | None = None,
    dictionaries: Sequence[bytes] = (),
    storage_options: Mapping[str, Any] | None = None,
    fresh: bool = False,
    num_cpus: float = 1,
) -> Summary:
    """Looks into all files below `paths` on the workers of Ray, and writes a catalog in parts into the folder `out`.

    Paths are local ones, which every worker must see under the same name, or addresses that fsspec knows
    (`s3://games/dumps`, with `storage_options`). The workers get paths, and open them themselves; what is not
    local is copied to a temporary file first, so that a large file takes disk and no memory.

    The rows are those of `unshade.scan`. What is wrong with a file is a row. A part whose worker was lost is
    begun again; a file over which three workers were lost is a row that says so.

    `parts`: into how many parts the catalog is divided. It must stay the same for what was written to count.
    `memory`: bytes for each file; 512 MiB. Ray is told to keep as much free for each part.
    `dictionaries`: the contents of files of dictionaries; those among the files are found.
    `fresh`: writes everything anew.
    `num_cpus`: how much of a processor a part counts for.

    Raises `FileNotFoundError` where one of `paths` is not there, and what Ray raises where a part cannot be written.
    """
    import ray
    import ray.data

    if parts < 1:
        raise ValueError("parts: at least 1")
    options = dict(storage_options or {})
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    to = Folder(os.fspath(out), options)
    files = to.without_own(list_files(given, options))
    known = [*dictionaries, *_dictionaries(files, options)]
    hashes = [hashlib.sha256(data).hexdigest() for data in known]
    settings = [unshade.SCHEMA_VERSION, unshade.__version__, hashes]

    members: dict[int, list[File]] = {}
    for file in files:
        members.setdefault(_part_of(file.name, parts), []).append(file)
    # A catalog of nothing is a table without rows.
    wanted = {_name(part, parts): members[part] for part in sorted(members)} or {_name(0, parts): []}
    found = {} if fresh else to.parts(wanted)
    marks = {name: _mark(settings, of) for name, of in wanted.items()}
    todo: list[dict[str, Any]] = [
        {
            "name": name,
            "mark": marks[name],
            "names": [file.name for file in of],
            "places": [file.place for file in of],
            "remote": [file.remote for file in of],
            "errors": [file.error for file in of],
            "size": sum(file.size for file in of),
        }
        for name, of in wanted.items()
        if not marks[name] or found.get(name, {}).get("unshade.inputs") != marks[name]
    ]
    # What takes longest begins first.
    todo.sort(key=lambda item: (-item["size"], item["name"]))
    counts: Counter[str] = Counter()
    if todo:
        shared = ray.put(known)
        # Ray begins a task again for ever when its worker is lost, so somebody has to count.
        losses = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(_Losses).remote()
        done = ray.data.from_items(todo, override_num_blocks=len(todo)).map(
            _scan_part,
            fn_kwargs={
                "to": to,
                "options": options,
                "memory": memory,
                "dictionaries": shared,
                "losses": losses,
            },
            num_cpus=num_cpus,
            memory=MEMORY if memory is None else memory,
        )
        for row in done.take_all():
            counts.update(json.loads(row["counts"]))
    written = {item["name"] for item in todo}
    for name in wanted.keys() - written:
        counts.update(json.loads(found[name]["unshade.counts"]))
    to.remove_others(set(wanted))
    return Summary(
        parts=[to.path(name) for name in wanted],
        written=len(todo),
        files=len(files),
        stages=counts["stage"],
        errors=counts["error"],
        unread=counts["unread"],
    )


def _part_of(name: str, parts: int) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big") % parts


def _name(part: int, parts: int) -> str:
    return f"part-{part:05}-of-{parts:05}.parquet"


def _mark(settings: list[Any], files: list[File]) -> str:
    """What a part was made of; empty where that is not known of a file."""
    if any(file.error or not file.state for file in files):
        return ""
    text = json.dumps([settings, [[file.name, file.state] for file in files]])
    return hashlib.sha256(text.encode()).hexdigest()


def _dictionaries(files: list[File], options: Mapping[str, Any]) -> Iterator[bytes]:
    """The contents of the files among them that are dictionaries by their names, as the scan on one machine finds them."""
    for file in files:
        name = file.name.rsplit("/", 1)[-1]
        called_so = name.startswith("ZsDic.pack") or name.endswith(".zsdic")
        if not called_so or file.size > DICTIONARIES or file.error:
            continue
        try:
            if file.remote:
                system, place = filesystem(file.place.decode(), options)
                data = bytes(system.cat_file(place))
            else:
                with open(file.place, "rb") as opened:
                    data = opened.read()
            # What is called so and is none would be refused with every file.
            unshade.scan_bytes(b"", "", dictionaries=[data])
        except (OSError, unshade.Error):
            continue
        yield data


class _Losses:
    """Counts the workers that were lost, by the files that they looked at."""

    def __init__(self) -> None:
        self._begun: Counter[str] = Counter()
        self._looking: dict[str, str] = {}
        self._lost: Counter[str] = Counter()

    def begin(self, part: str) -> tuple[bool, list[str]]:
        """A part begins: whether its files are to be noted, and which are left out."""
        self._begun[part] += 1
        if part in self._looking:
            self._lost[self._looking.pop(part)] += 1
        return self._begun[part] > 1, [name for name, count in self._lost.items() if count >= LOSSES]

    def look(self, part: str, name: str) -> None:
        """What is looked at next."""
        self._looking[part] = name


def _scan_part(
    item: dict[str, Any],
    to: Folder,
    options: Mapping[str, Any],
    memory: int | None,
    dictionaries: Any,
    losses: Any,
) -> dict[str, Any]:
    """Writes one part, on a worker."""
    import pyarrow
    import pyarrow.compute
    import ray

    if isinstance(dictionaries, ray.ObjectRef):
        dictionaries = ray.get(dictionaries)
    # Where nothing was lost, nothing is noted: that takes as long as a small file does.
    noted, left_out = ray.get(losses.begin.remote(item["name"]))
    counts: Counter[str] = Counter()
    again = False

    def tables() -> Iterator[Any]:
        nonlocal again
        for name, place, remote, error in zip(
            item["names"], item["places"], item["remote"], item["errors"], strict=True
        ):
            if noted:
                ray.get(losses.look.remote(item["name"], name))
            if name in left_out:
                error = f"[scan.worker] {LOSSES} workers were lost over it"
            found = _look(name, bytes(place), remote, error, options, memory, list(dictionaries))
            table = pyarrow.table(found)
            counts.update(table["record"].to_pylist())
            errors = table.filter(pyarrow.compute.field("record") == "error")
            messages = errors["message"].to_pylist()
            again = again or any((message or "").startswith(AGAIN) for message in messages)
            yield table

    def about() -> dict[str, str]:
        # Known when all rows are.
        mark = "" if again else item["mark"]
        return {"unshade.inputs": mark, "unshade.counts": json.dumps(counts, sort_keys=True)}

    to.write(item["name"], tables(), about)
    return {"name": item["name"], "counts": json.dumps(counts)}


def _look(
    name: str,
    place: bytes,
    remote: bool,
    error: str,
    options: Mapping[str, Any],
    memory: int | None,
    dictionaries: list[bytes],
) -> Any:
    """The rows of one file."""
    if error:
        return _error_row(name, error)
    if not remote:
        return unshade.scan_file(os.fsdecode(place), name=name, memory=memory, dictionaries=dictionaries)
    with tempfile.TemporaryDirectory(prefix="unshade-") as folder:
        file = os.path.join(folder, "file")
        try:
            system, there = filesystem(place.decode(), options)
            system.get_file(there, file)
        except OSError as failed:
            return _error_row(name, str(failed) or type(failed).__name__)
        return unshade.scan_file(file, name=name, memory=memory, dictionaries=dictionaries)


def _error_row(name: str, error: str) -> Any:
    import pyarrow

    message = error if error.startswith("[") else f"[scan.io] {error}"
    row = {"record": "error", "path": name, "message": message}
    return pyarrow.Table.from_pylist([row], schema=catalog_schema())
