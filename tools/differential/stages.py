"""Whole programs of chance: what goes in and out of each stage, and a main function between."""

import importlib
import re

from bounds import GRAIN, Variable
from chance import Chance
from statements import Statements
from tree import COARSE, INT, UINT, Decl, Expr, Function, Program, Stmt, columns, literal, parts, vector

STAGES = ("vert", "tesc", "tese", "geom", "frag", "comp")
# Inputs are multiples of 1/64 between these, or any number there.
INPUT = (-2.0, 2.0)
# What looks at the pixels around.
SLOPES = re.compile(r"\b(texture|textureOffset|textureProj|textureProjOffset|textureQueryLod|dFd[xy]\w*|fwidth\w*)\(")


class Stage(Statements):
    """What all stages have: uniform blocks, storage buffers, outputs."""

    # Whether a vertex may ask where counting began.
    based = True

    def __init__(self, chance, program, size):
        super().__init__(chance, program)
        self.size = size
        self.room = size * 3
        self.doubles = chance.odds(12)
        self.textured = chance.odds(70)
        # What is outside of functions, and what main() declares.
        self.scopes = [[], []]
        self.globals = self.scopes[0]
        self.buffers = []
        self.outputs = []
        if self.doubles:
            program.uses.add("double")

    def more_floats(self, kind):
        return super().more_floats(kind) + ([(self.narrowed, 10)] if self.doubles else [])

    def declare(self, text, *names):
        self.program.decls.append(Decl(text, *names))

    def hint(self, name, kind):
        """Between which numbers an input lies, told to the runner; with the variable to read."""
        scalar = parts(kind)[0]
        if scalar == "float":
            self.program.hints[name.split(".")[-1]] = list(INPUT)
            return Variable(name, kind, *INPUT, GRAIN, 0.0)
        if scalar == "double":
            return Variable(name, kind, -3.0, 3.0)
        if scalar == "bool":
            self.program.hints[name.split(".")[-1]] = [0, 1]
            return Variable(name, kind, 0, 1)
        if self.chance.odds(40):
            self.program.hints[name.split(".")[-1]] = "bits"
            return Variable(name, kind, *(INT if scalar == "int" else UINT))
        low = -20 if scalar == "int" else 0
        self.program.hints[name.split(".")[-1]] = [low, 20]
        return Variable(name, kind, low, 20)

    def uniform_blocks(self):
        for binding in range(self.chance.below(3)):
            named = self.chance.odds(50)
            lines, names = [], []
            structs = []
            for at in range(self.chance.between(1, 5)):
                field = f"u{binding}{'abcde'[at]}"
                kind = self.any_kind()
                full = f"b{binding}.{field}" if named else field
                row = "layout(row_major) " if columns(kind) > 1 and self.chance.odds(25) else ""
                if self.chance.odds(8):
                    # A member that is a struct.
                    inner = [(self.any_kind(), f"{field}{end}") for end in "xy"]
                    text = " ".join(f"{own} {name};" for own, name in inner)
                    self.declare(f"struct U{field} {{ {text} }};", f"U{field}")
                    structs.append(f"U{field}")
                    lines.append(f"    U{field} {field};")
                    names.append(full.split(".")[0])
                    for own, name in inner:
                        self.globals.append(self.hint(f"{full}.{name}", own))
                    continue
                length = self.chance.between(2, 6) if self.chance.odds(25) else 0
                variable = self.hint(full, kind)
                variable.length = length
                self.globals.append(variable)
                lines.append(f"    {row}{kind} {field}{f'[{length}]' if length else ''};")
                names.append(full.split(".")[0])
            layout = self.chance.pick(("std140", "std140", "std140, row_major"))
            text = f"layout({layout}, binding = {binding}) uniform B{binding} {{\n" + "\n".join(lines) + "\n}" + (f" b{binding}" if named else "") + ";"
            self.declare(text, *names)

    def storage_buffers(self, writes):
        """Buffers of one unsized array each; what is written, only at this invocation's own place."""
        for binding in range(self.chance.below(3) if not writes else self.chance.between(1, 2)):
            kind = self.any_kind()
            while columns(kind) > 1 or parts(kind)[0] == "bool":
                kind = self.any_kind()
            field, write = f"d{binding}", writes and binding == 0
            head = []
            if self.chance.odds(30):
                own = vector(self.chance.pick(("float", "int", "uint")), self.chance.pick((1, 2, 4)))
                head.append(f"    {own} h{binding};")
                if not write:
                    self.globals.append(self.hint(f"s{binding}.h{binding}", own))
                    self.globals[-1].storage = True
            access = "" if write else self.chance.pick(("readonly ", ""))
            variable = self.hint(f"s{binding}.{field}", kind)
            self.declare(f"layout(std430, binding = {binding}) {access}buffer Store{binding} {{\n" + "\n".join([*head, f"    {kind} {field}[];"]) + f"\n}} s{binding};", f"s{binding}")
            if write:
                self.buffers.append((f"s{binding}.{field}", kind))
            else:
                variable.length, variable.storage = 48, True
                self.globals.append(variable)
                self.lengths = [*getattr(self, "lengths", []), f"s{binding}.{field}"]

    def more_integers(self, kind):
        ways = super().more_integers(kind)
        if getattr(self, "lengths", []) and kind == "int":
            ways.append((self.buffer_length, 2))
        return ways

    def buffer_length(self, kind, depth):
        self.program.uses.add("length")
        return Expr("int", f"int({self.chance.pick(self.lengths)}.length())", [], 1, 1 << 16)

    def store_buffer(self, depth):
        if not self.buffers or self.cell is None:
            return None
        name, kind = self.chance.pick(self.buffers)
        value = self.kept_value(kind, depth)
        scalar, count = parts(kind)
        if scalar in ("int", "uint") and count == 1 and self.chance.odds(25):
            way = self.chance.pick(("Add", "Min", "Max", "And", "Or", "Xor", "Exchange"))
            self.program.uses.add("atomic")
            return f"atomic{way}({name}[{self.cell}], {{0}});", [value]
        return f"{name}[{self.cell}] = {{0}};", [value]

    cell = None

    def output_kind(self):
        return vector(self.chance.pick(("float", "float", "float", "int", "uint")), self.chance.between(1, 4))

    def write(self, place, kind, depth=3):
        """Sets an output; now and then something that nobody has read yet is added."""
        value = self.value(kind, depth)
        scalar, count = parts(kind)
        unread = self.visible(lambda item: not item.reads and parts(item.kind)[0] == scalar and columns(item.kind) == 1)
        for item in self.chance.several(unread, 2):
            other = self.read(item)
            wide = parts(item.kind)[1]
            if item.kind != kind:
                swizzle = "" if wide == 1 else "." + "".join("xyzw"[at % wide] for at in range(count))
                other = Expr(kind, f"{kind}({{0}}{swizzle})", [other], other.low, other.high, other.grain, other.error)
            if scalar == "float":
                other = self.bounded(other, 64.0)
                value = self.made(kind, "({0} + {1})", [value, other], value.low + other.low, value.high + other.high, None,
                                  value.error + other.error) or value
            else:
                value = self.whole(kind, "({0} ^ {1})", [value, other])
        return Stmt([f"{place} = {{0}};"], [value])

    def main(self, body):
        self.program.functions.append(Function("void main()", "main", body))


