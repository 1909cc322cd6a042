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


# Formats by which OpenGL may see the bits of an image: name -> (number, bytes of a texel).
FORMATS = {
    "rgba32f": (0x8814, 16), "rgba32i": (0x8D82, 16), "rgba32ui": (0x8D70, 16), "rgba16f": (0x881A, 8), "rgba16i": (0x8D88, 8), "rgba16ui": (0x8D76, 8),
    "rg32f": (0x8230, 8), "rg32i": (0x823B, 8), "rg32ui": (0x823C, 8), "rgba8": (0x8058, 4), "rgba8i": (0x8D8E, 4), "rgba8ui": (0x8D7C, 4),
    "rg16f": (0x822F, 4), "rg16ui": (0x823A, 4), "r32f": (0x822E, 4), "r32i": (0x8235, 4), "r32ui": (0x8236, 4), "r16ui": (0x8234, 2), "r8ui": (0x8232, 1),
}


class Tolerance:
    def __init__(self, absolute=ABSOLUTE, relative=RELATIVE):
        self.ulp, self.rel, self.abs, self.show = UNITS, relative, absolute, 3


class Differs(Exception):
    """A text computes something else; what first."""


class Refused(Exception):
    """A text does not run."""


class Drawing:
    def __init__(self):
        self.run, self.tolerance, self.float_buffers = None, Tolerance(), set()
        path = runner_path()
        if path is None:
            return
        # Nothing is gained by optimising what runs eight times.
        os.environ.setdefault("GALLIVM_PERF", "no_brilinear,no_rho_approx,no_quad_lod,no_aos_sampling,nopt")
        spec = importlib.util.spec_from_file_location("glslrun", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        try:
            module.GL()
        except (OSError, module.GLError):
            return
        self.run = module
        read = module.Image.read

        def bound(image):
            # Of a cube the runner reads whatever texture is bound.
            module.GL().BindTexture(image.tgt, image.tex)
            return read(image)

        module.Image.read = bound

    def there(self):
        return self.run is not None

    def vectors(self, path, hints, seed=1, cases=CASES):
        """Inputs and what the source makes of them."""
        hints = {os.path.basename(path): hints}
        with open(path) as file:
            buffers = re.findall(r"\bbinding\s*=\s*(\d+)[^)]*\)[^{;]*\bbuffer\s+\w+\s*\{([^}]*)\}", file.read())
        self.float_buffers = {binding for binding, members in buffers if re.search(r"\b(float|vec\d) d", members)}
        try:
            try:
                return self.run.make_vectors(path, hints, cases, seed)
            except self.run.GLError:
                # The first run makes textures of several samples with a program of their own, and goes on with that one.
                return self.run.make_vectors(path, hints, cases, seed)
        except (self.run.ShaderError, self.run.GLError) as error:
            raise Refused(str(error)) from error

    @staticmethod
    def dressed(path, source):
        """Makes a text such that it runs as its source does: of a geometry program the code does not say which primitives it
        takes, and the runner takes a comparison with gl_PrimitiveID for a statement that sets it."""
        with open(path) as file:
            text = file.read()
        made = re.sub(r"\bgl_PrimitiveID\b(?=\s*==)", "(gl_PrimitiveID)", text)
        # What a machine computes in sixteen bits is held against the source as both compute it in more.
        made = re.sub(r"^precision (mediump|lowp) float;", "precision highp float;", made, flags=re.M)
        if made != text:
            with open(path, "w") as file:
                file.write(made)
        if "gl_PointCoord" in source and "gl_PointCoord" not in text:
            # The runner draws points where a source asks for places in them, whether that changes a result or not.
            with open(path, "w") as file:
                file.write(re.sub(r"^(#version[^\n]*\n)", r"\1#define PLACE gl_PointCoord\n", text, count=1))
        turns = re.search(r"\binvocations\s*=\s*([2-9]|\d\d+)", source) and re.search(r"\bmax_vertices\s*=\s*(\d+)", source)
        if turns:
            # Mesa 22.3 writes behind what it has for the vertices of several invocations where they emit as many as they may.
            with open(path) as file:
                text = file.read()
            with open(path, "w") as file:
                file.write(re.sub(r"\bmax_vertices\s*=\s*\d+", f"max_vertices = {turns[1]}", text))
        taken = re.compile(r"layout\s*\(([^)]*?)\b(points|lines_adjacency|lines|triangles_adjacency|triangles)\b([^)]*)\)\s*in\s*;")
        wanted = taken.search(source)
        if wanted:
            with open(path) as file:
                text = file.read()
            with open(path, "w") as file:
                file.write(taken.sub(lambda match: f"layout({match[1]}{wanted[2]}{match[3]}) in;", text, count=1))

    def outputs(self, path, doc):
        """What a text makes of the same inputs."""
        made, gl = copy.deepcopy(doc), self.run.GL()
        formats, bind = self.formats(path, doc), gl.BindImageTexture
        # A text that reads the bits of an image sees it by another format than its source.
        gl.BindImageTexture = lambda unit, *rest: bind(unit, *rest[:-1], formats.get(unit, rest[-1]))
        try:
            try:
                return self.run.run_doc(path, made)[0]
            except self.run.ShaderError as error:
                if not re.match("no (texture|image) for ", str(error)):
                    raise
            self.unread(path, made)
            try:
                return self.run.run_doc(path, made)[0]
            except self.run.GLError:
                # As in `vectors`.
                return self.run.run_doc(path, made)[0]
        except (self.run.ShaderError, self.run.GLError) as error:
            raise Refused(str(error)) from error
        finally:
            gl.BindImageTexture = bind

    def unread(self, path, doc):
        """Adds the textures and images that a text declares and the source does not ask for anything: Mesa leaves out of the
        source what changes no result of it."""
        interface = self.run.Iface(path)
        for texture in interface.textures:
            doc["textures"].setdefault(texture["key"], self.run.default_tex(texture["type"], 0))
        for image in interface.images:
            doc["images"].setdefault(image["key"], self.run.default_image(image["type"], image["format"], 0))

    @staticmethod
    def formats(path, doc):
        """The numbers of the formats that a text declares its images with, by binding, where the texels are as large."""
        with open(path) as file:
            text = file.read()
        out = {}
        for layout in re.findall(r"layout\s*\(([^)]*)\)[^;{]*\b[iu]?image\w+\s+\w+", text):
            words = [word.strip() for word in layout.split(",")]
            binding = next((word.split("=")[1].strip() for word in words if word.startswith("binding")), None)
            own = next((FORMATS[word] for word in words if word in FORMATS), None)
            image = doc.get("images", {}).get(binding)
            if own and image and image["format"] in FORMATS and FORMATS[image["format"]][1] == own[1]:
                out[int(binding)] = own[0]
        return out

    def differences(self, doc, results, tolerance=None):
        """The numbers of the cases that differ, with what first."""
        bases, out = self.run.bases_of(doc), {}
        for number, (case, result) in enumerate(zip(doc["cases"], results)):
            bad, _ = self.run.compare_out(case["out"], result, bases, tolerance or self.tolerance, doc.get("ignore"), doc.get("images"))
            bad = [item for item in bad if not self.near(doc, item) and not self.zero(item)]
            if "discard" in result and all(case["out"]["discard"]):
                # Of pixels that are all gone nobody sees which outputs there were.
                bad = [item for item in bad if not item[1].startswith("missing")]
            if bad:
                out[number] = bad
        return out

    @staticmethod
    def near(doc, item):
        """Whether a difference is one step of an image of bytes, which rounding may be."""
        place, what = item
        image = doc.get("images", {}).get(place.removeprefix("img."))
        words = re.findall(r"\b[0-9a-f]{8}\b", what)
        if not place.startswith("img.") or not image or image["format"] != "rgba8" or len(words) < 2:
            return False
        return all(abs(one - other) <= 1 for one, other in zip(bytes.fromhex(words[0]), bytes.fromhex(words[1])))

    def zero(self, item):
        """Whether a difference is the sign of a zero in a buffer of floats, which the runner holds for untyped words. No rule of
        the language gives zeros of computed numbers a sign."""
        place, what = item
        words = set(re.findall(r"\b[0-9a-f]{8}\b", what))
        return place.removeprefix("ssbo.") in self.float_buffers and words == {"00000000", "80000000"}

    def shaken(self, path, doc, seed):
        """What the source makes of nearly the same inputs: floats are moved by some units of their last place."""
        source, made = random.Random(seed), copy.deepcopy(doc)
        with open(path) as file:
            # Between the places of a pixel the runner and the interpreter interpolate each in its own way.
            far = 64 if "interpolateAt" in file.read() else 1

        def words(text):
            out = []
            for word in text.split():
                value = int(word, 16)
                magnitude = value & 0x7FFFFFFF
                # Small integers are denormal as floats, and stay.
                if 0x33000000 < magnitude < 0x4A000000:
                    value += source.choice((-3, -2, -1, 1, 2, 3)) * far
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
        for seed in range(8):
            results = self.shaken(path, doc, seed)
            moved = self.differences(doc, results, Tolerance(self.tolerance.abs / 2, self.tolerance.rel / 2))
            out |= set(moved) & set(cases)
        return out


def said(bad):
    """The first difference in one line."""
    place, what = bad[0]
    return f"{re.sub(r'[0-9]+', 'N', place)}: {what}"


def float_of(word):
    return struct.unpack("<f", struct.pack("<I", int(word, 16)))[0]
