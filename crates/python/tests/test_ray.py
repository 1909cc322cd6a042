"""The scan on several workers: the rows of the scan on one machine, whatever happens to the workers."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import SAMPLES, sample_files

import unshade

ray = pytest.importorskip("ray", reason="the scan on several machines: ray is not installed")

import unshade.ray as cluster

# Ray and what it brings warn of their own matters.
pytestmark = pytest.mark.filterwarnings("default", "ignore::DeprecationWarning:ray.data.context")

PARTS = 8


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notes")


@pytest.fixture(scope="module")
def start(notes: Path) -> Iterator[Callable[[int], None]]:
    """Starts Ray with so many workers."""
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", RAY_DATA_DISABLE_PROGRESS_BARS="1", RAY_TQDM="0")

    def start(workers: int) -> None:
        ray.shutdown()
        paths = [str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            configure_logging=False,
            log_to_driver=False,
            object_store_memory=100 << 20,
            runtime_env={
                "env_vars": {"UNSHADE_TEST_NOTES": str(notes), "PYTHONPATH": os.pathsep.join(paths)},
                "worker_process_setup_hook": "ray_worker.prepare",
            },
        )
        ray.data.DataContext.get_current().enable_progress_bars = False

    yield start
    ray.shutdown()


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Samples in folders, damaged ones, links, names of all kinds, a dictionary and what needs it."""
    root = tmp_path_factory.mktemp("tree") / "games"
    (root / "one").mkdir(parents=True)
    (root / "two/deep er").mkdir(parents=True)
    for index, sample in enumerate(sample_files()):
        shutil.copy(sample, root / "one")
        if index % 3 == 0:
            shutil.copy(sample, root / "two/deep er" / f"{index}#% \u00e4{sample.name}")
        data = sample.read_bytes()
        (root / "two" / f"cut_{sample.name}").write_bytes(data[: len(data) // 2])
        odd = data[: len(data) // 3] + b"\xff" * 64 + data[len(data) // 3 :]
        (root / "two" / f"odd_{sample.name}").write_bytes(odd)
    (root / "two/no.zsdic").write_bytes(b"no dictionary")
    (root / "two/empty").touch()
    if sys.platform != "win32":
        (root / "two/nowhere").symlink_to("gone")
        (root / "two/circle").symlink_to(root)
        (root / "two/one.shbin").symlink_to(root / "one/loops.shbin")
        os.mkfifo(root / "two/pipe")
    if sys.platform == "linux":
        # A name that is no UTF-8.
        shutil.copy(os.fsencode(SAMPLES / "loops.shbin"), os.fsencode(root / "two") + b"/\xff\xe4.shbin")
    return root


def rows_of(parts: list[str]) -> list[dict[str, Any]]:
    """Rows of parts, each in the order of its files, as one table would have them."""
    rows = [row for part in parts for row in unshade.read_catalog(part).to_dicts()]
    return sorted(rows, key=lambda row: str(row["path"]))


def contents(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def expected(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What one machine finds, with one thread and with two."""
    found = []
    for threads in (1, 2):
        out = tmp_path_factory.mktemp("expected") / "out.parquet"
        unshade.scan(tree, out, threads=threads)
        found.append(unshade.read_catalog(out).to_dicts())
    assert found[0] == found[1]
    records = [row["record"] for row in found[0]]
    assert records.count("stage") > 50 and records.count("error") > 10
    return found[0]


def looked(notes: Path) -> list[list[str]]:
    """Processes and files since the last call."""
    file = notes / "looked"
    lines = file.read_text().splitlines() if file.exists() else []
    file.unlink(missing_ok=True)
    return [line.split(" ", 1) for line in lines]


def test_one_worker(
    start: Callable[[int], None],
    notes: Path,
    tree: Path,
    expected: list[dict[str, Any]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    start(1)
    out = tmp_path_factory.getbasetemp() / "one-worker"
    done = cluster.scan(tree, out, parts=PARTS)
    assert rows_of(done.parts) == expected
    assert done.written == len(done.parts) == len(contents(out)) > 1
    counts = [sum(row["record"] == record for row in expected) for record in ("stage", "error", "unread")]
    assert [done.stages, done.errors, done.unread] == counts
    # The workers looked, not this process.
    seen = looked(notes)
    assert seen and str(os.getpid()) not in {process for process, _ in seen}


def test_four_workers_one_of_which_is_lost(
    start: Callable[[int], None],
    notes: Path,
    tree: Path,
    expected: list[dict[str, Any]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    start(4)
    base = tmp_path_factory.getbasetemp()
    one, four, lost = base / "one-worker", base / "four-workers", base / "lost-worker"
    (notes / "together").touch()
    done = cluster.scan([tree], four, parts=PARTS)
    (notes / "together").unlink()
    assert rows_of(done.parts) == expected and done.written == len(done.parts)
    assert len({process for process, _ in looked(notes)}) > 1
    assert contents(four) == contents(one)

    # Killed in the middle of a part, it changes nothing.
    (notes / "dies").touch()
    done = cluster.scan([tree], lost, parts=PARTS)
    (notes / "dies").unlink()
    assert (notes / "died").exists()
    seen = [name for _, name in looked(notes) if name.endswith("one/linked.mbs")]
    assert len(seen) == 2, "the part was not begun again"
    assert rows_of(done.parts) == expected and contents(lost) == contents(one)

    # A second scan looks only at parts with files that could not be read: the link that leads nowhere.
    before = contents(lost)
    again = cluster.scan([tree], lost, parts=PARTS)
    assert (again.written, contents(lost)) == (1, before)
    assert (again.stages, again.errors, again.parts) == (done.stages, done.errors, done.parts)
    looked(notes)

    # What has changed is looked at, what is gone is gone, and what was cut off or left over is put right.
    changed = base / "changed"
    shutil.copytree(tree / "one", changed)
    first = cluster.scan([changed], lost, parts=PARTS)
    assert first.written == len(first.parts)
    looked(notes)
    (changed / "loops.shbin").write_bytes((changed / "lighting.shbin").read_bytes())
    (changed / "blur.gsh").unlink()
    damaged = Path(first.parts[0])
    damaged.write_bytes(damaged.read_bytes()[:100])
    (lost / f".{damaged.name}.{'0' * 32}.tmp").touch()
    (lost / "part-00000-of-00003.parquet").touch()
    (lost / "mine.txt").touch()
    second = cluster.scan([changed], lost, parts=PARTS)
    assert 1 <= second.written <= 3
    assert len(looked(notes)) < first.files
    out = base / "changed.parquet"
    unshade.scan(changed, out)
    assert rows_of(second.parts) == unshade.read_catalog(out).to_dicts()
    assert {path.name for path in lost.iterdir()} == {Path(part).name for part in second.parts} | {"mine.txt"}


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """A store that speaks as S3 does, on this machine; the options to reach it."""
    server = pytest.importorskip("moto.server", reason="storage: moto[server] is not installed")
    pytest.importorskip("s3fs", reason="storage: s3fs is not installed")
    # No account of whoever runs the tests.
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    try:
        yield {
            "key": "testing",
            "secret": "testing",
            "client_kwargs": {"endpoint_url": f"http://{host}:{port}", "region_name": "eu-west-1"},
            "config_kwargs": {"connect_timeout": 5, "read_timeout": 20, "retries": {"max_attempts": 2}},
        }
    finally:
        running.stop()


def test_storage_like_s3(start: Callable[[int], None], tree: Path, store: dict[str, Any], tmp_path: Path) -> None:
    import s3fs

    start(2)
    system = s3fs.S3FileSystem(**store, skip_instance_cache=True)
    system.mkdir("games")
    local = tmp_path / "dumps"
    names = ["loops.shbin", "options_dict.bfsha.zs", "ZsDic.pack.zs", "nested.szs", "phong.frag.mbs"]
    (local / "more").mkdir(parents=True)
    for name in names:
        shutil.copy(SAMPLES / name, local / name)
    shutil.copy(SAMPLES / "two_stages.bnsh", local / "more" / "a b#%41\u00e4.bnsh")
    (local / "more/cut.bnsh").write_bytes((SAMPLES / "two_stages.bnsh").read_bytes()[:500])
    files = [path for path in local.rglob("*") if path.is_file()]
    for path in files:
        system.put_file(str(path), f"games/dumps/{path.relative_to(local).as_posix()}")
    # The same paths in rows as under the address.
    def in_store() -> list[dict[str, Any]]:
        out = tmp_path / "out.parquet"
        unshade.scan(local, out)
        rows = unshade.read_catalog(out).to_dicts()
        return [{**row, "path": str(row["path"]).replace(str(local), "s3://games/dumps", 1)} for row in rows]

    expected = in_store()

    def fetched(parts: list[str]) -> list[dict[str, Any]]:
        there = [str(tmp_path / f"{index}.parquet") for index in range(len(parts))]
        for part, to in zip(parts, there, strict=True):
            system.get_file(part, to)
        return rows_of(there)

    def scan() -> cluster.Summary:
        return cluster.scan("s3://games/dumps", "s3://games/dumps/catalog", parts=3, storage_options=store)

    done = scan()
    assert done.files == len(files) and done.written == len(done.parts)
    assert fetched(done.parts) == expected
    # The catalog lies among the files, and is no input.
    again = scan()
    assert (again.files, again.written, again.stages) == (len(files), 0, done.stages)
    # Somebody else changes an object, and removes one.
    system.put_file(str(SAMPLES / "lighting.shbin"), "games/dumps/loops.shbin")
    system.rm_file("games/dumps/phong.frag.mbs")
    shutil.copy(SAMPLES / "lighting.shbin", local / "loops.shbin")
    (local / "phong.frag.mbs").unlink()
    expected = in_store()
    third = scan()
    assert third.written >= 1 and fetched(third.parts) == expected
    # From there to a local folder, and one object alone.
    one = cluster.scan("s3://games/dumps/nested.szs", tmp_path / "one", storage_options=store)
    assert rows_of(one.parts) == [row for row in expected if str(row["path"]).endswith("/nested.szs")]


def test_names_of_local_files_as_addresses(start: Callable[[int], None], tmp_path: Path) -> None:
    if not ray.is_initialized():
        start(1)
    address = SAMPLES.as_uri()
    done = cluster.scan(address, tmp_path / "out", parts=2)
    rows = rows_of(done.parts)
    out = tmp_path / "out.parquet"
    unshade.scan(SAMPLES, out)
    found = [{**row, "path": str(row["path"]).replace(address, str(SAMPLES), 1)} for row in rows]
    assert found == unshade.read_catalog(out).to_dicts()


def test_a_file_over_which_workers_are_lost(start: Callable[[int], None], notes: Path, tmp_path: Path) -> None:
    if not ray.is_initialized():
        start(1)
    files = tmp_path / "files"
    files.mkdir()
    for name in ("a.shbin", "poison.shbin", "z.shbin"):
        shutil.copy(SAMPLES / "loops.shbin", files / name)
    looked(notes)
    done = cluster.scan(files, tmp_path / "out", parts=1)
    # Once before anybody counts.
    assert len({process for process, name in looked(notes) if "poison" in name}) == cluster.LOSSES + 1
    rows = rows_of(done.parts)
    assert [Path(str(row["path"])).name for row in rows] == ["a.shbin", "poison.shbin", "z.shbin"]
    assert [row["record"] for row in rows] == ["stage", "error", "stage"]
    assert str(rows[1]["message"]).startswith("[scan.worker]")


def test_nothing_is_a_table_without_rows(start: Callable[[int], None], tmp_path: Path) -> None:
    if not ray.is_initialized():
        start(1)
    (tmp_path / "none").mkdir()
    done = cluster.scan(tmp_path / "none", tmp_path / "out")
    assert (done.files, len(done.parts), rows_of(done.parts)) == (0, 1, [])


def test_refusals(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        cluster.scan(tmp_path / "nothing", tmp_path / "out")
    with pytest.raises(ValueError, match="parts"):
        cluster.scan(tmp_path, tmp_path / "out", parts=0)
    with pytest.raises(ValueError, match="one process"):
        cluster.scan("memory://games", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_ray_only_the_scan_is_missing() -> None:
    """The module can be looked at, and says what is missing when it is asked to scan."""
    code = """
import sys
sys.modules["ray"] = None
import unshade.ray as cluster
print(cluster.PARTS)
cluster.scan(".", "x")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == str(cluster.PARTS)
    assert "ModuleNotFoundError" in done.stderr and not os.path.exists("x")
