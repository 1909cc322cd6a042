"""Other people's shaders below a folder, made such that a compiler without linking takes them: bindings and locations are given where
they have none, loose uniforms are put into a block. What cannot be made so is left to the compiler to refuse."""

import hashlib
import os
import re

STAGES = {
    ".vert": "vert", ".vs": "vert", ".vsh": "vert", ".frag": "frag", ".fs": "frag", ".fsh": "frag", ".geom": "geom", ".gs": "geom", ".comp": "comp",
    ".cs": "comp", ".tesc": "tesc", ".tese": "tese",
}
LARGEST = 200_000


def found(folder, dialect="maxwell"):
    """Names, stages and texts, such that a compiler of a dialect takes them; of equal texts the first."""
    seen = set()
    for place, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if name != ".git")
        for name in sorted(names):
            path = os.path.join(place, name)
            stem, suffix = os.path.splitext(name)
            if suffix == ".glsl":
                suffix = os.path.splitext(stem)[1]
            stage = STAGES.get(suffix.lower())
            if stage is None or not os.path.isfile(path) or os.path.getsize(path) > LARGEST:
                continue
            with open(path, errors="replace") as file:
                text = file.read()
            if "void main" not in text or re.search(r"descriptor_heap|buffer_reference|nonuniformEXT", text):
                continue
            made = (embedded if dialect == "mali" else adapted)(inlined(text, place, folder), stage)
            if made is None:
                continue
            digest = hashlib.sha256(made.encode()).digest()
            if digest not in seen:
                seen.add(digest)
                short = re.sub(r"\W+", "_", os.path.relpath(path, folder))[-60:]
                yield f"{short}_{digest.hex()[:6]}.{stage}", stage, made


def inlined(text, place, folder, depth=0):
    """#include lines replaced by the files that they name."""
    if depth > 8:
        return text

    def content(match):
        for base in (place, folder, os.path.dirname(place)):
            path = os.path.join(base, match[1])
            if os.path.isfile(path):
                with open(path, errors="replace") as file:
                    return inlined(file.read(), os.path.dirname(path), folder, depth + 1)
        return match[0]

    return re.sub(r'^\s*#\s*include\s*["<]([^">]+)[">].*$', content, text, flags=re.M)


def embedded(text, stage):
    """A source of the first versions of the language as GLSL ES 1.00, or nothing where it is of another."""
    text = re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", " ", text, flags=re.S))
    version = re.search(r"#version\s+(\d+)", text)
    if version and version[1] not in ("100", "110", "120") or not re.search(r"\bgl_Frag(Color|Data)\b" if stage == "frag" else r"\battribute\b", text):
        return None
    text = re.sub(r"^\s*(#\s*(version|extension)|precision\b)[^\n]*$", "", text, flags=re.M)
    head = "#version 100\n" + ("#extension GL_OES_standard_derivatives : enable\n" if "dFd" in text or "fwidth" in text else "")
    return head + "precision highp float;\nprecision highp int;\n" + re.sub(r"\b(mediump|lowp)\b", "highp", text)


def adapted(text, stage):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", "", text)
    version = re.search(r"#version[^\n]*", text)
    text = re.sub(r"^\s*#\s*version[^\n]*$", "", text, flags=re.M)
    text = re.sub(r"^\s*#\s*extension[^\n]*(include|nonuniform|scalar_block|GL_KHR_vulkan|separate_shader|ARB_shading_language_420pack|separate_sampler)[^\n]*$", "", text, flags=re.M)
    old = version and re.search(r"#version\s+(1[0-4]\d|300\s+es|100)", version[0]) or not version
    if old:
        way = "in" if stage == "frag" else "out"
        text = re.sub(r"\battribute\b", "in", re.sub(r"\bvarying\b", way, text))
        text = re.sub(r"\btexture(2D|Cube|3D|1D)(Lod|Proj)?\s*\(", lambda m: f"texture{m[2] or ''}(", text)
        text = re.sub(r"\b(highp|mediump|lowp)\b", "", re.sub(r"^\s*precision[^;]*;", "", text, flags=re.M))
        if stage == "frag" and re.search(r"\bgl_Frag(Color|Data)\b", text):
            text = "\nout vec4 fragColor_;\n" + re.sub(r"\bgl_FragColor\b|\bgl_FragData\s*\[\s*0\s*\]", "fragColor_", text)
    text = vulkan(text)
    text = uniforms(text)
    text = bindings(text)
    text = locations(text, stage)
    return "#version 460\n" + text


