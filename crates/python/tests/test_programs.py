"""Programs: run, proved, assembled; and that other threads go on meanwhile."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest
from conftest import SAMPLES, Command

import unshade


def test_run(command: Command, tmp_path: Path) -> None:
    path = SAMPLES / "power.vert.mbs"
    stage = unshade.open(path).stages[0]
    told = json.loads(command.run("run", path))
    assert stage.run() == told
    inputs = {"cases": [{"id": "a", "in": {}}, {"id": "b", "in": {}}]}
    document = tmp_path / "inputs.json"
    document.write_text(json.dumps(inputs))
    told = json.loads(command.run("run", path, "--inputs", document))
    assert stage.run(inputs) == stage.run(json.dumps(inputs)) == told
    assert [case["id"] for case in told["cases"]] == ["a", "b"]
    drawn = stage.random_inputs(7, cases=2)
    assert len(drawn["cases"]) == 2 and drawn["cases"][0]["in"] == stage.random_inputs(7)
    told = json.loads(command.run("run", path, "--random", 7, "--cases", 2))
    assert stage.run(drawn) == told
    assert "unfinished" in stage.run(fuel=1)["cases"][0]
    with pytest.raises(unshade.RunError) as info:
        stage.run({"cases": 5})
    assert info.value.path == "cases" and isinstance(info.value, ValueError)


def test_verify(command: Command) -> None:
    path = SAMPLES / "shared_transform.shbin"
    told = command.json("verify", f"{path}#1", "--cases", 64, "--seed", 7)["files"][0]["stages"][0]
    verdict = unshade.open(path).stages[1].verify(cases=64, seed=7)
    assert verdict and verdict.passed and str(verdict) == verdict.verdict == told["verdict"]
    assert (verdict.strict_cases, verdict.readable_cases, verdict.seed) == (64, 64, 7)


def test_the_lock_is_released() -> None:
    stage = unshade.open(SAMPLES / "shared_transform.shbin").stages[1]
    stage.verify(cases=16)
    counted = [0]
    stop = threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        cases, took = 2000, 0.0
        while took < 0.3:
            cases *= 2
            before, start = counted[0], time.monotonic()
            stage.verify(cases=cases)
            took, during = time.monotonic() - start, counted[0] - before
    finally:
        stop.set()
        thread.join()
    # Behind a lock that is held the other thread would not get on at all.
    assert during > 10, (during, took)


def test_many_threads() -> None:
    file = unshade.open((SAMPLES / "nested.szs").read_bytes())
    expected: list[str] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            texts = [str(stage.decompile()) for stage in file.stages]
            texts += file.list()["hash"] + [str(file.info()), str(file.show())]
            expected.append("\n".join(texts))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and len(expected) == 4 and len(set(expected)) == 1


def test_assemble(command: Command, tmp_path: Path) -> None:
    source = SAMPLES / "loops.v.pica"
    out = tmp_path / "out.shbin"
    command.run("asm", source, "-o", out)
    assert unshade.assemble(source.read_text()) == out.read_bytes()
    file = unshade.open(SAMPLES / "loops.shbin")
    assert unshade.assemble(file.disassemble()) == file.to_bytes()
    stage = unshade.open(SAMPLES / "two_stages.bnsh").stages[0]
    bare = unshade.raw(stage.code, stage.isa)  # type: ignore[arg-type]
    assert unshade.assemble(bare.disassemble(), isa="maxwell") == stage.code


def test_assemble_errors() -> None:
    text = (SAMPLES / "loops.v.pica").read_text()
    lines = text.splitlines()
    number = next(index for index, line in enumerate(lines) if line.strip().startswith("mov"))
    lines[number] = "    mov r0, nothing"
    with pytest.raises(unshade.AssembleError) as info:
        unshade.assemble("\n".join(lines), name="loops.v.pica")
    error = info.value
    assert error.line == number + 1 and error.column == 13 and error.file == "loops.v.pica"
    assert str(error).startswith(f"loops.v.pica:{number + 1}:13: error[") and "^" in str(error)
    assert error.diagnostics[0].line == error.line and error.diagnostics[0].severity == "error"
    with pytest.raises(ValueError):
        unshade.assemble([])


def test_decompile() -> None:
    stage = unshade.open(SAMPLES / "phong.frag.mbs").stages[0]
    source = stage.decompile(glsl="es100")
    assert str(source) == source.text and "gl_FragColor" in source.text
    assert source.target == "glsl" and source.words is None and bytes(source) == source.text.encode()
    assert {item["name"] for item in source.stages[0]["interface"]} >= {"u_l", "u_t", "v_uv"}
    binary = stage.decompile("spirv")
    assert binary.words and binary.words[0] == 0x07230203 and bytes(binary)[:4] == b"\x03\x02\x23\x07"
    with pytest.raises(ValueError, match="there is no target `cobol`; there are glsl, "):
        stage.decompile("cobol")  # type: ignore[arg-type]
    for wrong in ({"glsl": "9"}, {"layout": "x"}, {"profile": "x"}):
        with pytest.raises(ValueError, match="there is no"):
            stage.decompile(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no picasso text"):
        stage.disassemble("picasso")
    assert stage.disassemble("lima")


def test_surroundings(command: Command) -> None:
    path = SAMPLES / "blur.gsh"
    stage = unshade.open(path).stages[0]
    place = f"{path}{stage.item}"
    assert stage.decompile(profile="cemu").text == command.run("decompile", place, "--profile", "cemu")
    assert stage.surrounded(profile="cemu").decompile().text == stage.decompile(profile="cemu").text
    with pytest.raises(unshade.RunError, match="no_such_field"):
        stage.surrounded(state={"no_such_field": 1})


def test_nothing_comes_from_nowhere() -> None:
    """Every name of the package has a docstring."""
    for name in unshade.__all__:
        thing = getattr(unshade, name)
        if callable(thing):
            assert thing.__doc__, name
            for member, value in vars(thing).items() if isinstance(thing, type) else ():
                if not member.startswith("_") and callable(value):
                    assert value.__doc__, f"{name}.{member}"
