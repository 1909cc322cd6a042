"""Inputs and results of a source as what goes into the compiled program and comes out: documents for `unshade run --check`
(docs/run-json.md). Where uam puts things: attributes from byte 80 (hexadecimal), 16 bytes a location; uniform block B in bank 2 + B;
handles of textures and images and addresses of storage buffers in bank 0."""

import math
import re
import struct

BUILT_IN = {"gl_Position": 0x70, "gl_PointSize": 0x6C, "gl_Layer": 0x64, "gl_ViewportIndex": 0x68, "gl_PrimitiveID": 0x60, "gl_ClipDistance": 0x2C0}
DRIVER = {"vert": 0x10, "tesc": 0x1B0, "tese": 0x350, "geom": 0x4F0, "frag": 0x690, "comp": 0xA0}
STAGES = {"vert": "vertex", "tesc": "tess-control", "tese": "tess-eval", "geom": "geometry", "frag": "fragment", "comp": "compute"}
# The four samples of a pixel lie in its middle, as on a target of one sample.
MIDDLE = "80008000"
ONE = "3f800000"


class Unmapped(Exception):
    """What has no place in the machine's inputs here."""


def words(*values):
    return " ".join(f"{value & 0xFFFFFFFF:08x}" for value in values)


def address(key):
    if key in BUILT_IN:
        return BUILT_IN[key]
    if not key.isdigit():
        raise Unmapped(f"no place for {key}")
    return 0x80 + 16 * int(key)


def lanes(value):
    return value[0] if isinstance(value, list) and value and all(item == value[0] for item in value) else value


def texture_handle(binding):
    return 0x00100001 * (binding + 1)


def image_handle(binding):
    return 0x40 + binding


def buffer_address(binding):
    return 0x100000000 + 0x100000 * binding


