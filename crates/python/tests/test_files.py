"""Files: what is in them, held against what the command prints."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from conftest import SAMPLES, Command, sample_files

import unshade


def opened() -> list[Path]:
    """The samples that hold programs."""
    found = []
    for path in sample_files():
        try:
            if len(unshade.open(path).stages):
                found.append(path)
        except unshade.Error:
            pass
    return found


FILES = opened()


def test_there_are_files() -> None:
    assert {path.suffix for path in FILES} >= {".shbin", ".mbs", ".gsh", ".sharcfb", ".bnsh", ".bfsha", ".szs"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_reports_are_those_of_the_command(path: Path, command: Command) -> None:
    file = unshade.open(path)

    def told(name: str) -> dict[str, object]:
        report: dict[str, object] = command.json(name, path)["files"][0]
        assert report.pop("file") == str(path)
        return report

    items = told("ls")["items"]
    assert isinstance(items, list)
    rows = file.list().to_dicts()
    assert [{name: value for name, value in row.items() if value is not None} for row in rows] == items
    assert [stage.item for stage in file.stages] == file.stages.keys() == [item["item"] for item in items]
    assert [stage.hash for stage in file.stages] == file.list()["hash"]
    assert file.info() == told("info")
    assert file.show() == told("show")["containers"]
    assert told("roundtrip")["identical"] == bool(file.roundtrip())
    assert [stage.stats() for stage in file.stages] == told("stats")["stages"]
    if path.suffix in (".bfsha", ".sharcfb"):
        assert file.options() == told("options")
    findings = told("check")["diagnostics"]
    assert isinstance(findings, list)
    assert [(one.severity, one.code, one.message) for one in file.check()] == [
        (one["severity"], one["code"], one["message"]) for one in findings
    ]
    if len(file.info()["containers"]) == 1:
        assert file.names() == command.json("edit", path, "--names")["names"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_texts_are_those_of_the_command(path: Path, command: Command) -> None:
    file = unshade.open(path)
    assert file.disassemble() == command.run("disasm", path)
    sources = file.decompile()
    assert "\n".join(source.text for source in sources) == command.run("decompile", path)
    stage = file.stages[-1]
    place = f"{path}{stage.item}"
    assert stage.disassemble() == command.run("disasm", place)
    assert stage.disassemble(words=True, offsets=True) == command.run("disasm", place, "--words", "--offsets")
    (one,) = unshade.open(place).stages
    for options in (["--strict"], ["--to", "wgsl"], ["--glsl", "330"]):
        told = command.run("decompile", place, *options)
        try:
            source = one.decompile(
                target="wgsl" if "wgsl" in options else "glsl",
                strict="--strict" in options,
                glsl="330" if "330" in options else None,
            )
        except unshade.DecompileError as error:
            assert told == "" and error.code == "decompile.print" and error.file == str(path)
        else:
            assert source.text == told


def test_words_and_code() -> None:
    stage = unshade.open(SAMPLES / "loops.shbin").stages[0]
    assert stage.code == b"".join(word.to_bytes(4, "little") for word in stage.words)
    data = (SAMPLES / "loops.shbin").read_bytes()
    assert data[stage.offset : stage.offset + len(stage.code)] == stage.code
    assert (stage.isa, stage.kind, stage.instructions) == ("pica200", "vertex", len(stage.words))
    assert set(stage.interface) >= {"symbols"} or stage.interface
    again = unshade.raw(stage.code, "pica200")
    assert again.words == unshade.raw(stage.words, "pica200").words == stage.words
    assert unshade.raw(" ".join(f"{word:08x}" for word in stage.words), "pica200").words == stage.words


def test_ways_to_open() -> None:
    path = SAMPLES / "shared_transform.shbin"
    data = path.read_bytes()
    hashes = unshade.open(path).list()["hash"]
    for given in (str(path), data, bytearray(data), memoryview(data), memoryview(data)[:]):
        assert unshade.open(given).list()["hash"] == hashes
    assert unshade.open(data, name="it").name == "it"
    one = unshade.open(f"{path}#1")
    assert one.item == "1" and one.list()["hash"] == hashes[1:2]
    assert unshade.open(data, item="1").list()["hash"] == unshade.open(data, item="#1").list()["hash"] == hashes[1:2]
    nested = SAMPLES / "nested.szs"
    item = unshade.open(nested).stages[0].item
    inner = item.split("#")[0]
    assert len(unshade.open(nested, inner=inner).stages)
    assert len(unshade.open(nested, inner=inner.strip(":").split(":")).stages)
    with pytest.raises(TypeError, match="expected a path"):
        unshade.open(5)  # type: ignore[arg-type]


def test_stages_are_a_sequence() -> None:
    stages = unshade.open(SAMPLES / "shared_transform.shbin").stages
    assert [stage.item for stage in stages] == [stages[index].item for index in range(len(stages))]
    assert stages[-1].item == stages.keys()[-1] == stages[stages.keys()[-1]].item
    assert "#1" in stages and "1" in stages and "#99" not in stages
    with pytest.raises(IndexError):
        stages[len(stages)]
    with pytest.raises(unshade.NameNotFound, match="there is no #nothing") as info:
        stages["nothing"]
    assert isinstance(info.value, LookupError)


def test_errors_say_where(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "cut.shbin"
    path.write_bytes((SAMPLES / "loops.shbin").read_bytes()[:40])
    with pytest.raises(unshade.FormatError) as info:
        unshade.open(path)
    error = info.value
    (told,) = command.json("check", path)["files"][0]["diagnostics"]
    assert (error.code, error.path, error.file) == (told["code"], told["path"], str(path))
    assert error.offset == told["location"]["bytes"]["start"]
    assert str(error).startswith(f"{path}: {error.path}: expected ") and f"{error.offset:#x}" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is unshade.FormatError and str(again) == str(error) and again.offset == error.offset
    with pytest.raises(unshade.NameNotFound):
        unshade.open(SAMPLES / "loops.shbin", item="nothing")
    with pytest.raises(unshade.FormatError):
        unshade.open(b"", name="empty")
    with pytest.raises(FileNotFoundError) as missing:
        unshade.open("no/such/file")
    assert missing.value.filename == "no/such/file"
    with pytest.raises(IsADirectoryError if os.name == "posix" else OSError):
        unshade.open(SAMPLES)


def test_edit(command: Command, tmp_path: Path) -> None:
    path = SAMPLES / "shared_transform.shbin"
    file = unshade.open(path)
    values: dict[str, Any] = {
        "uniforms.tintA": [1, 0.5, 0, 1],
        "uniforms.useTint": False,
        "inputs.t.register": "v2",
    }
    edited = file.edit(values, rename={"uniforms.tintB": "shade"})
    out = tmp_path / "out.shbin"
    sets = ["uniforms.tintA=1,0.5,0,1", "uniforms.useTint=false", "inputs.t.register=v2"]
    arguments = [part for one in sets for part in ("--set", one)]
    command.run("edit", path, *arguments, "--rename", "uniforms.tintB=shade", "-o", out)
    assert edited.to_bytes() == bytes(edited) == out.read_bytes() != file.to_bytes()
    assert len(edited.changes) == 4 and edited.changes[1]["path"] == "dvle[1].uniforms.useTint"
    assert (edited.changes[1]["old"], edited.changes[1]["new"]) == ("true", "false")
    assert file.changes == [] and not file.edit({"uniforms.useTint": True}).changes
    back = edited.edit({"uniforms.tintA": None, "uniforms.useTint": True, "inputs.t.register": "v1"})
    assert back.edit(rename={"uniforms.shade": "tintB"}).list()["hash"] == file.list()["hash"]
    edited.write(tmp_path / "written.shbin")
    assert (tmp_path / "written.shbin").read_bytes() == edited.to_bytes()
    with pytest.raises(unshade.EditError) as info:
        file.edit({"no.such.path": 1})
    assert isinstance(info.value, ValueError) and info.value.code
    with pytest.raises(OSError):
        edited.write(tmp_path / "no" / "folder")


def test_pick(command: Command) -> None:
    path = SAMPLES / "surface.sharcfb"
    (program, *_) = unshade.open(path).options()["programs"]
    found = unshade.open(path).pick(program=program["item"])
    (told,) = command.json("pick", f"{path}{program['item']}")["files"]
    assert told.pop("file") and found == told
    with pytest.raises(unshade.NameNotFound):
        unshade.open(path).pick({"NO_SUCH_MACRO": 1}, program=program["item"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_damaged_files(path: Path) -> None:
    data = path.read_bytes()
    for size in {*range(0, len(data), max(1, len(data) // 24)), *range(0, min(len(data), 40), 3)}:
        try:
            file = unshade.open(data[:size], name="cut")
            assert len(file.list()) == len(file.stages)
            file.info(), file.show(), file.check(), file.roundtrip(), file.damaged
            for stage in list(file.stages)[:2]:
                stage.disassemble(), stage.stats()
        except unshade.Error as error:
            assert error.file == "cut" and str(error)
        unshade.scan_bytes(data[:size], "cut").to_dicts()
    flipped = bytearray(data)
    for at in range(0, len(data), max(1, len(data) // 40)):
        flipped[at] ^= 0xFF
        try:
            file = unshade.open(flipped)
            file.list(), file.show(), file.check(), file._repr_html_()
        except unshade.Error:
            pass
        flipped[at] ^= 0xFF


def test_notebooks() -> None:
    data = (SAMPLES / "loops.shbin").read_bytes()
    file = unshade.open(data, name="<script>alert(1)</script>")
    stage = file.stages[0]
    for thing in (file, stage, file.list(), file.decompile()[0], stage.decompile(), stage.disassemble()):
        html = thing._repr_html_()
        assert html.count("<") > 2 and "<script" not in html
    assert "pica200" in file._repr_html_()
    assert "&lt;script&gt;" in file._repr_html_() and "<pre" in stage.disassemble()._repr_html_()
    assert isinstance(stage.disassemble(), str)
