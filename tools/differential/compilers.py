"""Compilers from outside, each a program that is given by its path. They are no part of the project; without one there is nothing
to compare, and the message says how to give one."""

import os
import re
import shlex
import shutil
import struct
import subprocess

# How long one compilation may take, in seconds.
PATIENCE = 30
# What uam calls the stages.
UAM_STAGES = {"vert": "vert", "tesc": "tess_ctrl", "tese": "tess_eval", "geom": "geom", "frag": "frag", "comp": "comp"}


class Missing(Exception):
    pass


class Compiler:
    """A program with a command line in which {source}, {out} and {stage} are filled in. `family` says how its results are run:
    the interpreter is compared for `maxwell`, whose interface is known."""

    def __init__(self, name, path, line="{path} {source} {out}", suffix=".bin", stages=tuple(UAM_STAGES), family=None):
        self.name, self.line, self.suffix, self.stages, self.family = name, line, suffix, stages, family
        words = shlex.split(path)
        found = shutil.which(words[0]) if words else None
        if not found:
            raise Missing(f"no compiler {name} at {path!r}: {name}=PATH names a program, for instance UNSHADE_UAM=/opt/uam for uam")
        self.path = os.path.abspath(found)
        if len(words) > 1:
            self.line = "{path} " + path.split(None, 1)[1]

    def command(self, source, stage, out):
        places = {"path": self.path, "source": source, "out": out, "stage": UAM_STAGES[stage]}
        return [word.format(**places) for word in shlex.split(self.line)]

    def compile(self, source, stage, out):
        """Nothing where there is a result, or why there is none."""
        try:
            done = subprocess.run(self.command(source, stage, out), capture_output=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"does not end within {PATIENCE} s"
        said = (done.stderr + done.stdout).decode(errors="replace").strip()
        if done.returncode < 0:
            return f"is killed by signal {-done.returncode}"
        if done.returncode or not os.path.exists(out) or not os.path.getsize(out):
            lines = [line for line in said.splitlines() if "error" in line.lower()] or said.splitlines()
            return lines[0] if lines else f"ends with {done.returncode} and no word"
        self.mend(source, out)
        return None

    def mend(self, source, out):
        """What a compiler is known to leave out of the file, put in."""

    def between(self, source, stage, folder):
        """The compiler's own form between source and code as a text, where it prints one: faults are recognised by it."""
        return ""


class Uam(Compiler):
    """The compiler of deko3d. Its derivatives in y are multiplied by a constant that it leaves 0 in the file: the last row of
    constants, which only is a row of its own where a program asks for such a derivative."""

    def mend(self, source, out):
        with open(source, errors="replace") as file:
            text = file.read()
        if not re.search(r"\b(dFdy\w*|fwidth\w*|interpolateAtOffset|interpolateAtSample)\b", text):
            return
        with open(out, "rb") as file:
            data = bytearray(file.read())
        code, programs = struct.unpack_from("<I", data, 8)[0], struct.unpack_from("<I", data, 16)[0]
        at, size = struct.unpack_from("<II", data, programs + 12)
        row = code + at + size - 16
        if size >= 16 and row + 16 <= len(data) and not any(data[row:row + 16]):
            struct.pack_into("<f", data, row, 1.0)
            with open(out, "wb") as file:
                file.write(data)

    def between(self, source, stage, folder):
        out = os.path.join(folder, "between")
        words = [self.path, "-s", UAM_STAGES[stage], "-t", out, source]
        try:
            subprocess.run(words, capture_output=True, timeout=PATIENCE)
            with open(out) as file:
                return file.read()
        except (OSError, subprocess.TimeoutExpired):
            return ""


def known(name, path):
    """A compiler by name: `uam`, `lima` and `r600` are known, others take {source}, {out} and {stage} in their command line."""
    if name == "uam":
        return Uam(name, path, "{path} -s {stage} -o {out} {source}", ".dksh", family="maxwell")
    if name == "lima":
        return Compiler(name, path, "{path} {source} {out}", ".mbs", ("vert", "frag"), "mali")
    if name == "r600":
        return Compiler(name, path, "{path} {stage} {source} {out}", ".bin", ("vert", "geom", "frag", "comp"), "latte")
    return Compiler(name, path)


def given(words):
    """The compilers that the command line names as NAME=PATH, and uam where UNSHADE_UAM does."""
    pairs = [word.split("=", 1) for word in words]
    for pair in pairs:
        if len(pair) != 2:
            raise Missing(f"--compiler {pair[0]}: NAME=PATH is wanted")
    if not pairs:
        path = os.environ.get("UNSHADE_UAM")
        if not path:
            raise Missing("no compiler is given: UNSHADE_UAM=PATH names uam, --compiler NAME=PATH any other")
        pairs = [["uam", path]]
    return [known(name, path) for name, path in pairs]