class Document:
    """The document of one program."""

    def __init__(self, doc, source, file, places=None):
        self.doc, self.source, self.stage = doc, source, doc["stage"]
        self.base = DRIVER[self.stage]
        self.types = {item["key"]: item["type"] for item in doc["interface"]["inputs"]}
        self.out = {
            "schema": "unshade-run-1", "file": file, "item": "program:0", "isa": "maxwell", "stage": STAGES[self.stage],
            "tol": {"rel": 2e-4, "abs": 5e-4, "ulp": 8}, "in": {"c": {}}, "textures": {}, "images": {}, "pool": dict(doc.get("pool", {})), "cases": [],
        }

    def make(self):
        common = self.out["in"]["c"]
        interface = self.doc["interface"]
        for item in interface["textures"]:
            binding = int(item["key"])
            common[f"0:{self.base + 4 * binding:x}"] = words(texture_handle(binding))
            self.out["textures"][words(texture_handle(binding))] = self.doc["textures"][item["key"]]
        for item in interface["images"]:
            binding = int(item["key"])
            common[f"0:{self.base + 0x80 + 4 * binding:x}"] = words(image_handle(binding))
            self.out["images"][words(image_handle(binding))] = self.doc["images"][item["key"]]
        if re.search(r"interpolateAtSample|gl_SamplePosition", self.source):
            common["0:830"] = " ".join([MIDDLE] * 64)
        getattr(self, "head_" + self.stage, lambda: None)()
        self.exact()
        for number, case in enumerate(self.doc["cases"]):
            self.case(number, case)
        return self.out

    def case(self, number, case):
        ins, outs = {"c": {}}, {}
        for key, pool in case.get("ubo", {}).items():
            if self.stage == "comp" and int(key) > 5:
                raise Unmapped("a uniform block above 5 of a compute program")
            ins["c"][f"{2 + int(key):x}:0"] = "@" + pool
        for key, pool in case.get("ssbo", {}).items():
            place = buffer_address(int(key))
            ins.setdefault("g", {})[f"{place:x}"] = "@" + pool
            table = 0x140 if self.stage == "comp" else self.base + 0xA0
            ins["c"][f"0:{table + 16 * int(key):x}"] = words(place, place >> 32, 4 * len(self.doc["pool"][pool].split()), 0)
        getattr(self, "case_" + self.stage)(case, ins, outs)
        if not outs:
            return
        made = {"id": f"{case['kind'][0]}{number}", "in": {key: value for key, value in ins.items() if value}, "out": outs}
        for key in ("seed", "filter"):
            if key in case:
                made[key] = case[key]
        if self.stage == "tese":
            made["lanes"] = len(case["out"]["vertices"]) + -len(case["out"]["vertices"]) % 4
        if self.stage == "comp":
            made["grid"] = case["groups"]
        self.out["cases"].append(made)

    def memory(self, case, outs):
        for key, text in case["out"].get("ssbo", {}).items():
            outs.setdefault("g", {})[f"{buffer_address(int(key)):x}"] = text
        for key, text in case["out"].get("img", {}).items():
            # What is rounded to bytes may be a step away.
            if self.doc["images"][key]["format"] == "rgba8":
                continue
            outs.setdefault("img", {})[words(image_handle(int(key)))] = text

    def case_vert(self, case, ins, outs):
        attributes = ins.setdefault("a", {})
        for key, text in case["in"].items():
            kind, given = self.types[key], text.split()
            if not kind.startswith("d") and len(given) < 4:
                one = "00000001" if kind.startswith(("int", "uint", "iv", "uv")) else ONE
                text = " ".join(given + ["00000000", "00000000", "00000000", one][len(given):])
            attributes[f"{address(key):x}"] = text
        system = case["sys"]
        attributes["2f8"] = words(system["InstanceID"], system["VertexID"])
        ins["c"]["0:0"] = words(system["BaseVertex"], system["BaseInstance"], 0)
        for key, text in case["out"].items():
            if key not in ("ssbo", "img"):
                outs.setdefault("a", {})[f"{address(key):x}"] = text

    def head_frag(self):
        self.out["lanes"] = 4
        self.out["in"]["sys"] = {"SampleID": 0, "SampleMaskIn": 1, "HelperInvocation": 0, "Layer": 0}

    def case_frag(self, case, ins, outs):
        attributes, system = ins.setdefault("a", {}), case["sys"]
        for key, value in case["in"].items():
            attributes[f"{address(key):x}"] = lanes(value)
        attributes["70"] = system["FragCoord"]
        attributes["3fc"] = words(-1 if system["FrontFacing"] else 0)
        attributes["60"] = words(system["PrimitiveID"], 0)
        if "PointCoord" in system:
            attributes["2e0"] = system["PointCoord"]
        if "interpolateAt" in self.source:
            ins["corners"] = {f"{address(key):x}": lanes(value) for key, value in case["corners"].items()}
        outs["discard"] = case["out"]["discard"]
        targets = sorted((item for item in self.doc["interface"]["outputs"] if item["key"].isdigit()), key=lambda item: item["location"])
        for at, item in enumerate(targets):
            if item["key"] in case["out"]:
                outs.setdefault("r", {})[str(4 * at)] = lanes(case["out"][item["key"]])
        if "depth" in case["out"]:
            depth = [None if gone else word for word, gone in zip(case["out"]["depth"], case["out"]["discard"])]
            outs.setdefault("r", {})[str(4 * len(targets) + 1)] = lanes(depth)
        self.memory(case, outs)

    def vertices(self, case, ins):
        for key, value in case["in"].items():
            if key == "gl_TessLevelOuter":
                ins.setdefault("p", {})["0"] = value
            elif key == "gl_TessLevelInner":
                ins.setdefault("p", {})["10"] = value
            elif isinstance(value, list):
                ins.setdefault("av", {})[f"{address(key):x}"] = value
            else:
                ins.setdefault("p", {})[f"{0x20 + 16 * int(key):x}"] = value
        ins["sr"] = {"INVOCATION_INFO": "00000000"}
        system = case["sys"]
        if "PatchVerticesIn" in system:
            ins["sr"]["PRIM_TYPE"] = words(system["PatchVerticesIn"] << 8)
        ins.setdefault("a", {})["60"] = words(system.get("PrimitiveIDIn", system.get("PrimitiveID", 0)))

    def head_geom(self):
        self.out["prim_in"] = re.search(r"layout\(\s*(points|lines_adjacency|lines|triangles_adjacency|triangles)\b", self.source)[1]
        self.out["prim_out"] = re.search(r"(points|line_strip|triangle_strip)[^;]*out", self.source)[1]
        turns = re.search(r"invocations\s*=\s*(\d+)", self.source)
        self.out["invocations"] = int(turns[1]) if turns else 1

    def case_geom(self, case, ins, outs):
        self.vertices(case, ins)
        outs["vertices"] = [{f"{address(key):x}": text for key, text in vertex.items()} for vertex in case["out"]["vertices"]]

    def head_tesc(self):
        self.out["invocations"] = int(re.search(r"vertices\s*=\s*(\d+)\s*\)\s*out", self.source)[1])

    def case_tesc(self, case, ins, outs):
        self.vertices(case, ins)
        outer, inner = {"triangles": (3, 1), "quads": (4, 2), "isolines": (2, 0)}[self.doc.get("domain", "quads")]
        for key, value in case["out"].items():
            if key == "gl_TessLevelOuter":
                outs.setdefault("p", {})["0"] = " ".join(value.split()[:outer])
            elif key == "gl_TessLevelInner":
                if inner:
                    outs.setdefault("p", {})["10"] = " ".join(value.split()[:inner])
            elif isinstance(value, list):
                outs.setdefault("av", {})[f"{address(key):x}"] = value
            else:
                outs.setdefault("p", {})[f"{0x20 + 16 * int(key):x}"] = value

    def case_tese(self, case, ins, outs):
        self.vertices(case, ins)
        found = case["out"]["vertices"]
        if not found:
            return
        # Whole quads, since a fetch with gradients walks over the lanes of one.
        found = found + found[-1:] * (-len(found) % 4)
        ins["a"]["2f0"] = [" ".join(vertex["tc"].split()[:2]) for vertex in found]
        outs["a"] = {f"{address(key):x}": lanes([vertex[key] for vertex in found]) for key in found[0] if key != "tc"}

    def head_comp(self):
        sizes = {name: int(size) for name, size in re.findall(r"local_size_([xyz])\s*=\s*(\d+)", self.source)}
        self.out["block"] = [sizes.get(name, 1) for name in "xyz"]

    def case_comp(self, case, ins, outs):
        ins["c"]["0:0"] = words(*self.out["block"], *case["groups"])
        self.memory(case, outs)

    def exact(self):
        """Which results are integers, and must be the same to the bit."""
        out, interface = [], self.doc["interface"]
        whole = [item for item in interface["outputs"] if re.match(r"(u|i)(nt|int|vec)|int", item["type"])]
        if self.stage == "frag":
            targets = sorted((item for item in interface["outputs"] if item["key"].isdigit()), key=lambda item: item["location"])
            out += [f"r:{4 * at}" for at, item in enumerate(targets) if item in whole]
        else:
            out += [f"a:{address(item['key']):x}" for item in whole if item["key"].isdigit()]
        for block in interface["ssbo"]:
            if block["members"] and all(re.match(r"(u|i)(nt|int|vec)|int", member["type"]) for member in block["members"]):
                out.append(f"g:{buffer_address(int(block['key'])):x}")
        if out:
            self.out["exact"] = out


