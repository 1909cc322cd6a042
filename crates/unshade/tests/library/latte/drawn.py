"""Runs decompiled Wii U shaders on software OpenGL, on the machine's inputs, and compares with recorded results.

    latte_drawn.py FOLDER_OF_GLSLRUN JOBS.json

JOBS.json: a list of {name, shader, vectors, registers: {location: register}}. One line per job: `name ok`, or
`name` and what differs. The program under test has one input for each parameter, so inputs are fed by location from
the registers of the recorded machine state, blocks as raw words, textures with their recorded texels.
"""
import json, math, re, struct, sys

sys.path.insert(0, sys.argv[1])
import glslrun as G

G.TARGET["2DRect"] = 0x84F5
G.SAMPLERS[0x8B63] = "sampler2DRect"
TARGETS = {"CUBE": "Cube", "2D_ARRAY": "2DArray", "1D_ARRAY": "1DArray", "RECT": "2DRect", "BUFFER": "Buffer"}
by_formula, make_by_formula = G.texels, G.make_texture


def texels(texture, level, layer=None):
    data = texture.get("data")
    if data is None:
        return by_formula(texture, level, layer)
    words = bytes.fromhex("".join(data[level].split()))
    little = b"".join(words[at : at + 4][::-1] for at in range(0, len(words), 4))
    if layer is None:
        return little
    width, height, _ = G.level_size(texture, level)
    size = 4 * width * height * (1 if texture["kind"] == "d" else 4)
    return little[layer * size : (layer + 1) * size]


def make_texture(texture):
    if texture["target"] == "2DRect":
        gl = G.GL()
        made = gl.gen("Textures")
        gl.BindTexture(0x84F5, made)
        format_ = G.TEXFMT[texture["kind"]]
        width, height, _ = texture["size"]
        gl.TexImage2D(0x84F5, 0, format_[0], width, height, 0, format_[1], format_[2], texels(texture, 0))
    else:
        made = make_by_formula(texture)
    target = G.TARGET[texture["target"]]
    if texture.get("wrap") == "clamp_to_edge":
        G.GL().BindTexture(target, made)
        for axis in (0x2802, 0x2803, 0x8072):
            G.GL().TexParameteri(target, axis, 0x812F)
    return made


G.texels, G.make_texture = texels, make_texture


def floats(words):
    return [struct.unpack("<f", struct.pack("<I", int(word, 16)))[0] for word in words.split()]


def words(values):
    return " ".join("%08x" % struct.unpack("<I", struct.pack("<f", value))[0] for value in values)


def textures(document):
    made = {}
    for texture in document["interface"]["textures"]:
        recorded = document["textures"][texture["name"]]
        kind = {"rgba32f": "f", "rgba32i": "i", "rgba32ui": "u"}.get(recorded["format"], "d")
        target = TARGETS.get(recorded["target"], recorded["target"])
        size = list(recorded["size"])
        if target == "Cube":
            size[2] = 6
        if target == "1DArray" and size[2] == 1:
            size = [size[0], 1, size[1]]
        made[texture["key"]] = made[texture["name"]] = {
            "target": target, "size": size, "levels": recorded["levels"], "seed": 0, "kind": kind,
            "data": recorded["data"], "wrap": recorded["sampler"]["wrap"],
        }
    return made


def corners(pixels):
    """Values at the corners of the triangle over the quad: at pixel (-0.5, -0.5) and four to the right and up."""
    if len(pixels) < 4:
        return [pixels[0]] * 3
    first, right, up = (floats(pixels[n]) for n in (0, 1, 2))
    dx = [b - a for a, b in zip(first, right)]
    dy = [b - a for a, b in zip(first, up)]
    start = [a - 0.5 * x - 0.5 * y for a, x, y in zip(first, dx, dy)]
    return [words(start), words([a + 4 * x for a, x in zip(start, dx)]), words([a + 4 * y for a, y in zip(start, dy)])]


