"""Compilers from outside, each a program that is given by its path. They are no part of the project; without one there is nothing
to compare, and the message says how to give one."""

import json
import os
import re
import select
import shlex
import shutil
import struct
import subprocess
import sys

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
        # Whether it can be asked to compile without some faults of its own that are known; and is, for now.
        self.mendable, self.mended = False, False
        # Findings of `check` that are about who wrote the file, not about what is read.
        self.writers = ()
        # Which programs of chance it takes (stages.py), and by which numbers right computations may differ: absolute, relative.
        self.dialect, self.tolerance = "maxwell", None
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

    def words(self, compiled, stage, command):
        """What a command of Unshade must be told besides the name of the file."""
        return []

    def places(self, compiled):
        """Which bindings of the source are where in the code, where a file does not say it."""
        return None

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


class R600(Compiler):
    """Mesa's driver for the chips of that generation: bare code, and what surrounds it in two files beside it. `path` is the shim that
    answers for the kernel (mesa/README.md); with `optimised` the code has gone through Mesa's second compiler, sb."""

    NAMES = {"vert": "vertex", "frag": "fragment", "geom": "geometry"}

    def __init__(self, name, path, optimised):
        super().__init__(name, "python3", suffix=".bin", stages=tuple(self.NAMES)[:2], family="latte")
        self.shim, self.optimised, self.server, self.dialect = os.path.abspath(path), optimised, None, "latte"
        # The tables are what the driver prints, without its own constants and what only a query asks for.
        self.writers = ("latte.block", "latte.texture")
        if not os.path.isfile(path):
            raise Missing(f"no shim {name} at {path!r}: {name}=PATH names the library that tools/differential/mesa/build.sh makes")

    def start(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mesa", "r600.py")
        surroundings = {**os.environ, "LD_PRELOAD": self.shim, "RADEON_GPU_ID": "RV770", "EGL_PLATFORM": "surfaceless",
                        "R600_DEBUG": "vs,ps,gs" + (",nirsb" if self.optimised else "")}
        # The runner asks for the software driver by these.
        for name in ("LIBGL_ALWAYS_SOFTWARE", "GALLIUM_DRIVER", "MESA_GL_VERSION_OVERRIDE", "MESA_GLSL_VERSION_OVERRIDE"):
            surroundings.pop(name, None)
        self.server = subprocess.Popen([sys.executable, script, "--serve"], env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True, bufsize=1)

    def compile(self, source, stage, out):
        if self.server is None or self.server.poll() is not None:
            self.start()
        try:
            self.server.stdin.write(json.dumps({"source": source, "out": out}) + "\n")
            ready, _, _ = select.select([self.server.stdout], [], [], PATIENCE)
            line = self.server.stdout.readline() if ready else ""
        except BrokenPipeError:
            ready, line = [True], ""
        if line:
            error = json.loads(line)["error"]
            return error and next((line for line in error.splitlines() if "error" in line), error.splitlines()[0])
        self.server.kill()
        status, self.server = self.server.wait(), None
        return f"is ended by signal {-status}" if ready else f"does not end within {PATIENCE} s"

    def words(self, compiled, stage, command):
        kind = ["--isa", "latte", "--stage", self.NAMES[stage]]
        return kind + (["--state", compiled + ".json"] if command in ("check", "decompile", "verify", "run") else [])

    def places(self, compiled):
        with open(compiled + ".places.json") as file:
            return json.load(file)


class Lima(Compiler):
    """Mesa's stand-alone compiler for Mali's Utgard, with what mesa/build.sh adds: it leaves code and places beside the source, of which
    an MBS file is made by the corpus's builder (tools/make_mbs.py there, or UNSHADE_MAKE_MBS)."""

    def __init__(self, name, path):
        super().__init__(name, path, "{path} {source}", ".mbs", ("vert", "frag"), "mali")
        self.dialect, self.tolerance, self.said = "mali", (6e-3, 4e-3), ""
        self.mendable = True
        # Mesa lays uniforms out in rows.
        self.writers = ("mbs.component-size", "mbs.stride", "mbs.overlap")
        here = os.path.dirname(os.path.abspath(__file__))
        sys.path.append(os.path.join(here, "mesa"))
        import lima
        shared = os.environ.get("UNSHADE_SHARED", os.path.join(here, "..", "..", "..", "shared"))
        builder = os.environ.get("UNSHADE_MAKE_MBS", os.path.join(shared, "tools", "make_mbs.py"))
        if not os.path.isfile(builder):
            raise Missing(f"no builder of MBS files at {builder!r}: UNSHADE_MAKE_MBS names it")
        self.lima, self.writer = lima, lima.writer(builder)

    def compile(self, source, stage, out):
        try:
            surroundings = {**os.environ, "UNSHADE_MENDED": "1"} if self.mended else None
            done = subprocess.run(self.command(source, stage, out), capture_output=True, timeout=PATIENCE, env=surroundings)
        except subprocess.TimeoutExpired:
            return f"does not end within {PATIENCE} s"
        self.said = done.stdout.decode(errors="replace")
        lines = [line for line in (done.stderr.decode(errors="replace") + self.said).splitlines() if re.search("error|ssertion|fail", line)]
        if done.returncode < 0:
            return lines[0] if lines else f"is killed by signal {-done.returncode}"
        why = self.lima.written(source, out, self.writer)
        return (lines[0] if why == "no code" and lines else why) if why else None

    def between(self, source, stage, folder):
        return self.said

    def words(self, compiled, stage, command):
        return ["--glsl", "es100"] if command == "decompile" else []

    def places(self, compiled):
        with open(compiled + ".places.json") as file:
            return json.load(file)


def known(name, path):
    """A compiler by name: `uam`, `lima`, `r600` and `r600-sb` are known, others take {source}, {out} and {stage} in their command line."""
    if name == "uam":
        return Uam(name, path, "{path} -s {stage} -o {out} {source}", ".dksh", family="maxwell")
    if name == "lima":
        return Lima(name, path)
    if name in ("r600", "r600-sb"):
        return R600(name, path, name == "r600-sb")
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