# -- Latte

# The binding that texts have the driver's own constants at.
WINDOW = "14"
FORMATS = {"f": "rgba32f", "i": "rgba32i", "u": "rgba32ui", "d": "d32f"}
TARGETS = {"1D": "1D", "2D": "2D", "3D": "3D", "Cube": "CUBE", "1DArray": "1D_ARRAY", "2DArray": "2D_ARRAY", "Buffer": "BUFFER"}


def window(doc):
    """The four numbers by which Mesa turns window positions: as they are."""
    return words(0x3F800000, 0, 0x3F800000, 0)


class Latte:
    """The document of one program of Mesa's r600 driver, whose places stand beside the code: vertices' attributes in registers from
    1 on and their numbers in register 0, uniform block n in constant buffer n + 1, texture n in resource 18 + n."""

    def __init__(self, doc, source, file, places):
        self.doc, self.source, self.stage, self.places = doc, source, doc["stage"], places
        self.kinds = {item["key"]: item["type"] for part in ("inputs", "outputs") for item in doc["interface"][part]}
        self.out = {
            "schema": "unshade-run-1", "file": file, "item": "raw", "isa": "latte", "stage": STAGES[self.stage], "zero": "unsigned",
            "tol": {"rel": 2e-4, "abs": 5e-4, "ulp": 8}, "textures": {}, "cases": [],
        }

    def make(self):
        for item in self.doc["interface"]["textures"]:
            if item["name"] in self.places["textures"]:
                made = self.doc["textures"][item["key"]]
                if made["target"] not in TARGETS:
                    raise Unmapped(f"a texture of kind {made['target']}")
                self.out["textures"][str(18 + self.places["textures"][item["name"]])] = {
                    "target": TARGETS[made["target"]], "format": FORMATS[made["kind"]], "size": made["size"], "levels": made["levels"], "seed": made["seed"],
                    "kind": made["kind"], "sampler": {"wrap": "repeat", "compare": "lequal"}, "sampler_id": self.places["textures"][item["name"]]}
        if self.stage == "frag":
            self.out["lanes"] = 4
        for number, case in enumerate(self.doc["cases"]):
            self.case(number, case)
        return self.out

    def case(self, number, case):
        ins, outs = {"gpr": {}, "cb": {}}, {"exp": {}}
        for buffer, binding in self.places["buffers"].items():
            if str(binding) in case.get("ubo", {}):
                ins["cb"][buffer] = self.doc["pool"][case["ubo"][str(binding)]]
        if self.places.get("window"):
            ins["cb"]["0"] = window(self.doc)
        getattr(self, self.stage)(case, ins, outs)
        made = {"id": f"{case['kind'][0]}{number}", "in": ins, "out": outs}
        for key in ("seed", "filter"):
            if key in case:
                made[key] = case[key]
        self.out["cases"].append(made)

    def four(self, key, text):
        """A value as it is fetched: all four components."""
        given = text.split()
        one = "00000001" if re.match(r"(u|i)(nt|int|vec)|int", self.kinds[key]) else ONE
        return " ".join(given + ["00000000", "00000000", "00000000", one][len(given):])

    def vert(self, case, ins, outs):
        for key, text in case["in"].items():
            if key in self.places["registers"]:
                ins["gpr"][str(self.places["registers"][key])] = self.four(key, text)
        system = case["sys"]
        ins["gpr"]["0"] = words(system["VertexID"], 0, 0, system["InstanceID"])
        for key, text in case["out"].items():
            if key == "gl_ClipDistance":
                text = " ".join(text.split()[:4] + ["-"] * (4 - len(text.split())))
            place = self.places["outputs"].get(key)
            if place is None:
                raise Unmapped(f"no place for {key}")
            outs["exp"][place] = " ".join(text.split() + ["-"] * (4 - len(text.split())))

    def frag(self, case, ins, outs):
        registers, system = self.places["registers"], case["sys"]
        for key, values in case["in"].items():
            if key in registers:
                ins["gpr"][str(registers[key])] = [" ".join(value.split() + ["00000000"] * (4 - len(value.split()))) for value in values]
        if "gl_FragCoord" in registers:
            ins["gpr"][str(registers["gl_FragCoord"])] = system["FragCoord"]
        if "gl_FrontFacing" in registers:
            ins["gpr"][str(registers["gl_FrontFacing"])] = words(0x3F800000 if system["FrontFacing"] else 0xBF800000, 0, 0, 0)
        if "gl_PointCoord" in registers:
            ins["gpr"][str(registers["gl_PointCoord"])] = [value + " 00000000 00000000" for value in system["PointCoord"]]
        outs["discard"] = case["out"]["discard"]
        for key, values in case["out"].items():
            if key.isdigit():
                outs["exp"][f"PIXEL{key}"] = [None if value is None else " ".join(value.split() + ["-"] * (4 - len(value.split()))) for value in values]
            elif key == "depth":
                outs["exp"]["PIXEL61"] = [None if gone else word + " - - -" for word, gone in zip(values, case["out"]["discard"])]