def expected(document, case, vertex):
    """(key of the printed program, component) -> (recorded words, component), for everything that is exported."""
    found = {}
    for export, source in document["machine"]["exports"].items():
        if not isinstance(source, str) or source == "constant":
            continue
        place, _, component = export.partition(".")
        component = "xyzw".index(component) if component else None
        if place.startswith("PARAM"):
            key = place[5:]
        elif place.startswith("PIXEL"):
            key = "depth" if place == "PIXEL61" else place[5:]
        elif place == "POS60":
            key = "gl_Position"
        elif source.startswith("gl_ClipDistance"):
            key = "gl_ClipDistance"
        elif source.startswith("gl_PointSize"):
            key = "gl_PointSize"
        else:
            continue
        name, _, part = source.partition(".")
        index = None
        if "[" in name:
            name, index = name[:-1].split("[")
        at = int(index) if index is not None else "xyzw".index(part) if part else None
        if key == "gl_ClipDistance":
            component = at
        found.setdefault((key, component), (name, at))
    return found


def prepared(job, document):
    """The text with inputs that do not differ inside of a quad taken as they are, since to interpolate an infinity or
    the bits of an integer changes them, and with the place in a point given from outside."""
    text = open(job["shader"]).read()
    for location, register in job["registers"].items():
        values = [case["machine_in"]["gpr"].get("R%d" % register) for case in document["cases"]]
        if all(value is None or len(set(value)) == 1 for value in values):
            place = "layout(location = %s) " % location
            text = text.replace(place + "in ", place + "flat in ")
    for texture in document["interface"]["textures"]:
        unit = "layout(binding = %s) " % texture["key"]
        text = re.sub(r"^(uniform \w*sampler\w* %s;)" % texture["name"], unit + r"\1", text, flags=re.M)
    # Which pixel of the quad this is; then what only the recorded quad has, pixel by pixel: the place in a point, and
    # the window position, since everything is drawn in a plane with w = 1.
    corner = "ivec2(gl_FragCoord.xy) - ivec2(cornerOfQuad)"
    pixel = "clamp((%s).x + 2 * (%s).y, 0, 3)" % (corner, corner)
    given = {"gl_FragCoord": "recordedPlace[%s]" % pixel, "gl_PointCoord": "placeInPoint[%s]" % pixel}
    for location in curved(job, document):
        found = re.search(r"^layout\(location = %s\) in (vec\d|float) (\w+);$" % location, text, flags=re.M)
        if found:
            kind, name = found.groups()
            text = text.replace(found.group(), "uniform %s recordedInput%s[4];" % (kind, location))
            given[name] = "recordedInput%s[%s]" % (location, pixel)
    if any(name in text for name in given):
        head, _, rest = text.partition("\n")
        head += "\nuniform vec2 placeInPoint[4];\nuniform vec4 recordedPlace[4];\nuniform vec2 cornerOfQuad;\n"
        text = head + re.sub(r"\b(%s)\b" % "|".join(given), lambda name: given[name.group()], rest)
    open(job["shader"], "w").write(text)


def curved(job, document):
    """Inputs whose four values do not lie in a plane, as those that were interpolated with perspective: these come out
    of no triangle that is drawn, and are given pixel by pixel."""
    found = []
    for location, register in job["registers"].items():
        for case in document["cases"]:
            value = case["machine_in"]["gpr"].get("R%d" % register)
            if isinstance(value, list) and len(value) == 4:
                a, b, c, d = map(floats, value)
                if any(abs(p + s - q - r) > 1e-5 * max(abs(p), 1) for p, q, r, s in zip(a, b, c, d)):
                    found.append(location)
                    break
    return found


def near(got, want, limit):
    if math.isnan(want):
        return math.isnan(got)
    return got == want or abs(got - want) <= limit * max(abs(want), 1.0)


