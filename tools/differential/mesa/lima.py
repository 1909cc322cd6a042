"""What Mesa's lima compiler made of a program, as an MBS file: code, and tables of what lies where, as the compiler laid it out."""

import importlib.util
import json
import os
import re
import struct

# Types of symbols and how many floats of a row they take.
KINDS = {"float": 1, "int": 2, "bool": 3, "mat": 4, "sampler2D": 5, "samplerCube": 6, "struct": 8}
NOWHERE, NOTHING = 0xFFFF, 0xFFFFFFFF
POSITION = "gl_Position"


class Unwritable(Exception):
    """What an MBS file cannot say."""


def writer(path):
    """The builder of MBS files, a program that lies beside the project."""
    spec = importlib.util.spec_from_file_location("make_mbs", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def symbol(name, form, at, vertex, **more):
    """A symbol of a type, and behind it its members."""
    kind = form["name"]
    match = re.fullmatch(r"(float|int|bool|[ib]?vec|mat)(\d?)", kind)
    if "fields" in form:
        number, count, size = KINDS["struct"], len(form["fields"]), 4 * form["slots"]
    elif kind.startswith("sampler"):
        if kind not in KINDS:
            raise Unwritable(kind)
        number, count, size = KINDS[kind], 3 if kind == "samplerCube" else 2, 1
    elif match and match[1] == "mat":
        number, count, size = KINDS["mat"], int(match[2]), 4
    elif match:
        number, count, size = KINDS[{"vec": "float", "ivec": "int", "bvec": "bool"}.get(match[1], match[1])], int(match[2] or 1), 4
    else:
        raise Unwritable(kind)
    stride = size if number != KINDS["mat"] else 4 * count
    if "fields" in form:
        stride = size
    made = {"name": name, "unknown_0": 2, "type": number, "components": count, "size": size, "entries": form["length"], "stride": stride, "dst_bits": 16,
            "precision": 3 if vertex else 2, "invariant": 0, "offset": at, "parent": NOWHERE, **more}
    return made


def uniforms(found, vertex):
    """The table of uniforms, members behind their structs."""
    table = []

    def add(name, form, at, parent, binding):
        sampler = form["name"].startswith("sampler")
        made = symbol(name, form, binding if sampler else at, vertex, parent=parent, vidx=[NOTHING, NOTHING, binding if sampler else NOTHING])
        if sampler:
            made["precision"] = 1
        me = len(table)
        table.append(made)
        row = 0
        for field in form.get("fields", []):
            add(field["name"], field["type"], 4 * row, me, 0)
            row += field["type"]["slots"] * max(1, field["type"]["length"])

    for item in found:
        add(item["name"], item["type"], 4 * item["at"], NOWHERE, item["binding"])
    return table


def file_of(dump, write):
    """The bytes of the file."""
    vertex = dump["stage"] == "vert"
    code = struct.pack(f"<{len(dump['code'])}I", *dump["code"])
    table = uniforms(dump["uniforms"], vertex)
    space = 4 * dump["rows"]
    chunks = []
    if vertex:
        base = symbol("gl_mali_ViewportTransform", {"name": "vec4", "length": 2, "slots": 1}, space, True, vidx=[NOTHING] * 3)
        table.append(base)
        words = dump["constants"]
        for at in range(0, len(words), 4):
            part = words[at:at + 4]
            name = "vec%d" % len(part) if len(part) > 1 else "float"
            table.append(symbol(f"?__maligp2_constant_{at // 4:03}", {"name": name, "length": 0, "slots": 1}, space + 8 + at, True, vidx=[NOTHING] * 3, vini=part))
        space += 8 + -(-len(words) // 4) * 4
        attributes = [symbol(item["name"], item["type"], 4 * item["at"], True) for item in dump["inputs"]]
        for item in attributes:
            item.pop("parent")
        varyings = [symbol(item["name"], item["type"], 4 * item["at"], True) for item in dump["outputs"]]
        chunks = [{"tag": "FINS", "unknown": 0, "instructions": None, "attrib_prefetch": None}]
        chunks += [{"tag": "SUNI", "space": space, "symbols": table}, {"tag": "SATT", "symbols": attributes}, {"tag": "SVAR", "symbols": varyings}]
    else:
        if dump["colour"] != 0:
            raise Unwritable(f"the colour is in register {dump['colour']}")
        varyings = [symbol(item["name"], item["type"], 4 * item["at"], False) for item in dump["inputs"] if not item["name"].startswith("gl_")]
        chunks = [{"tag": "FSTA", "stack_size": max(1, dump["stack"]), "stack_offset": 1}, {"tag": "FDIS", "discard": None}, {"tag": "FBUU", "bytes": [0, 1, 0, 0, 0, 0, 0, 0]}]
        chunks += [{"tag": "SUNI", "space": max(space, 4) if table else space, "symbols": table}] if table else []
        chunks += [{"tag": "SVAR", "symbols": varyings}] if varyings else []
    chunks.append({"tag": "DBIN", "words": ["%08x" % word for word in dump["code"]]})
    core = {"tag": write.VS if vertex else write.FS, "core": 6 if vertex else 7, "chunks": chunks}
    document = {"magic": "MBS1", "chunks": [core]}
    # The builder finds prefetch and discard in a code of its own form.
    for chunk in chunks:
        if chunk["tag"] == "FINS":
            chunk.update(instructions=len(code) // 16, attrib_prefetch=write.prefetch(code))
        if chunk["tag"] == "FDIS":
            chunk["discard"] = write.has_discard(code)
    return write.build(document)


def places(dump):
    """Where uniforms, inputs and outputs are, in floats, and which sampler a texture is."""
    out = {"uniforms": {}, "textures": {}, "inputs": {}, "outputs": {}}

    def add(name, form, at):
        if "fields" not in form:
            out["uniforms"][name] = at
            return
        for element in range(max(1, form["length"])):
            row = at + 4 * element * form["slots"]
            for field in form["fields"]:
                add(name + (f"[{element}]" if form["length"] else "") + "." + field["name"], field["type"], row)
                row += 4 * field["type"]["slots"] * max(1, field["type"]["length"])

    for item in dump["uniforms"]:
        if item["type"]["name"].startswith("sampler"):
            out["textures"][item["name"]] = item["binding"]
        else:
            add(item["name"], item["type"], 4 * item["at"])
    for part in ("inputs", "outputs"):
        out[part] = {item["name"]: 4 * item["at"] for item in dump[part]}
    if dump["stage"] == "vert":
        out["viewport"] = 4 * dump["rows"]
    return out


def written(source, out, write):
    """Makes the file from what the compiler left beside the source; why there is none, or nothing."""
    left = source + ".json"
    if not os.path.exists(left):
        return "no code"
    with open(left) as file:
        dump = json.load(file)
    os.remove(left)
    try:
        data = file_of(dump, write)
    except (Unwritable, struct.error) as error:
        return str(error)
    with open(out, "wb") as file:
        file.write(data)
    with open(out + ".places.json", "w") as file:
        json.dump(places(dump), file)
    return None