# -- Mali

# The viewport transform that leaves positions where they are: scale, then offset.
VIEWPORT = " ".join([ONE] * 4 + ["00000000"] * 4)
COMPONENTS = {"float": 1, "int": 1, "bool": 1}


def single(word, kind):
    """A value as the machine has it: a float."""
    if kind.startswith(("int", "ivec")):
        value = int(word, 16)
        return struct.pack(">f", value - (1 << 32) if value >> 31 else value).hex()
    if kind.startswith(("bool", "bvec")):
        return ONE if int(word, 16) else "00000000"
    return word


def floats(text):
    return [struct.unpack(">f", bytes.fromhex(word))[0] for word in text.split()]


def written_floats(values):
    return " ".join(struct.pack(">f", value).hex() for value in values)


def unprojected(outputs):
    """A vertex's outputs with the position as it was in front of the division, which the machine's code makes itself."""
    made = dict(outputs)
    x, y, z, inverse = floats(made["gl_Position"])
    if inverse and math.isfinite(inverse):
        made["gl_Position"] = written_floats([x / inverse, y / inverse, z / inverse, 1 / inverse])
    return made


class Mali:
    """The document of one program of Mesa's lima compiler: a row of four floats for each uniform, vector of an array, and column."""

    def __init__(self, doc, source, file, places):
        self.doc, self.source, self.stage, self.places = doc, source, doc["stage"], places
        self.kinds = {item["name"]: (item["type"], max(item["array"], 1)) for item in doc["interface"]["uniforms"]}
        self.types = {item["key"]: item["type"] for part in ("inputs", "outputs") for item in doc["interface"][part]}
        vertex = self.stage == "vert"
        self.out = {
            "schema": "unshade-run-1", "file": file, "item": "cver" if vertex else "cfra", "isa": "mali-gp" if vertex else "mali-pp", "stage": STAGES[self.stage],
            "float": "f32", "zero": "unsigned", "tol": {"rel": 4e-3, "abs": 6e-3, "ulp": 8}, "textures": {}, "cases": [],
        }

    def make(self):
        for item in self.doc["interface"]["textures"]:
            made = self.doc["textures"][item["key"]]
            if item["name"] in self.places["textures"]:
                self.out["textures"][str(self.places["textures"][item["name"]])] = {
                    "target": made["target"], "size": made["size"], "levels": made["levels"], "seed": made["seed"], "kind": made["kind"]}
        if self.stage == "frag":
            self.out["lanes"] = 4
        for number, case in enumerate(self.doc["cases"]):
            ins, outs = {"mem": self.memory(case)}, {}
            getattr(self, self.stage)(case, ins, outs)
            made = {"id": f"{case['kind'][0]}{number}", "in": ins, "out": outs}
            for key in ("seed", "filter"):
                if key in case:
                    made[key] = case[key]
            self.out["cases"].append(made)
        return self.out

    def memory(self, case):
        """Uniforms in rows."""
        out = {}
        for name, text in case.get("uniform", {}).items():
            if name not in self.kinds:
                continue
            kind, length = self.kinds[name]
            given = text.split()
            matrix = re.fullmatch(r"mat(\d)", kind)
            wide = int(matrix[1]) if matrix else COMPONENTS.get(kind) or int(kind[-1])
            place = self.places["uniforms"].get(name.removesuffix("[0]"))
            if place is None:
                continue
            for at in range(len(given) // wide):
                out[str(place + 4 * at)] = " ".join(single(word, kind) for word in given[wide * at:wide * at + wide])
        if "viewport" in self.places:
            at = self.places["viewport"]
            out[str(at)], out[str(at + 4)] = words(*[0x3F800000] * 4), words(0, 0, 0, 0)
        return out

    def vert(self, case, ins, outs):
        ins["a"] = {}
        for key, text in case["in"].items():
            if key in self.places["inputs"]:
                given = text.split()
                ins["a"][str(self.places["inputs"][key] // 4)] = " ".join(given + ["00000000", "00000000", "00000000", ONE][len(given):])
        outs["v"] = {}
        for key, text in case["out"].items():
            if key not in self.places["outputs"]:
                raise Unmapped(f"no place for {key}")
            given = text.split()
            if key == "gl_Position":
                # Behind the viewport transform, here by one, w is its inverse.
                x, y, z, w = floats(text)
                given = written_floats([x / w, y / w, z / w, 1 / w]).split()
            outs["v"][str(self.places["outputs"][key] // 4)] = " ".join(given + ["-"] * (4 - len(given)))

    def frag(self, case, ins, outs):
        ins["vary"] = {}
        for key, values in case["in"].items():
            if key in self.places["inputs"]:
                ins["vary"][str(self.places["inputs"][key])] = values
        system = case["sys"]
        turned = []
        for text in system["FragCoord"]:
            x, y, z, w = text.split()
            turned.append(" ".join([x, y, z, struct.pack(">f", 1 / struct.unpack(">f", bytes.fromhex(w))[0]).hex()]))
        ins["fragcoord"], ins["front"] = turned, ONE if system["FrontFacing"] else "00000000"
        if "PointCoord" in system:
            ins["pointcoord"] = system["PointCoord"]
        outs["discard"] = case["out"]["discard"]
        colour = case["out"].get("gl_FragColor") or case["out"].get("0")
        if colour is None:
            raise Unmapped("no colour")
        outs["r"] = {"0": colour}


FAMILIES = {"maxwell": Document, "latte": Latte, "mali": Mali}
