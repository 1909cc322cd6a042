"""Mesa's r600 driver as a compiler: a context for a chip that is not there (RV770, by a shim that answers for the kernel), in which
shaders are linked and drawn with, and what the driver then prints of them is read: code, registers, inputs and outputs.

  LD_PRELOAD=radeon_shim.so python3 r600.py SOURCE OUT      one program: OUT is its code, OUT.json what surrounds it
  LD_PRELOAD=radeon_shim.so python3 r600.py --serve         the same again and again: lines {"source", "out"} in, {"error"} out

OUT.json: `state` is for --state of `unshade` (docs/state.md), `buffers` and `textures` say which binding of the source is which
constant buffer and texture, `registers` what arrives where, `outputs` the places of what goes out."""

import ctypes
import json
import os
import re
import struct
import sys

CHIP = "RV770"
STAGES = {"vert": (0x8B31, 1, "vs"), "frag": (0x8B30, 2, "ps"), "geom": (0x8DD9, 4, "gs")}
# GLSL 3.30 and what the driver has besides; the sources are written for both this and what is newer.
HEAD = """#version 330
#extension GL_ARB_shading_language_420pack : require
#extension GL_ARB_separate_shader_objects : require
#extension GL_ARB_shading_language_packing : require
#extension GL_ARB_texture_query_levels : require
#extension GL_MESA_shader_integer_functions : require
"""
# Mesa's numbers: of the first generic attribute, and of kinds of inputs and outputs.
ATTRIBUTE, POSITION, POINT_SIZE, GENERIC, FACE, CLIP_DISTANCE, POINT_COORD = 15, 0, 4, 5, 7, 13, 20
DIMENSIONS = {
    "1D": "d1", "2D": "d2", "3D": "d3", "Cube": "cube", "1DArray": "d1-array", "2DArray": "d2-array", "CubeArray": "cube-array", "2DRect": "rect",
    "Buffer": "buffer", "2DMS": "d2-multisample", "2DMSArray": "d2-multisample-array",
}


class Refused(Exception):
    pass


