"""Runs decompiled Switch shaders on software OpenGL, on the inputs of recorded runs, and compares with what the
original gave.

    maxwell_drawn.py FOLDER_OF_GLSLRUN JOBS.json

JOBS.json: a list of {name, shader, original, vectors, limit, settings, excluded, names}; one JSON object per line comes
out: {name, cases, worst, delicate, differs, names}. `differs` tells the first difference, or is null.

settings: `sequential` the invocations of a patch run one after the other; `layout` how a patch is divided is taken from the
original; `handle` the image that the code calls 5 is the buffer that the source calls 4.
excluded: outputs that are not compared, by their keys (`img.0`).
names: the names of inputs, outputs, blocks, members, textures and images must be those of the original.
"""
import json, os, re, struct, sys

sys.path.insert(0, sys.argv[1])
import glslrun as G

# Where the printed program has the driver's own constants.
BANK0 = "64"


class Limit:
    def __init__(self, document, limit):
        given = document.get("tol", {})
        self.ulp = max(4, given.get("ulp", 0))
        self.rel = max(limit, given.get("rel", 0))
        self.abs = max(limit, given.get("abs", 0))


def one_after_the_other(text):
    vertices = int(re.search(r"vertices\s*=\s*(\d+)", text).group(1))
    text = text.replace("void main()", "void oneInvocation()").replace("barrier();", "")
    calls = " ".join("if (gl_InvocationID == %d) oneInvocation(); barrier();" % n for n in range(vertices))
    return text + "\nvoid main() { %s }\n" % calls


def divided_as_in(original, text):
    pattern = r"layout\s*\([^)]*\)\s*in\s*;"
    layout = re.search(pattern, G.decomment(original)).group()
    return re.sub(pattern, layout, text, count=1)


def prepared(job):
    text = open(job["shader"]).read()
    if "sequential" in job["settings"]:
        text = one_after_the_other(text)
    if "layout" in job["settings"]:
        text = divided_as_in(open(job["original"]).read(), text)
    if "handle" in job["settings"]:
        declared = "layout(binding = %d, r32ui) uniform uimageBuffer"
        text = text.replace(declared % 5, declared % 4)
    open(job["shader"], "w").write(text)


def differences(document, case, got, limit, excluded):
    ignore = dict(document.get("ignore", {}))
    keys = set(G.flatten(case["out"], {})) | set(G.flatten(got, {}))
    for key in keys:
        if any(key == output or key.startswith(output + "[") for output in excluded):
            ignore[key] = "all"
    return G.compare_out(case["out"], got, G.bases_of(document), limit, ignore, document.get("images"))


def nudged(words, step):
    def one(word):
        value = int(word, 16)
        ordinary = 0x00800000 <= value & 0x7FFFFFFF < 0x7F000000
        return "%08x" % (value + step if ordinary else value)

    return " ".join(map(one, words.split()))


def is_delicate(document, case, original, limit, excluded):
    """Whether the original itself gives something else as soon as its float inputs move by their last bit: then how a
    sum is rounded decides, which compilers may."""
    floats = {i["key"] for i in document["interface"]["inputs"] if G.BYNAME[i["type"]][1] == "f"}
    for step in (-1, 1):
        moved = dict(case, **{"in": {
            key: nudged(value, step) if key in floats and isinstance(value, str) else value
            for key, value in case["in"].items()
        }})
        if differences(document, case, original.run(moved), limit, excluded)[0]:
            return True
    return False


def members_of(block):
    name = lambda member: re.sub(r"\[0\]$", "", member["name"].split(".")[-1])
    return {(member["offset"], name(member)) for member in block["members"]}


def wrong_names(document, interface, mode, excluded, unnamed):
    """What the printed program calls otherwise than the original; members of blocks where the file has them."""
    wrong, known = [], document["interface"]
    base = lambda name: re.sub(r"\[\d+\]$", "", name.split(".")[0] if "[" in name else name)
    for kind in ("inputs", "outputs", "ubo", "ssbo", "textures", "images"):
        # The driver's own bank is nobody's block; outputs that the code does not give have no name either.
        left = lambda entry: entry["key"] in excluded or kind == "ubo" and entry["key"] == BANK0 or (
            kind == "images" and entry["key"] in unnamed
        )
        theirs = {(entry["key"], base(entry["name"])) for entry in known[kind] if not left(entry)}
        ours = {(entry["key"], base(entry["name"])) for entry in interface[kind] if not left(entry)}
        wrong += ["%s %s is called %s" % (kind, *entry) for entry in sorted(ours - theirs)]
        wrong += ["%s has no %s %s" % (kind, *entry) for entry in sorted(theirs - ours)]
    if mode == "members":
        blocks = {block["key"]: block for block in known["ubo"]}
        for block in interface["ubo"]:
            theirs = members_of(blocks.get(block["key"], {"members": []}))
            for offset, name in sorted(members_of(block) - theirs):
                if block["key"] != BANK0:
                    wrong.append("block %s has %s at %d" % (block["key"], name, offset))
    return wrong


def run(job):
    document = json.load(open(job["vectors"]))
    prepared(job)
    limit = Limit(document, job["limit"])
    runner = G.Runner(job["shader"], document)
    result = {"cases": 0, "worst": 0.0, "delicate": 0, "differs": None, "names": []}
    if job["names"]:
        # The file has no name for an image that the code calls otherwise.
        unnamed = ["4"] if "handle" in job["settings"] else []
        result["names"] = wrong_names(document, runner.i.json(), job["names"], job["excluded"], unnamed)
    original = None
    for number, case in enumerate(document["cases"]):
        got = runner.run(dict(case))
        bad, worst = differences(document, case, got, limit, job["excluded"])
        if bad and "in" in case:
            original = original or G.Runner(job["original"], document)
            if is_delicate(document, case, original, limit, job["excluded"]):
                result["delicate"] += 1
                continue
        result["cases"] += 1
        result["worst"] = max(result["worst"], worst)
        if bad and result["differs"] is None:
            result["differs"] = "case %d: %s" % (number, "; ".join("%s %s" % entry for entry in bad[:3]))
    return result


for job in json.load(open(sys.argv[2])):
    try:
        result = run(job)
    except Exception as error:  # a shader that does not compile, a resource that is not there
        why = "%s: %s" % (type(error).__name__, str(error).replace("\n", " ")[:400])
        result = {"cases": 0, "worst": 0.0, "delicate": 0, "differs": why, "names": []}
    print(json.dumps(dict(result, name=job["name"])), flush=True)