def run(job):
    document = json.load(open(job["vectors"]))
    stage = document["stage"]
    # Inputs that are interpolated over a quad come out as recorded to about so many places only.
    quads = any(len(value) > 1 for case in document["cases"] for value in case["machine_in"]["gpr"].values()
                if isinstance(value, list))
    limit = max(document.get("tol", {}).get("abs_or_rel", 0), 1e-4 if quads else 1e-5)
    pool, cases = {}, []
    blocks = document["interface"].get("ubo", [])
    for number, case in enumerate(document["cases"]):
        machine = case["machine_in"]
        made = {"in": {}, "corners": {}, "sys": {}, "ubo": {}}
        for place, data in [(0, machine.get("cb0")), (15, machine.get("cb15"))]:
            if data:
                pool["%d.%d" % (number, place)] = data
                made["ubo"][str(place)] = "%d.%d" % (number, place)
        for block in blocks:
            place = int(block["key"])
            data = case["ubo"][block["name"]]
            pool["%d.b%d" % (number, place)] = document.get("pool", {}).get(data, data)
            made["ubo"][str(place + 1)] = "%d.b%d" % (number, place)
        for location, register in job["registers"].items():
            value = machine["gpr"].get("R%d" % register)
            if value is None:
                continue
            if stage == "vert":
                made["in"][location] = value[0] if isinstance(value, list) else value
            else:
                made["in"][location] = (value * 4)[:4]
                made["corners"][location] = corners(value)
        system = case.get("sys", {})
        if stage == "vert":
            made["sys"] = {key: int(value[0] if isinstance(value, list) else value, 16) for key, value in system.items()}
        else:
            first = floats(system["FragCoord"][0]) if "FragCoord" in system else [0.5, 0.5, 0.5, 1.0]
            made["sys"] = {"x": int(first[0]), "y": int(first[1]), "z": 2 * first[2] - 1}
            quad = ([floats(value) for value in system.get("FragCoord", [])] or [first]) * 4
            corner = words([float(int(first[0])), float(int(first[1]))])
            made["uniform"] = {"recordedPlace[0]": " ".join(map(words, quad[:4])), "cornerOfQuad": corner}
            made["uniform"]["recordedPlace"] = made["uniform"]["recordedPlace[0]"]
            for location in curved(job, document):
                values = machine["gpr"].get("R%d" % job["registers"][location])
                made["uniform"]["recordedInput%s" % location] = made["uniform"]["recordedInput%s[0]" % location] = (
                    " ".join((values * 4)[:4]))
            if "FrontFacing" in system:
                facing = system["FrontFacing"]
                made["sys"]["FrontFacing"] = int(facing[0] if isinstance(facing, list) else facing, 16)
            if "PointCoord" in system:
                places = (system["PointCoord"] * 4)[:4]
                made["uniform"]["placeInPoint"] = made["uniform"]["placeInPoint[0]"] = " ".join(places)
        cases.append(made)
    running = {"pool": pool, "textures": textures(document), "images": {}, "cases": cases}
    if stage == "frag":
        prepared(job, document)
    runner = G.Runner(job["shader"], running)
    worst = None
    for number, (made, case) in enumerate(zip(cases, document["cases"])):
        got = runner.run(made)
        dropped = case.get("discard", [0])
        if stage == "frag" and [bool(d) for d in got["discard"][: len(dropped)]] != [bool(d) for d in dropped]:
            return "case %d: discard %s, recorded %s" % (number, got["discard"], dropped)
        for (key, component), (name, at) in expected(document, case, stage == "vert").items():
            want = case["depth"] if key == "depth" else case["out"].get(name)
            if want is None:
                continue
            if key not in got:
                return "no output %s" % key
            for pixel in range(len(dropped) if stage == "frag" else 1):
                if stage == "frag" and dropped[pixel]:
                    continue
                recorded = floats(want[pixel] if isinstance(want, list) else want)
                have = floats(got[key][pixel] if stage == "frag" else got[key])
                lanes = range(len(recorded)) if component is None else [component]
                for lane in lanes:
                    right = recorded[lane if component is None else (at or 0)]
                    if lane >= len(have):
                        return "output %s has no component %d" % (key, lane)
                    if not near(have[lane], right, limit):
                        worst = worst or "case %d: %s.%d is %r, recorded %r" % (number, key, lane, have[lane], right)
    return worst


for job in json.load(open(sys.argv[2])):
    try:
        difference = run(job)
    except Exception as error:  # a shader that does not compile, a resource that is not there
        difference = "%s: %s" % (type(error).__name__, str(error).replace("\n", " ")[:400])
    print(job["name"], difference or "ok", flush=True)