class Context:
    """OpenGL through ctypes, and what is printed meanwhile."""

    def __init__(self):
        self.log = os.memfd_create("r600")
        self.stderr = os.dup(2)
        self.egl = ctypes.CDLL("libEGL.so.1")
        for name in ("eglGetProcAddress", "eglGetPlatformDisplay", "eglCreateContext"):
            getattr(self.egl, name).restype = ctypes.c_void_p
        self.egl.eglInitialize.argtypes = [ctypes.c_void_p] * 3
        self.egl.eglCreateContext.argtypes = self.egl.eglMakeCurrent.argtypes = [ctypes.c_void_p] * 4
        self.known = {}
        self.printed(self.start)
        renderer = self.call("GetString", 0x1F01, result=ctypes.c_char_p) or b""
        if CHIP.encode() not in renderer:
            raise SystemExit(f"r600: the driver is {renderer.decode()}, not that of an {CHIP}: is the shim in LD_PRELOAD?")

    def start(self):
        devices, count = (ctypes.c_void_p * 8)(), ctypes.c_int()
        self.function("eglQueryDevicesEXT", ctypes.c_uint)(8, devices, ctypes.byref(count))
        display = self.egl.eglGetPlatformDisplay(0x313F, ctypes.c_void_p(devices[0]), None)
        if not display or not self.egl.eglInitialize(display, None, None):
            raise SystemExit("r600: no EGL device")
        self.egl.eglBindAPI(0x30A2)
        context = self.egl.eglCreateContext(display, None, None, (ctypes.c_int * 7)(0x3098, 3, 0x30FB, 3, 0x30FD, 1, 0x3038))
        if not context or not self.egl.eglMakeCurrent(display, None, None, context):
            raise SystemExit("r600: no context for OpenGL 3.3")
        vertices = self.made("VertexArrays")
        self.call("BindVertexArray", vertices)

    def function(self, name, result):
        if (name, result) not in self.known:
            place = self.egl.eglGetProcAddress(name.encode())
            if not place:
                raise SystemExit(f"r600: the driver lacks {name}")
            self.known[name, result] = ctypes.CFUNCTYPE(result)(place)
        return self.known[name, result]

    def call(self, name, *args, result=ctypes.c_uint):
        return self.function("gl" + name, result)(*args)

    def made(self, kind):
        value = ctypes.c_uint()
        self.call("Gen" + kind, 1, ctypes.byref(value))
        return value.value

    def asked(self, name, *args):
        value = ctypes.c_int()
        self.call(name, *args, ctypes.byref(value))
        return value.value

    def text(self, name, *args):
        out = ctypes.create_string_buffer(1 << 14)
        self.call(name, *args, len(out), None, out)
        return out.value.decode(errors="replace")

    def printed(self, work):
        """What is written to standard error while something is done."""
        os.ftruncate(self.log, 0)
        os.lseek(self.log, 0, os.SEEK_SET)
        os.dup2(self.log, 2)
        try:
            work()
        finally:
            os.dup2(self.stderr, 2)
        os.lseek(self.log, 0, os.SEEK_SET)
        return os.read(self.log, os.fstat(self.log).st_size).decode(errors="replace")

    # -- programs

    def separate(self, stage, source):
        """A linked program of one stage."""
        shader = self.call("CreateShader", STAGES[stage][0])
        lines = (ctypes.c_char_p * 1)(source.encode())
        self.call("ShaderSource", shader, 1, lines, None)
        self.call("CompileShader", shader)
        program = self.call("CreateProgram")
        try:
            if not self.asked("GetShaderiv", shader, 0x8B81):
                raise Refused(self.text("GetShaderInfoLog", shader))
            self.call("ProgramParameteri", program, 0x8258, 1)
            self.call("AttachShader", program, shader)
            self.call("LinkProgram", program)
            if not self.asked("GetProgramiv", program, 0x8B82):
                raise Refused(self.text("GetProgramInfoLog", program))
        except Refused:
            self.call("DeleteProgram", program)
            raise
        finally:
            self.call("DeleteShader", shader)
        return program

    def drawn(self, programs, colours):
        """Draws with the programs of some stages into so many colours, for which the driver compiles anew."""
        pipeline = ctypes.c_uint()
        self.call("GenProgramPipelines", 1, ctypes.byref(pipeline))
        for stage, program in programs.items():
            self.call("UseProgramStages", pipeline, STAGES[stage][1], program)
        self.call("BindProgramPipeline", pipeline)
        frame = self.made("Framebuffers")
        self.call("BindFramebuffer", 0x8D40, frame)
        buffers = []
        for at in range(colours):
            buffers.append(self.made("Renderbuffers"))
            self.call("BindRenderbuffer", 0x8D41, buffers[-1])
            self.call("RenderbufferStorage", 0x8D41, 0x8814, 8, 8)
            self.call("FramebufferRenderbuffer", 0x8D40, 0x8CE0 + at, 0x8D41, buffers[-1])
        self.call("DrawBuffers", colours, (ctypes.c_uint * colours)(*(0x8CE0 + at for at in range(colours))))
        self.call("DrawArrays", 4, 0, 3)
        self.call("BindProgramPipeline", 0)
        self.call("DeleteProgramPipelines", 1, ctypes.byref(pipeline))
        self.call("DeleteFramebuffers", 1, ctypes.byref(ctypes.c_uint(frame)))
        self.call("DeleteRenderbuffers", len(buffers), (ctypes.c_uint * len(buffers))(*buffers))

    def compiled(self, path):
        """Code and surroundings of a source."""
        stage = path.rsplit(".", 1)[-1]
        with open(path) as file:
            source = file.read()
        source = HEAD + re.sub(r"^\s*#version[^\n]*\n", "", source, count=1)
        program = None

        def work():
            nonlocal program
            program = self.separate(stage, source)
            if stage == "frag":
                colours = [int(at) for at in re.findall(r"layout\(location = (\d+)\) out\b", source)] or [0]
                plain = self.separate("vert", HEAD + "out gl_PerVertex { vec4 gl_Position; };\nvoid main() { gl_Position = vec4(0.0); }\n")
                self.drawn({"vert": plain, "frag": program}, max(colours) + 1)
                self.call("DeleteProgram", plain)

        said = self.printed(work)
        try:
            return Dump(said, stage, self.blocks(program)).result()
        finally:
            self.call("DeleteProgram", program)

    def blocks(self, program):
        """The bindings of the program's blocks, in the order of their constant buffers, with names and sizes."""
        out = []
        for at in range(self.asked("GetProgramiv", program, 0x8A36)):
            name = self.text("GetActiveUniformBlockName", program, at)
            out.append((name, self.asked("GetActiveUniformBlockiv", program, at, 0x8A3F), self.asked("GetActiveUniformBlockiv", program, at, 0x8A40)))
        return out