class Vertex(Stage):
    def grow(self):
        self.uniform_blocks()
        self.storage_buffers(False)
        for at in range(self.chance.between(1, 4)):
            scalar = self.chance.weighted([("float", 70), ("int", 15), ("uint", 10), ("double", 5 if self.doubles else 0)])
            kind = vector(scalar, self.chance.between(1, 4 if scalar != "double" else 2))
            # A double may take two places.
            self.declare(f"layout(location = {2 * at}) in {kind} i{at};", f"i{at}")
            self.globals.append(self.hint(f"i{at}", kind))
        self.globals += [Variable("gl_VertexID", "int", 0, 16), Variable("gl_InstanceID", "int", 0, 4)]
        if self.based and self.chance.odds(15):
            self.globals += [Variable("gl_BaseVertex", "int", 0, 4), Variable("gl_BaseInstance", "int", 0, 8)]
        self.together = False
        body = self.block_kept(self.size, 2)
        body.append(self.write("gl_Position", "vec4"))
        for at in range(self.chance.between(1, 4)):
            kind = self.output_kind()
            flat = self.chance.pick(("flat ", "")) if parts(kind)[0] == "float" else "flat "
            self.declare(f"layout(location = {at}) {flat}out {kind} o{at};", f"o{at}")
            body.append(self.write(f"o{at}", kind))
        if self.chance.odds(15):
            body.append(Stmt(["gl_PointSize = {0};"], [self.positive(self.bounded(self.float("float", 2), 8.0))]))
        if self.chance.odds(12):
            self.declare("out float gl_ClipDistance[2];", "gl_ClipDistance")
            body += [self.write(f"gl_ClipDistance[{at}]", "float", 2) for at in range(2)]
        self.main(body)


