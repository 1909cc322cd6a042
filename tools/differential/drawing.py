"""What a source computes, by a software OpenGL: the runner that lies beside the project (tools/glslrun.py of its corpus) runs it on
made-up inputs, and a decompiled text on the same."""

import copy
import importlib.util
import os
import random
import re
import struct

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CASES = 8
# What two right evaluations may differ by: see the bounds of the generator (values.py).
ABSOLUTE, RELATIVE, UNITS = 5e-4, 2e-4, 8


def runner_path():
    """Where the runner is, or nothing."""
    folder = os.environ.get("UNSHADE_SHARED", os.path.join(ROOT, "..", "shared"))
    path = os.environ.get("UNSHADE_GLSLRUN", os.path.join(folder, "tools", "glslrun.py"))
    return path if os.path.isfile(path) else None


class Tolerance:
    def __init__(self, absolute=ABSOLUTE, relative=RELATIVE):
        self.ulp, self.rel, self.abs, self.show = UNITS, relative, absolute, 3


class Differs(Exception):
    """A text computes something else; what first."""


class Refused(Exception):
    """A text does not run."""


class Drawing:
    def __init__(self):
        self.run = None
        path = runner_path()
        if path is None:
            return
        spec = importlib.util.spec_from_file_location("glslrun", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        try:
            module.GL()
        except (OSError, module.GLError):
            return
        self.run = module

    def there(self):
        return self.run is not None

    def vectors(self, path, hints, seed=1, cases=CASES):
        """Inputs and what the source makes of them."""
        hints = {os.path.basename(path): hints}
        try:
            try:
                return self.run.make_vectors(path, hints, cases, seed)
            except self.run.GLError:
                # The first run makes textures of several samples with a program of their own, and goes on with that one.
                return self.run.make_vectors(path, hints, cases, seed)
        except (self.run.ShaderError, self.run.GLError) as error:
            raise Refused(str(error)) from error

    def outputs(self, path, doc):
        """What a text makes of the same inputs."""
        try:
            made = copy.deepcopy(doc)
            results, _ = self.run.run_doc(path, made)
            return results
        except (self.run.ShaderError, self.run.GLError) as error:
            raise Refused(str(error)) from error

    def differences(self, doc, results, tolerance=None):
        """The numbers of the cases that differ, with what first."""
        bases, out = self.run.bases_of(doc), {}
        for number, (case, result) in enumerate(zip(doc["cases"], results)):
            bad, _ = self.run.compare_out(case["out"], result, bases, tolerance or Tolerance(), doc.get("ignore"), doc.get("images"))
            if bad:
                out[number] = bad
        return out

    def shaken(self, path, doc, seed):
        """What the source makes of nearly the same inputs: floats are moved by some units of their last place."""
        source, made = random.Random(seed), copy.deepcopy(doc)

        def words(text):
            out = []
            for word in text.split():
                value = int(word, 16)
                magnitude = value & 0x7FFFFFFF
                # Small integers are denormal as floats, and stay.
                if 0x33000000 < magnitude < 0x4A000000:
                    value += source.choice((-3, -2, -1, 1, 2, 3))
                out.append(f"{value:08x}")
            return " ".join(out)

        def moved(value):
            if isinstance(value, str):
                return words(value)
            return [moved(inner) for inner in value] if isinstance(value, list) else value

        made["pool"] = {key: words(text) for key, text in made.get("pool", {}).items()}
        for case in made["cases"]:
            for part in ("in", "corners", "uniform"):
                if case.get(part):
                    case[part] = {key: value if key.startswith("gl_Tess") else moved(value) for key, value in case[part].items()}
        return self.outputs(path, made)

    def chaotic(self, path, doc, cases):
        """Those of the cases in which the source itself makes something else of nearly the same inputs, so that nobody can say
        what is right."""
        out = set()
        for seed in range(3):
            results = self.shaken(path, doc, seed)
            moved = self.differences(doc, results, Tolerance(ABSOLUTE / 2, RELATIVE / 2))
            out |= set(moved) & set(cases)
        return out


def said(bad):
    """The first difference in one line."""
    place, what = bad[0]
    return f"{re.sub(r'[0-9]+', 'N', place)}: {what}"


def float_of(word):
    return struct.unpack("<f", struct.pack("<I", int(word, 16)))[0]