class Dump:
    """What the driver prints of a program; of several variants the last one."""

    def __init__(self, said, stage, blocks):
        self.stage, self.blocks = stage, blocks
        number = {"vert": None, "frag": "4", "geom": "1"}[stage]
        parts = re.split(r"^-- NIR -+$", said, flags=re.M)[1:]
        wanted = f"MESA_SHADER_{ {'vert': 'VERTEX', 'frag': 'FRAGMENT', 'geom': 'GEOMETRY'}[stage] }"
        parts = [part for part in parts if f"shader: {wanted}" in part and " dw ==" in part.replace(" dw --", " dw ==") and "name: TTN" not in part]
        if not parts:
            lines = [line for line in said.splitlines() if "rror" in line or "ailed" in line or "ssert" in line]
            raise Refused(lines[0] if lines else "the driver prints no code")
        self.part, self.number = parts[-1], number
        self.info = {}
        for name, at, field, value in re.findall(r"^  shader->(\w+)(?:\[(\d+)\]\.(\w+))? ?=(-?\d+);$", self.part, re.M):
            if at:
                self.info.setdefault(name, {}).setdefault(int(at), {})[field] = int(value)
            else:
                self.info[name] = int(value)

    def items(self, name):
        return [self.info.get(name, {}).get(at, {}) for at in range(self.info.get("n" + name, 0))]

    def code(self):
        """The words; those that the listing passes over are padding."""
        heads = list(re.finditer(r"^(?:bytecode (\d+) dw -- (\d+) gprs -- (\d+) nstack|===== (\d+) dw ===== (\d+) gprs ===== (\d+) stack)", self.part, re.M))
        if not heads:
            raise Refused("the driver prints no code")
        # Behind the optimiser its own listing comes last.
        listing, head = self.part[heads[-1].start():], [None, *filter(None, heads[-1].groups())]
        listing = re.split(r"^(?:_{20,}|-{20,}$|===== SHADER_END)", listing, maxsplit=1, flags=re.M)[0]
        words = [0] * int(head[1])
        for at, line in re.findall(r"^ ?(\d{4})  ?((?:[0-9A-Fa-f]{8}(?: |$))+)", listing, re.M):
            for step, word in enumerate(line.split()):
                words[int(at) + step] = int(word, 16)
        return struct.pack(f"<{len(words)}I", *words), int(head[2]), int(head[3])

    def textures(self):
        """Names, kinds and numbers of the textures."""
        out = []
        for kind, array, name, number in re.findall(r"^decl_var uniform INTERP_MODE_NONE \w*?[iu]?sampler(\w+?)(\[\d+\])? (\S+) \(\d+, \d+, (\d+)\)$", self.part, re.M):
            if kind.removesuffix("Shadow") not in DIMENSIONS or array:
                raise Refused(f"a sampler{kind}{array} is not told apart")
            out.append((name, kind, int(number)))
        return out

    def result(self):
        code, registers, stack = self.code()
        state = {"profile": "mesa", "registers": registers, "stack": stack}
        state["blocks"] = [{"name": name, "buffer": 1 + at, "size": size} for at, (name, _, size) in enumerate(self.blocks)]
        state["samplers"] = [{"name": name, "dimension": DIMENSIONS[kind.removesuffix("Shadow")], "shadow": kind.endswith("Shadow"), "location": number}
                             for name, kind, number in self.textures()]
        out = {"state": state, "buffers": {str(1 + at): binding for at, (_, binding, _) in enumerate(self.blocks)},
               "textures": {name: number for name, _, number in self.textures()}, "registers": {}, "outputs": {}}
        getattr(self, self.stage)(state, out)
        return code, out

    def vert(self, state, out):
        """Attributes by register, parameters by their places."""
        semantics = {}
        for item in self.items("input"):
            location = item.get("name", 0) - ATTRIBUTE
            semantics[item.get("gpr", 0)] = location
            out["registers"][str(location)] = item.get("gpr", 0)
        state["semantics"] = [semantics.get(at) for at in range(1, max(semantics, default=0) + 1)]
        self.parameters(state, out)

    def parameters(self, state, out):
        parameters, position = [], 61
        for item in self.items("output"):
            if item.get("spi_sid"):
                if item.get("name") == GENERIC:
                    out["outputs"][str(item.get("sid", 0) - 9)] = f"PARAM{len(parameters)}"
                    parameters.append(item.get("sid", 0) - 9)
                else:
                    # What goes on to the rasteriser beside the position; no source has such a location.
                    parameters.append(31 - len(parameters))
        misc = bool(self.info.get("vs_out_misc_write"))
        distances = self.info.get("clip_dist_write", 0)
        state["parameters"], state["parameter_count"] = parameters, max(len(parameters), 1)
        state["position"] = {"misc": misc, "point_size": bool(self.info.get("vs_out_point_size")), "edge_flag": False, "layer": False, "viewport": False,
                             "distances": [bool(distances & 15), bool(distances >> 4)], "clip": distances, "cull": 0}
        out["outputs"]["gl_Position"] = "POS60"
        if misc:
            out["outputs"]["gl_PointSize"] = f"POS{position}"
            position += 1
        if distances:
            out["outputs"]["gl_ClipDistance"] = f"POS{position}"

    def frag(self, state, out):
        inputs = {}
        for item in self.items("input"):
            kind, register = item.get("name", POSITION), item.get("gpr", 0)
            made = {"semantic": 31, "default": 0, "flat": item.get("interpolate", 0) == 0, "linear": item.get("interpolate", 0) == 1,
                    "centroid": item.get("interpolate_location", 0) == 1, "sample": False, "point_coord": kind == POINT_COORD}
            if kind == GENERIC:
                made["semantic"] = item.get("sid", 0) - 9
                out["registers"][str(made["semantic"])] = register
            elif kind == POSITION:
                state["frag_coord"] = register
                out["registers"]["gl_FragCoord"] = register
                continue
            elif kind == FACE:
                state["front_face"] = {"register": register, "component": 0, "all_bits": False}
                out["registers"]["gl_FrontFacing"] = register
                continue
            elif kind == POINT_COORD:
                state["point_coord"] = register
                out["registers"]["gl_PointCoord"] = register
            else:
                raise Refused(f"an input of kind {kind}")
            inputs[register] = made
        state["inputs"] = [inputs[at] for at in sorted(inputs)]
        colours = [item.get("sid", 0) for item in self.items("output") if item.get("name") == 1]
        state["colours"] = self.info.get("nr_ps_color_exports", 0)
        state["kills"] = bool(self.info.get("uses_kill"))
        # A depth is an output of the position's kind.
        state["exports_depth"] = any(item.get("name", POSITION) == POSITION for item in self.items("output"))
        for colour in colours:
            out["outputs"][str(colour)] = f"PIXEL{colour}"
        # Window positions are turned by four numbers in buffer 0.
        out["window"] = "gl_FbWposYTransform" in self.part
        return out


def compile_one(context, source, out):
    code, around = context.compiled(source)
    with open(out, "wb") as file:
        file.write(code)
    with open(out + ".json", "w") as file:
        json.dump(around["state"], file)
    with open(out + ".places.json", "w") as file:
        json.dump({key: value for key, value in around.items() if key != "state"}, file)


def main():
    os.environ.setdefault("R600_DEBUG", "vs,ps,gs")
    context = Context()
    if sys.argv[1:] != ["--serve"]:
        compile_one(context, sys.argv[1], sys.argv[2])
        return 0
    for line in sys.stdin:
        job = json.loads(line)
        error = None
        try:
            compile_one(context, job["source"], job["out"])
        except Refused as refusal:
            error = str(refusal) or "the driver refuses it"
        print(json.dumps({"error": error}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