class Fragment(Stage):
    # Whether targets may be left out between others.
    sparse = True

    def grow(self):
        self.uniform_blocks()
        # Either slopes or memory: pixels that only help others read nothing from buffers and images, so that slopes of what was
        # read there are undefined.
        self.remembers = self.chance.odds(40)
        self.leaving = not self.remembers
        if self.remembers:
            self.storage_buffers(self.chance.odds(60))
        self.together = not self.remembers
        self.inputs = []
        for at in range(self.chance.between(1, 4)):
            scalar = self.chance.weighted([("float", 80), ("int", 10), ("uint", 10)])
            kind = vector(scalar, self.chance.between(1, 4))
            how = "flat " if scalar != "float" else self.chance.weighted([("", 70), ("flat ", 10), ("noperspective ", 8), ("centroid ", 6)])
            self.declare(f"layout(location = {at}) {how}in {kind} i{at};", f"i{at}")
            variable = self.hint(f"i{at}", kind)
            if scalar == "float":
                # The corners lie within the bounds, the pixels around them.
                variable.low, variable.high = -6.0, 6.0
                if not how.strip():
                    self.inputs.append(variable)
            self.globals.append(variable)
        self.globals.append(Variable("gl_FragCoord", "vec4", 0.0, 32.0, 2.0 ** -10))
        if self.chance.odds(15):
            self.globals.append(Variable("gl_FrontFacing", "bool", 0, 1))
        if self.chance.odds(5):
            self.globals.append(Variable("gl_PointCoord", "vec2", 0.0, 1.0, 0.25))
        self.cell = "(int(gl_FragCoord.x) & 1) + (int(gl_FragCoord.y) & 1) * 2"
        self.own = "(ivec2(gl_FragCoord.xy) & 7)" if self.remembers and (self.buffers or self.chance.odds(60)) else None
        body = self.block_kept(self.size, 2)
        if self.chance.odds(20):
            body.insert(self.chance.below(len(body) + 1), None)
            at = body.index(None)
            body[at] = Stmt(["if ({0}) {{\n    discard;\n}}"], [self.apart(lambda: self.compared_globals())])
            self.program.uses.add("discard")
        self.together = not self.remembers
        count = self.chance.between(1, 3)
        targets = sorted(self.chance.several(range(4), count)) if self.sparse and self.chance.odds(20) else list(range(count))
        for at in targets:
            kind = self.output_kind()
            if self.chance.odds(75):
                # Of fewer components the others hold what their registers held (faults.py).
                kind = vector(parts(kind)[0], 4)
            self.declare(f"layout(location = {at}) out {kind} o{at};", f"o{at}")
            body.append(self.write(f"o{at}", kind, 4))
        if self.chance.odds(10):
            value = self.float("float", 2)
            body.append(Stmt(["gl_FragDepth = {0};"], [self.unit(value)]))
        if self.chance.odds(8):
            self.leave_early(body)
        self.main(body)

    def compared_globals(self):
        """A condition of what is there at the start."""
        outer, self.scopes = self.scopes, self.scopes[:1]
        out = self.truth("bool", 2)
        self.scopes = outer
        return out

    def leave_early(self, body):
        """A return in the middle, behind everything that is written."""
        writes = [stmt for stmt in body if stmt.pieces[0].startswith(("o", "gl_FragDepth"))]
        first = [Stmt([stmt.pieces[0].split(" = ")[0] + " = {0};"], [self.constant_for(stmt)]) for stmt in writes]
        test = self.compared_globals()
        # Pixels that have left are no neighbours.
        if any(SLOPES.search(line) for stmt in body for line in stmt.lines(0)):
            return
        body.insert(0, Stmt(["if ({0}) {{", "    return;\n}}"], [test], [first]))
        self.program.uses.add("return")

    def constant_for(self, stmt):
        kind = stmt.args[0].kind
        return self.constant(kind)

    def more_floats(self, kind):
        ways = super().more_floats(kind)
        if self.together:
            ways.append((self.derivative, 6))
            if self.inputs:
                ways.append((self.interpolated, 3))
        return ways

    def derivative(self, kind, depth):
        a = self.float(kind, depth - 1)
        name = self.chance.pick(("dFdx", "dFdy", "fwidth", "dFdxFine", "dFdyFine", "fwidthFine"))
        self.program.uses.add(name)
        factor = 2 if name.startswith("fwidth") else 1
        low = 0.0 if factor == 2 else -2 * a.most
        return self.made(kind, name + "({0})", [a], low, 2 * factor * a.most, None if a.grain is None else a.grain, 2 * factor * a.error)

    def interpolated(self, kind, depth):
        """An input at another place of the pixel."""
        same = [item for item in self.inputs if item.kind == kind]
        # Over a point everything is the same.
        if not same or any(item.name == "gl_PointCoord" for item in self.globals):
            return None
        item = self.chance.pick(same)
        self.program.uses.add("interpolateAt")
        way = self.chance.pick(("Centroid", "Offset", "Offset"))
        if way == "Centroid":
            return Expr(kind, f"interpolateAtCentroid({item.name})", [], -6.0, 6.0, COARSE, 1e-6)
        return Expr(kind, f"interpolateAtOffset({item.name}, vec2({self.chance.pick(('0.25', '-0.25', '0.125'))}, {self.chance.pick(('0.25', '0.0', '-0.375'))}))", [], -6.0, 6.0, COARSE, 1e-5)