def vulkan(text):
    """Sets go into the numbers of bindings; push constants and specialisation constants become what OpenGL has."""
    text = re.sub(r"layout\s*\(\s*constant_id\s*=\s*\d+\s*\)\s*const", "const", text)
    text = re.sub(r"layout\s*\(([^)]*)\bpush_constant\b([^)]*)\)", r"layout(\1std140\2)", text)
    text = re.sub(r"\bset\s*=\s*\d+\s*,\s*", "", text)
    text = re.sub(r",?\s*\bset\s*=\s*\d+", "", text)
    text = re.sub(r"\bgl_VertexIndex\b", "gl_VertexID", re.sub(r"\bgl_InstanceIndex\b", "gl_InstanceID", text))
    return text


LOOSE = re.compile(r"^[ \t]*(?:layout\s*\([^)]*\)\s*)?uniform\s+(?:highp\s+|mediump\s+|lowp\s+)?(?!.*\b[iu]?(?:sampler|image)\w*)(\w+)\s+([^;{}]+);", re.M)


def uniforms(text):
    """Loose uniforms in one block, at the place of the last."""
    members = [(match[1], name.strip()) for match in LOOSE.finditer(text) for name in match[2].split(",")]
    if not members:
        return text
    last = list(LOOSE.finditer(text))[-1]
    lines = "".join(f" {kind} {re.sub('=.*', '', name, flags=re.S).strip()};" for kind, name in members)
    head = LOOSE.sub("", text[:last.start()])
    return head + "layout(std140) uniform Loose_ {" + lines + " };\n" + text[last.end():]


def bindings(text):
    """Every block, sampler and image gets a binding of its own kind's numbering; what has one keeps it where it is free."""
    count = {"uniform": 0, "buffer": 0, "sampler": 0, "image": 0}
    taken = {kind: set() for kind in count}

    def number(kind, wanted):
        limit = {"uniform": 14, "buffer": 14, "sampler": 30, "image": 8}[kind]
        if wanted is not None and wanted < limit and wanted not in taken[kind]:
            taken[kind].add(wanted)
            return wanted
        while count[kind] in taken[kind]:
            count[kind] += 1
        taken[kind].add(count[kind])
        return count[kind]

    def one(match):
        layout, words, rest = match[1] or "", match[2], match[3]
        if re.search(r"\b[iu]?image\w+\b", rest):
            kind = "image"
        elif re.search(r"\b[iu]?(sampler|texture)\w+\b", rest):
            kind = "sampler"
        elif "buffer" in words:
            kind = "buffer"
        elif rest.rstrip().endswith("{"):
            kind = "uniform"
        else:
            return match[0]
        inner = layout.strip()[layout.find("(") + 1 - (len(layout) - len(layout.lstrip())): -1] if layout else ""
        parts = [part.strip() for part in inner.split(",") if part.strip()]
        wanted = next((int(part.split("=")[1]) for part in parts if re.fullmatch(r"binding\s*=\s*\d+", part)), None)
        parts = [part for part in parts if not re.match(r"(binding|location|offset)\s*=", part)]
        parts.append(f"binding = {number(kind, wanted)}")
        # Without a word on it each compiler lays a block out as it likes.
        if kind in ("uniform", "buffer") and not {"std140", "std430"} & set(parts):
            parts = [part for part in parts if part not in ("shared", "packed", "scalar")] + ["std430" if kind == "buffer" else "std140"]
        return f"layout({', '.join(parts)}) {words}{rest}"

    return re.sub(r"(layout\s*\([^)]*\)\s*)?((?:(?:readonly|writeonly|coherent|restrict|volatile)\s+)*(?:uniform|buffer)\b)(\s+[^;{]*[;{])", one, text)


def locations(text, stage):
    """Inputs and outputs without a location get one, in the order of the text."""
    count = {"in": 0, "out": 0}
    for way, at in re.findall(r"layout\s*\([^)]*location\s*=\s*(\d+)[^)]*\)[^;(){}]*?\b(in|out)\b", text):
        count[at] = max(count[at], int(way) + 1)

    def one(match):
        before, way, rest = match[1], match[2], match[3]
        if re.search(r"location\s*=", match[0]) or "(" in rest or re.match(r"\s*gl_", rest) or not re.match(r"\s+\w+\s+\w+", rest):
            return match[0]
        if stage == "comp":
            return match[0]
        at = count[way]
        count[way] += 4 if "mat4" in rest else 3 if "mat3" in rest else int((re.search(r"\[\s*(\d+)\s*\]", rest) or [0, 1])[1])
        return f"layout(location = {at}) {before}{way}{rest};"

    return re.sub(r"(?<=[;}\n])[ \t]*((?:(?:layout\s*\([^)]*\)|flat|smooth|noperspective|centroid|sample|invariant|precise|patch|highp|mediump|lowp)\s+)*)\b(in|out)\b([^;{}()]*);", one, text)
