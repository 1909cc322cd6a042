"""Scanning, tables, and going back from hashes to programs."""

from __future__ import annotations

import _thread
import json
import pickle
import signal
import threading
from pathlib import Path

import pandas
import pyarrow
import pyarrow.parquet
import pytest
from conftest import SAMPLES, Command, sample_files

import unshade


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("catalog") / "samples.parquet"
    unshade.scan(SAMPLES, out)
    return out


def test_scan_writes_what_the_command_writes(command: Command, catalog: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    command.run("scan", SAMPLES, "-o", out)
    assert out.read_bytes() == catalog.read_bytes()


def test_scan_counts(tmp_path: Path) -> None:
    seen: list[unshade.Progress] = []
    out = tmp_path / "out.jsonl"
    done = unshade.scan([SAMPLES], out, threads=1, progress=seen.append)
    assert done.finished and done.files == done.all_files == len(sample_files())
    assert seen and not seen[0].finished and seen[-1].files == done.files
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert done.stages == sum(row["record"] == "stage" for row in rows)
    assert done.errors == sum(row["record"] == "error" for row in rows)
    # Nothing changed since.
    again = unshade.scan(SAMPLES, out)
    assert again.unchanged == again.all_files
    assert unshade.scan(SAMPLES, out, fresh=True).unchanged == 0


def test_scan_ends_when_told(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    done = unshade.scan(SAMPLES, out, progress=lambda progress: False)
    assert not done.finished and not out.exists()
    assert unshade.scan(SAMPLES, out).finished

    def fail(progress: unshade.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        unshade.scan(SAMPLES, tmp_path / "other.parquet", progress=fail)


def test_scan_ends_by_the_keyboard(tmp_path: Path) -> None:
    # A process in the background of a shell begins with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    out = tmp_path / "out.parquet"
    folders = [tmp_path / f"{number}" for number in range(60)]
    for folder in folders:
        folder.symlink_to(SAMPLES)
    timer = threading.Timer(0.15, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            unshade.scan(folders, out, threads=1, fresh=True)
    timer.join()
    assert unshade.scan(folders[:2], out).finished


def test_scan_refuses(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as info:
        unshade.scan("no/such", tmp_path / "out.parquet")
    assert info.value.filename == "no/such"
    with pytest.raises(FileNotFoundError):
        unshade.scan(SAMPLES, tmp_path / "no" / "folder" / "out.parquet")
    for wrong in [{"threads": 0}, {"shard": (0, 2)}, {"shard": (3, 2)}]:
        with pytest.raises(ValueError):
            unshade.scan(SAMPLES, tmp_path / "out.parquet", **wrong)  # type: ignore[arg-type]


def test_shards_are_the_whole(catalog: Path, tmp_path: Path) -> None:
    rows = []
    for part in (1, 2, 3):
        unshade.scan(SAMPLES, tmp_path / f"{part}.parquet", shard=(part, 3))
        rows += unshade.read_catalog(tmp_path / f"{part}.parquet").to_dicts()
    rows.sort(key=lambda row: str(row["path"]))
    assert rows == unshade.read_catalog(catalog).to_dicts()


def test_unique_programs(catalog: Path, tmp_path: Path) -> None:
    done = unshade.scan(SAMPLES, tmp_path / "out.parquet", unique_to=tmp_path / "unique")
    hashes = {row["code_hash"] for row in unshade.read_catalog(catalog)} - {None}
    assert done.unique == len(hashes)


@pytest.mark.parametrize("path", sample_files(), ids=lambda path: path.name)
def test_one_file_gives_the_rows_of_a_scan(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    unshade.scan(path, out)
    rows = unshade.read_catalog(out).to_dicts()
    assert unshade.scan_file(path).to_dicts() == rows
    for row in rows:
        row["path"] = "games/it"
    assert unshade.scan_file(path, name="games/it").to_dicts() == rows
    data = path.read_bytes()
    # A file of dictionaries is known by its name.
    for given in (data, bytearray(data), memoryview(data)):
        found = unshade.scan_bytes(given, str(path)).to_dicts()
        assert [{**row, "path": "games/it"} for row in found] == rows


def test_what_cannot_be_read_is_a_row() -> None:
    table = unshade.scan_file("no/such/file")
    assert len(table) == 1
    assert table[0]["record"] == "error" and "[scan.io]" in str(table[0]["message"])
    damaged = (SAMPLES / "loops.shbin").read_bytes()[:40]
    (row,) = unshade.scan_bytes(damaged, "it.shbin")
    assert row["record"] == "error" and row["path"] == "it.shbin"


def test_tables_are_arrow(catalog: Path) -> None:
    table = unshade.read_catalog(catalog)
    arrow = table.to_arrow()
    assert arrow.num_rows == len(table) == table.num_rows > 20
    assert arrow.column_names == table.column_names == [name for name, _ in unshade.COLUMNS]
    assert arrow.schema.field("offset").type == pyarrow.uint64()
    assert arrow.schema.field("path").type == pyarrow.string()
    # What it says about itself is there, too.
    assert arrow.schema.metadata[b"unshade.schema"] == str(unshade.SCHEMA_VERSION).encode()
    meanings = dict(unshade.COLUMNS)
    assert table.meanings == meanings
    for field in arrow.schema:
        assert field.nullable and field.metadata[b"meaning"].decode() == meanings[field.name]
    # Another reader of the file finds the same.
    assert pyarrow.parquet.read_table(catalog).to_pylist() == arrow.to_pylist() == table.to_dicts()
    assert pyarrow.schema(table) == arrow.schema


def test_tables_are_not_copied(catalog: Path) -> None:
    table = unshade.read_catalog(catalog)
    one, other = pyarrow.table(table), pyarrow.table(table)
    address = [array.column("path").chunk(0).buffers()[2].address for array in (one, other)]
    assert address[0] == address[1]
    # What was handed over stays when the table goes.
    rows = table.to_dicts()
    del table, one
    assert other.to_pylist() == rows


def test_capsules_that_nobody_takes(catalog: Path) -> None:
    table = unshade.read_catalog(catalog)
    for _ in range(100):
        table.__arrow_c_stream__()
        table.__arrow_c_schema__()
    assert "arrow_array_stream" in repr(table.__arrow_c_stream__(None))


def test_tables_are_sequences(catalog: Path) -> None:
    table = unshade.read_catalog(catalog)
    rows = list(table)
    assert rows == table.to_dicts() and rows[3] == table[3] and rows[-1] == table[-1]
    assert table["item"] == [row["item"] for row in rows]
    with pytest.raises(IndexError):
        table[len(table)]
    with pytest.raises(IndexError):
        table[-len(table) - 1]
    with pytest.raises(KeyError):
        table["no such column"]
    again = pickle.loads(pickle.dumps(table))
    assert again.to_arrow().equals(table.to_arrow(), check_metadata=True)
    assert str(len(rows)) in repr(table)


def test_pandas(catalog: Path) -> None:
    frame = unshade.read_catalog(catalog).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert set(frame["isa"].dropna()) >= {"pica200", "mali-gp", "latte", "maxwell"}


def test_tables_in_notebooks() -> None:
    table = unshade.scan_bytes(b"nothing", "<script>alert('1')</script>.shbin")
    html = table._repr_html_()
    assert html.startswith("<table>") and "<script>" not in html
    long = unshade.scan_bytes((SAMPLES / "loops.shbin").read_bytes()[:40], "<b>" + "x" * 500)
    assert "<b>" not in long._repr_html_() and "x" * 100 not in long._repr_html_()


def test_damaged_tables(catalog: Path, tmp_path: Path) -> None:
    data = catalog.read_bytes()
    path = tmp_path / "cut.parquet"
    for size in range(0, len(data), len(data) // 40):
        path.write_bytes(data[:size])
        try:
            unshade.read_catalog(path)
        except unshade.CatalogError as error:
            assert error.file == str(path)
        else:
            assert size == 0
    with pytest.raises(FileNotFoundError):
        unshade.read_catalog(tmp_path / "none.parquet")


def test_which(command: Command, catalog: Path) -> None:
    rows = [row for row in unshade.read_catalog(catalog) if row["emulator_hashes"]]
    for row in rows[:10]:
        for pair in str(row["emulator_hashes"]).split():
            text = f"Shader {pair.split(':')[1]}: unimplemented"
            found = unshade.which(text, catalog)
            told = command.json("which", text, catalog)["files"][0]["found"]
            assert sorted(map(json.dumps, found)) == sorted(map(json.dumps, told))
            places = [one["place"] for one in found]
            assert f"{row['path']}{row['inner'] or ''}#{row['item']}" in places
    with pytest.raises(ValueError, match="no hash"):
        unshade.which("nothing", catalog)
    assert unshade.which("0" * 16, catalog) == []


def test_which_by_a_dump(catalog: Path, tmp_path: Path) -> None:
    code = (SAMPLES / "texture.frag.dksh").read_bytes()
    row = next(row for row in unshade.read_catalog(catalog) if str(row["path"]).endswith("texture.frag.dksh"))
    start, size = int(row["offset"] or 0), int(row["code_bytes"] or 0)
    dump = code[start : start + size]
    (found,) = unshade.which(dump, catalog)
    assert found["certainty"] == "content" and found["code_hash"] == row["code_hash"]
    path = tmp_path / "dump.bin"
    path.write_bytes(dump)
    assert unshade.which(path, catalog) == [found]


def test_similar(command: Command, catalog: Path) -> None:
    stage = unshade.open(SAMPLES / "loops.shbin").stages[0]
    found = unshade.similar(stage, catalog, count=5)
    told = command.json("similar", SAMPLES / "loops.shbin", catalog, "-n", "5")["files"][0]["found"]
    assert found == told and found[0]["relation"] == "same" and found[0]["share"] == 1.0
    assert len(found) == 6 and found[0]["code_hash"] == stage.hash
    with pytest.raises(FileNotFoundError):
        unshade.similar(stage, "no/such/catalog")


def test_report(command: Command, catalog: Path, tmp_path: Path) -> None:
    page = unshade.report([catalog], title="<all>")
    out = tmp_path / "page.html"
    command.run("report", catalog, "--title", "<all>", "-o", out)
    assert isinstance(page, unshade.Page) and page == out.read_text(encoding="utf-8")
    frame = page._repr_html_()
    assert frame.count("<iframe") == 1 and "&lt;all&gt;" not in frame and "sandbox" in frame