class Compute(Stage):
    def grow(self):
        shape = self.chance.pick(((4, 1, 1), (8, 1, 1), (16, 1, 1), (4, 4, 1), (2, 2, 2), (32, 1, 1)))
        total = shape[0] * shape[1] * shape[2]
        text = ", ".join(f"local_size_{name} = {count}" for name, count in zip("xyz", shape) if count > 1 or name == "x")
        self.declare(f"layout({text}) in;")
        self.uniform_blocks()
        self.storage_buffers(True)
        self.together = False
        self.globals += [
            Variable("gl_LocalInvocationIndex", "uint", 0, total - 1), Variable("gl_GlobalInvocationID", "uvec3", 0, 64),
            Variable("gl_WorkGroupID", "uvec3", 0, 2), Variable("gl_LocalInvocationID", "uvec3", 0, 32), Variable("gl_NumWorkGroups", "uvec3", 1, 2),
        ]
        self.cell = f"(gl_WorkGroupID.x * {total}u + gl_LocalInvocationIndex)"
        if self.chance.odds(40):
            self.own = f"ivec2({self.cell} & 7u, {self.cell} >> 3)"
        body = self.block_kept(max(self.size // 2, 1), 2)
        if self.chance.odds(50):
            body += self.shared(total)
        body += self.block_kept(max(self.size // 2, 1), 2)
        name, kind = self.buffers[0]
        body.append(Stmt([f"{name}[{self.cell}] = {{0}};"], [self.kept_value(kind, 4)]))
        self.main(body)

    def shared(self, total):
        """Every invocation writes its own word and reads another's behind a barrier."""
        kind = vector(self.chance.pick(("float", "int", "uint")), self.chance.pick((1, 2, 4)))
        self.declare(f"shared {kind} g0[{total}];", "g0")
        out = [Stmt(["g0[gl_LocalInvocationIndex] = {0};"], [self.kept_value(kind, 3)], fixed=True)]
        out.append(Stmt(["barrier();"], fixed=True))
        name = self.fresh("v")
        index = self.fitted(self.integer("uint", 2), 0, total - 1)
        self.scopes[-1].append(self.changing(kind, name))
        out.append(Stmt([f"{kind} {name} = g0[{{0}}];"], [index], (), [name]))
        self.program.uses.add("shared")
        if self.chance.odds(40):
            count = self.fresh("v")
            self.declare("shared uint g1;", "g1")
            way = self.chance.pick(("Add", "Max", "Or", "Xor"))
            out.append(Stmt(["if (gl_LocalInvocationIndex == 0u) {{\n    g1 = 0u;\n}}\nbarrier();"], fixed=True))
            out.append(Stmt([f"atomic{way}(g1, {{0}});"], [self.integer("uint", 2)]))
            out.append(Stmt([f"barrier();\nuint {count} = g1;"], fixed=True, names=[count]))
            self.scopes[-1].append(Variable(count, "uint", *UINT))
        if self.chance.odds(30):
            # What was read is added up step by step, as sums over a group are.
            out.append(Stmt(["barrier();"], fixed=True))
            step = self.fresh("n")
            one = parts(kind)
            add = f"g0[gl_LocalInvocationIndex] * {'0.5' if one[0] == 'float' else ('3u' if one[0] == 'uint' else '3')} + g0[gl_LocalInvocationIndex + uint({step})] * {'0.5' if one[0] == 'float' else ('5u' if one[0] == 'uint' else '5')}"
            out.append(Stmt([f"for (int {step} = {total // 2}; {step} > 0; {step} >>= 1) {{{{\n    if (gl_LocalInvocationIndex < uint({step})) {{{{\n        g0[gl_LocalInvocationIndex] = {add};\n    }}}}\n    barrier();\n}}}}"], fixed=True))
            last = self.fresh("v")
            out.append(Stmt([f"{kind} {last} = g0[0];"], (), (), [last]))
            self.scopes[-1].append(self.changing(kind, last))
        return out


class Patch(Stage):
    """What the stages have that read the vertices of a primitive."""

    def vertices(self, count, most=3):
        self.declare_inputs = []
        for at in range(self.chance.between(1, most)):
            scalar = self.chance.weighted([("float", 80), ("int", 10), ("uint", 10)])
            kind = vector(scalar, self.chance.between(1, 4))
            how = "flat " if scalar != "float" and self.program.stage == "geom" else ""
            self.declare(f"layout(location = {at}) {how}in {kind} i{at}[];", f"i{at}")
            variable = self.hint(f"i{at}", kind)
            variable.length = count
            self.globals.append(variable)
        self.program.hints["gl_Position"] = list(INPUT)
        self.globals.append(GlPosition(count))

    def read(self, item):
        if isinstance(item, GlPosition):
            index = self.index(item.length)
            return Expr("vec4", "gl_in[{0}].gl_Position", [index], *INPUT, GRAIN)
        return super().read(item)


class GlPosition(Variable):
    def __init__(self, count):
        super().__init__("gl_in", "vec4", *INPUT, GRAIN, length=count)


class Geometry(Patch):
    def grow(self):
        self.together = False
        primitive, count = self.chance.pick((("points", 1), ("lines", 2), ("triangles", 3), ("lines_adjacency", 4), ("triangles_adjacency", 6)))
        out = self.chance.pick(("points", "line_strip", "triangle_strip"))
        invocations = self.chance.pick((1, 1, 2, 3))
        self.declare(f"layout({primitive}{f', invocations = {invocations}' if invocations > 1 else ''}) in;")
        vertices = self.chance.between(3, 6)
        streams = out == "points" and self.chance.odds(12)
        self.declare(f"layout({out}, max_vertices = {vertices * 2}) out;")
        self.uniform_blocks()
        self.storage_buffers(False)
        self.vertices(count)
        self.globals.append(Variable("gl_PrimitiveIDIn", "int", 0, 4))
        if invocations > 1:
            self.globals.append(Variable("gl_InvocationID", "int", 0, invocations))
        outs = []
        for at in range(self.chance.between(1, 3)):
            kind = self.output_kind()
            flat = "" if parts(kind)[0] == "float" else "flat "
            self.declare(f"layout(location = {at}) {flat}out {kind} o{at};", f"o{at}")
            outs.append((f"o{at}", kind))
        body = self.block_kept(self.size, 2)
        if self.chance.odds(60):
            name = self.fresh("n")
            turns = vertices if self.chance.odds(50) else count
            self.constants.add(name)
            self.scopes.append([Variable(name, "int", 0, max(turns - 1, 0))])
            inner = self.apart(lambda: self.block_kept(self.chance.below(3), 1)) + self.vertex(outs)
            self.scopes.pop()
            body.append(Stmt([f"for (int {name} = 0; {name} < {turns}; {name}++) {{{{", "}}"], [], [inner], [name], fixed=True))
            if self.chance.odds(50):
                body.append(Stmt(["EndPrimitive();"]))
        else:
            for at in range(vertices):
                body += self.vertex(outs)
                if self.chance.odds(20):
                    body.append(Stmt(["EndPrimitive();"]))
        self.main(body)

    def vertex(self, outs):
        return [self.write("gl_Position", "vec4", 2), *(self.write(name, kind, 2) for name, kind in outs), Stmt(["EmitVertex();"], fixed=True)]


class Control(Patch):
    def grow(self):
        self.together = False
        count = self.chance.pick((3, 4, 2))
        self.program.hints["_domain"] = "quads"
        self.declare(f"layout(vertices = {count}) out;")
        self.uniform_blocks()
        self.storage_buffers(False)
        self.vertices(count)
        self.globals += [Variable("gl_InvocationID", "int", 0, count - 1), Variable("(gl_PrimitiveID)", "int", 0, 4), Variable("gl_PatchVerticesIn", "int", count, count)]
        outs = []
        for at in range(self.chance.between(1, 3)):
            kind = self.output_kind()
            self.declare(f"layout(location = {at}) out {kind} o{at}[];", f"o{at}")
            outs.append((f"o{at}", kind))
        body = self.block_kept(self.size, 2)
        if self.chance.odds(60):
            body.append(self.write("gl_out[gl_InvocationID].gl_Position", "vec4"))
        body += [self.write(f"{name}[gl_InvocationID]", kind) for name, kind in outs]
        shared = self.chance.odds(35)
        if shared:
            body.append(Stmt(["barrier();"], fixed=True))
            name, kind = outs[0]
            scalar, size = parts(kind)
            value = self.changing(kind, name)
            value.writable = False
        inner = []
        if shared:
            copy = self.fresh("v")
            inner.append(Stmt([f"{kind} {copy} = {name}[{self.chance.below(count)}];"], (), (), [copy]))
        for at in range(self.chance.below(3)):
            patch = vector(self.chance.pick(("float", "float", "int", "uint")), self.chance.between(1, 4))
            self.declare(f"layout(location = {4 + at}) patch out {patch} q{at};", f"q{at}")
            inner.append(self.write(f"q{at}", patch, 2))
        if shared and scalar == "float":
            self.declare(f"layout(location = 8) patch out {kind} q8;", "q8")
            inner.append(Stmt([f"q8 = {copy} * 0.5;"]))
        for at in range(4):
            inner.append(Stmt([f"gl_TessLevelOuter[{at}] = {{0}};"], [self.tess_level()], fixed=True))
        for at in range(2):
            inner.append(Stmt([f"gl_TessLevelInner[{at}] = {{0}};"], [self.tess_level()], fixed=True))
        body.append(Stmt(["if (gl_InvocationID == 0) {{", "}}"], [], [inner], fixed=True))
        self.main(body)

    def tess_level(self):
        if self.chance.odds(50):
            return literal("float", self.chance.pick((1.0, 2.0, 3.0)))
        a = self.float("float", 1)
        return Expr("float", "({0} + 1.0)", [self.unit(a)], 1.0, 2.0, COARSE, a.error)


class Evaluation(Patch):
    def grow(self):
        self.together = False
        domain = self.chance.pick(("quads", "triangles", "isolines"))
        spacing = self.chance.pick(("equal_spacing", "fractional_odd_spacing", "equal_spacing"))
        turn = self.chance.pick(("ccw", "cw"))
        self.declare(f"layout({domain}, {spacing}{'' if domain == 'isolines' else ', ' + turn}) in;")
        self.uniform_blocks()
        self.storage_buffers(False)
        self.vertices(4)
        for at in range(self.chance.below(3)):
            kind = vector(self.chance.pick(("float", "float", "int")), self.chance.between(1, 4))
            self.declare(f"layout(location = {4 + at}) patch in {kind} q{at};", f"q{at}")
            self.globals.append(self.hint(f"q{at}", kind))
        self.globals += [Variable("gl_TessCoord", "vec3", 0.0, 1.0), Variable("gl_TessCoord", "vec3", 0.0, 1.0), Variable("(gl_PrimitiveID)", "int", 0, 4)]
        if domain != "triangles":
            # Without a third coordinate that is a constant.
            self.constants.add("gl_TessCoord")
        if self.chance.odds(20):
            self.globals += [Variable("gl_TessLevelOuter", "float", 1.0, 3.0, 1.0, length=4), Variable("gl_TessLevelInner", "float", 1.0, 3.0, 1.0, length=2)]
        body = self.block_kept(self.size, 2)
        body.append(self.write("gl_Position", "vec4"))
        for at in range(self.chance.between(1, 3)):
            kind = self.output_kind()
            flat = "" if parts(kind)[0] == "float" else "flat "
            self.declare(f"layout(location = {at}) {flat}out {kind} o{at};", f"o{at}")
            body.append(self.write(f"o{at}", kind))
        self.main(body)


KINDS = {"vert": Vertex, "frag": Fragment, "comp": Compute, "geom": Geometry, "tesc": Control, "tese": Evaluation}


def kinds(dialect):
    """The stages of a dialect: `maxwell`, or what a smaller machine takes."""
    if dialect == "maxwell":
        return KINDS
    return importlib.import_module(dialect).KINDS


def program(stage, seed, dialect="maxwell"):
    """The program of a stage and a seed: always the same."""
    words = ("unshade", stage, seed) if dialect == "maxwell" else ("unshade", dialect, stage, seed)
    chance = Chance(*words)
    made = Program(stage, f"{stage}{seed}.{stage}")
    kinds(dialect)[stage](chance, made, chance.weighted([(1, 15), (2, 25), (4, 30), (7, 20), (12, 10)])).grow()
    return made
