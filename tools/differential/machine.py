"""Inputs and results of a source as what goes into the compiled program and comes out: documents for `unshade run --check`
(docs/run-json.md). Where uam puts things: attributes from byte 80 (hexadecimal), 16 bytes a location; uniform block B in bank 2 + B;
handles of textures and images and addresses of storage buffers in bank 0."""

import re

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

    def __init__(self, doc, source, file):
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
