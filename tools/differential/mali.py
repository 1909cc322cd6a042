"""Programs of chance for Mali's Utgard: GLSL ES 1.00. There are floats only: integers and truth are floats to the machine, so they stay
small; loops may end by any condition, which Mesa takes. The fragment processor has constants of 16 bits and computes in these, so all
constants here are exact in them; what a compiler makes of a function (a sine by a polynomial, an angle by a rounded factor) differs
by up to a thousandth, which the bounds of values allow for."""

import re

from bounds import Variable
from stages import Fragment, Stage, Vertex
from tree import COARSE, Decl, Expr, Stmt, columns, grain_of, literal, number, parts, vector

# Exact in sixteen bits.
CONSTANTS = (0.0, 1.0, 0.5, 2.0, -1.0, 0.25, 3.0, -0.75, 1.5, 0.125, 0.3125, -1.75, 5.0, 0.6875)
OFFSETS = (0.037109375, 0.0615234375, -0.044921875, 0.0830078125)
SMALL = (0, 1, 2, -1, 3, 5, -4, 7)
# Integers stay between these.
LEAST, MOST = -64, 63
# The errors that evaluations may make, in all and in what loops carry on; what a function adds to them.
WORST, CARRIED, ROUGH = 3e-3, 1e-3, 1.3e-3
# What rounds in the machine, or in what a compiler makes of it.
ROUGHLY = re.compile(r"^\(?(sin|cos|tan|asin|acos|atan|exp|log|pow|radians)\(")
SWING = 16.0
# What came with later versions of the language.
NEWER = re.compile(r"\b(fma|ldexp|trunc|roundEven|sinh|cosh|tanh|mat\dx\d)\b")


class Mali(Stage):
    """What both stages share: loose uniforms, and arithmetic without integers' bits."""

    def __init__(self, chance, program, size):
        super().__init__(chance, program, size)
        program.head = "#version 100"
        self.doubles, self.leaving, self.own = False, False, None
        program.uses.discard("double")
        self.textured = program.stage == "frag"

    def storage_buffers(self, writes):
        """There are none."""

    def image(self, kind, write=False):
        return None

    # -- what goes in

    def any_kind(self):
        scalar = self.chance.weighted([("float", 78), ("int", 12), ("bool", 10)])
        if scalar == "float" and self.chance.odds(8):
            return f"mat{self.chance.between(2, 4)}"
        return vector(scalar, self.chance.weighted([(1, 40), (2, 18), (3, 18), (4, 24)]))

    def hint(self, name, kind):
        scalar = parts(kind)[0]
        if scalar == "int":
            self.program.hints[name.split(".")[-1]] = [-8, 8]
            return Variable(name, kind, -8, 8)
        return super().hint(name, kind)

    def uniforms(self):
        for at in range(self.chance.below(6)):
            name = f"u{at}"
            if self.chance.odds(15):
                self.struct_uniform(name)
                continue
            kind = self.any_kind()
            variable = self.hint(name, kind)
            variable.length = self.chance.between(2, 5) if self.chance.odds(20) else 0
            self.globals.append(variable)
            self.declare(f"uniform {kind} {name}{f'[{variable.length}]' if variable.length else ''};", name)

    def struct_uniform(self, name):
        """A struct, or an array of one of which an element is used."""
        fields = [(self.any_kind(), f"{name}{'abc'[at]}") for at in range(self.chance.between(2, 3))]
        inner = " ".join(f"{kind} {field};" for kind, field in fields)
        self.declare(f"struct U{name} {{ {inner} }};", f"U{name}")
        length = self.chance.between(2, 3) if self.chance.odds(40) else 0
        self.declare(f"uniform U{name} {name}{f'[{length}]' if length else ''};", name)
        for kind, field in fields:
            place = f"{name}[{self.chance.below(length)}]" if length else name
            self.globals.append(self.hint(f"{place}.{field}", kind))

    # -- values

    def made(self, kind, form, args, low, high, grain=COARSE, error=0.0):
        if ROUGHLY.match(form):
            error = max(error, sum(arg.error for arg in args)) + ROUGH * max(1.0, min(abs(low), abs(high), 4.0))
        low, high = float(low), float(high)
        most = max(abs(low), abs(high))
        if grain is not None and (grain < 2.0 ** -10 or most > grain * (1 << 20)):
            grain = None
        out = Expr(kind, form, args, low, high, grain, error)
        if error > WORST:
            return None
        if most > 256.0:
            # Sixteen bits end at 65504, and squares are taken.
            scale = 256.0 / 2 ** max(0, (int(most) - 1).bit_length())
            return Expr(kind, "({0} * " + number(scale) + ")", [out], low * scale, high * scale, None if grain is None else grain * scale, error * scale)
        return out

    def float(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        ways = [
            (self.sum, 24), (self.product, 18), (self.bounds, 8), (self.simple_function, 8), (self.stepwise, 8), (self.transcendental, 14),
            (self.division, 6), (self.from_integer, 6), (self.chosen, 8), (self.built, 10), (self.geometric, 12), (self.from_matrix, 5),
            (self.mixed, 6), (self.leaf_at, 10),
        ]
        ways += self.more_floats(kind)
        for _ in range(4):
            out = self.chance.weighted(ways)(kind, depth)
            # What is large comes scaled down.
            if out is not None and not NEWER.search(" ".join((out.form, *(arg.form for arg in out.args)))):
                return out
        return self.leaf(kind)

    def more_floats(self, kind):
        return []

    def constant(self, kind):
        scalar, count = parts(kind)
        if count > 1 or columns(kind) > 1:
            return super().constant(kind)
        if scalar == "float":
            return literal(kind, self.chance.pick(CONSTANTS))
        if scalar == "int":
            return literal(kind, self.chance.pick(SMALL))
        return super().constant(kind)

    def steady(self, a):
        if a.exact:
            return a
        offset = self.chance.pick(OFFSETS)
        return Expr(a.kind, "({0} + " + (number(offset) if offset > 0 else f"({number(offset)})") + ")", [a], a.low + offset, a.high + offset, None, a.error)

    def pair(self, kind, depth):
        a, b = self.value(kind, depth - 1), self.value(kind, depth - 1)
        if parts(kind)[0] == "float" and not (a.exact and b.exact):
            a = Expr(a.kind, "({0} + " + number(abs(self.chance.pick(OFFSETS))) + ")", [a], a.low, a.high + 0.1)
        return a, b

    def unit(self, a):
        return Expr(a.kind, "clamp({0}, 0.0, 1.0)", [a], max(0.0, min(a.low, 1.0)), max(0.0, min(a.high, 1.0)), a.grain, a.error)

    def bounded(self, a, most):
        if a.most <= most:
            return a
        return Expr(a.kind, f"clamp({{0}}, -{number(most)}, {number(most)})", [a], -most, most, None if a.grain is None else min(a.grain, grain_of(most)), a.error)

    def division(self, kind, depth):
        a = self.float(kind, depth - 1)
        by = self.chance.pick((2.0, 4.0, 0.5, 8.0))
        if self.chance.odds(35):
            return self.made(kind, "({0} / " + number(by) + ")", [a], a.low / by, a.high / by, None if a.grain is None else a.grain / by, a.error / by)
        b = self.positive(self.operand(kind, depth))
        return self.made(kind, "({0} / {1})", [a, b], -a.most * 4, a.most * 4, None, a.error * 4 + b.error * a.most * 16 + 1e-5 * a.most)

    def mixed(self, kind, depth):
        a, b = self.float(kind, depth - 1), self.float(kind, depth - 1)
        low, high = min(a.low, b.low), max(a.high, b.high)
        share = self.unit(self.float(self.chance.pick(("float", kind)), depth - 1))
        return self.made(kind, "mix({0}, {1}, {2})", [a, b, share], low - 0.001, high + 0.001, None, a.error + b.error + share.error * (high - low))

    def from_integer(self, kind, depth):
        scalar = self.chance.pick(("int", "bool"))
        a = self.value(vector(scalar, parts(kind)[1]), depth - 1)
        return self.made(kind, kind + "({0})", [a], a.low, a.high, 1.0)

    def from_matrix(self, kind, depth):
        """Of square matrices, without what came with GLSL 1.20."""
        count = parts(kind)[1]
        if count == 1:
            return None
        m = self.matrix(f"mat{count}", depth - 1)
        if self.chance.odds(25):
            return self.made(kind, "{0}[{1}]", [m, literal("int", self.chance.below(count))], m.low, m.high, m.grain, m.error)
        v = self.float(kind, depth - 1)
        most = m.most * v.most * count
        grain = None if None in (m.grain, v.grain) else m.grain * v.grain
        form = self.chance.pick(("({0} * {1})", "({1} * {0})"))
        return self.made(kind, form, [m, v], -most, most, grain, count * (m.error * v.most + v.error * m.most))

    def matrix(self, kind, depth):
        if depth <= 0:
            return self.matrix_leaf(kind)
        count, which, out = columns(kind), self.chance.below(5), None
        a, b = self.bounded_matrix(kind, depth - 1, 4.0), self.bounded_matrix(kind, depth - 1, 4.0)
        if which == 0:
            most = a.most * b.most * count
            out = self.made(kind, "({0} * {1})", [a, b], -most, most, None, count * (a.error * b.most + b.error * a.most))
        elif which == 1:
            out = self.made(kind, "({0} + {1})", [a, b], a.low + b.low, a.high + b.high, None, a.error + b.error)
        elif which == 2:
            most = a.most * b.most
            out = self.made(kind, "matrixCompMult({0}, {1})", [a, b], -most, most, None, a.error * b.most + b.error * a.most)
        elif which == 3:
            f = self.float("float", depth - 1)
            out = self.made(kind, "({0} * {1})", [a, f], -a.most * f.most, a.most * f.most, None, a.error * f.most + f.error * a.most)
        return out if out is not None and out.kind == kind and out.error <= WORST else self.matrix_leaf(kind)

    # -- integers and truth

    def whole(self, kind, form, args, low=None, high=None):
        return Expr(kind, form, args, LEAST if low is None else low, MOST if high is None else high)

    def fitted(self, a, low, high):
        if a.low >= low and a.high <= high:
            return a
        count = parts(a.kind)[1]
        wide = vector("float", count)
        return Expr(a.kind, f"{a.kind}(clamp({wide}({{0}}), {number(low)}, {number(high)}))", [a], low, high)

    def integer(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        which = self.chance.below(10)
        if which < 5:
            a, b = self.integer(kind, depth - 1), self.integer(kind, depth - 1)
            low, high, sign = (a.low + b.low, a.high + b.high, "+") if which < 2 else (a.low - b.high, a.high - b.low, "-")
            if which == 4:
                ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                low, high, sign = min(ends), max(ends), "*"
            out = Expr(kind, f"({{0}} {sign} {{1}})", [a, b], low, high)
            return self.fitted(out, LEAST, MOST) if low >= -1000 and high <= 1000 else a
        if which == 5:
            a = self.steady(self.bounded(self.float(vector("float", parts(kind)[1]), depth - 1), 32.0))
            return Expr(kind, kind + "({0})", [a], int(a.low) - 1, int(a.high) + 1)
        if which == 6:
            return Expr(kind, kind + "({0})", [self.truth(vector("bool", parts(kind)[1]), depth - 1)], 0, 1)
        if which == 7:
            return self.chosen(kind, depth)
        return self.built(kind, depth) if which == 8 else self.leaf(kind)

    def truth(self, kind, depth):
        count = parts(kind)[1]
        if depth <= 0:
            return self.leaf(kind) if count > 1 or self.visible(lambda item: item.kind == "bool") else self.compared(1)
        which = self.chance.below(10)
        if count > 1:
            if which == 9:
                return self.leaf(kind)
            if which == 8:
                return Expr(kind, "not({0})", [self.truth(kind, depth - 1)], 0, 1)
            scalar = self.chance.pick(("int", "float", "float"))
            a, b = self.pair(vector(scalar, count), depth)
            names = ("lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual")
            return Expr(kind, self.chance.pick(names[: 6 if scalar != "float" else 4]) + "({0}, {1})", [a, b], 0, 1)
        if which < 5:
            return self.compared(depth)
        if which < 8:
            sign = self.chance.pick(("&&", "||", "^^", "&&", "=="))
            return Expr(kind, f"({{0}} {sign} {{1}})", [self.truth("bool", depth - 1), self.truth("bool", depth - 1)], 0, 1)
        if which == 8:
            return Expr(kind, "(!{0})", [self.truth("bool", depth - 1)], 0, 1)
        return Expr(kind, self.chance.pick(("any", "all")) + "({0})", [self.truth(vector("bool", self.chance.between(2, 4)), depth - 1)], 0, 1)

    def compared(self, depth):
        scalar = self.chance.pick(("int", "float", "float"))
        a, b = self.pair(scalar, depth)
        sign = self.chance.pick(("<", "<=", ">", ">=", "==", "!=")[: 6 if scalar == "int" else 4])
        return Expr("bool", f"({{0}} {sign} {{1}})", [a, b], 0, 1)

    def index(self, length):
        """A constant, or the counter of a loop that is unrolled."""
        near = self.visible(lambda item: item.kind == "int" and item.name in self.counters and item.high < length)
        if not near or self.chance.odds(50):
            return literal("int", self.chance.below(length))
        item = self.chance.pick(near)
        return Expr("int", item.name, [], item.low, item.high)

    # -- statements

    counters = ()

    def statement(self, depth):
        ways = [(self.constant_variable, 30), (self.assign, 26), (self.changing_variable, 8)]
        if depth > 0 and self.room > 0:
            ways += [(self.condition, 16), (self.loop, 12), (self.array, 6), (self.struct, 4), (self.call, 8)]
        for _ in range(5):
            out = self.chance.weighted(ways)(depth)
            if out is not None:
                return out
        return self.constant_variable(depth)

    def changing(self, kind, name):
        scalar = parts(kind)[0]
        if scalar == "int":
            return Variable(name, kind, LEAST, MOST, writable=True)
        if scalar == "bool":
            return Variable(name, kind, 0, 1, writable=True)
        return Variable(name, kind, -SWING, SWING, COARSE, CARRIED, writable=True)

    def kept(self, value):
        scalar = parts(value.kind)[0]
        if scalar == "int":
            return self.fitted(value, LEAST, MOST)
        if scalar == "float" and columns(value.kind) == 1:
            value = self.bounded(value, SWING)
        elif scalar == "float" and value.most > SWING:
            return None
        return value if value.error <= CARRIED else None

    def assign(self, depth):
        items = self.visible(lambda item: item.writable)
        if not items:
            return None
        item = self.chance.pick(items)
        kind, place = item.kind, item.name
        scalar, count = parts(kind)
        args = []
        if item.length:
            args, place = [self.index(item.length)], place + "[{1}]"
        if columns(kind) > 1:
            place, kind = place + f"[{self.chance.below(columns(kind))}]", vector("float", count)
        elif count > 1 and self.chance.odds(40):
            size = self.chance.between(1, count - 1)
            place += "." + "".join(self.chance.several("xyzw"[:count], size))
            kind = vector(scalar, size)
        elif scalar == "float" and not item.length and self.chance.odds(40):
            small = self.kept(self.bounded(self.value(kind, 2), SWING / 2))
            if small is not None and small.error <= CARRIED / 2:
                return Stmt([f"{place} = {place} * 0.5 + {{0}};"], [small, *args])
        return Stmt([f"{place} = {{0}};"], [self.kept_value(kind, 3), *args])

    def array(self, depth):
        kind, size, name = vector("float", self.chance.pick((1, 1, 2, 4))), self.chance.between(2, 4), self.fresh("a")
        items = [self.kept_value(kind, 2) for _ in range(size)]
        made = self.changing(kind, name)
        made.length = size
        self.scopes[-1].append(made)
        lines = [f"{kind} {name}[{size}];", *(f"{name}[{at}] = {{{at}}};" for at in range(size))]
        return Stmt(["\n".join(lines)], items, (), [name])

    def loop(self, depth):
        if self.loops >= 2:
            return None
        self.loops += 1
        name, turns, way = self.fresh("n"), self.chance.between(2, 4), self.chance.below(4)
        counter = Variable(name, "int", 0, turns - 1 if way == 3 else 6)
        if way == 3:
            self.counters = (*self.counters, name)
        self.scopes.append([counter])
        body = self.apart(lambda: self.block(self.chance.between(1, 3), depth - 1))
        if self.chance.odds(35):
            word = self.chance.pick(("break", "continue"))
            body.insert(self.chance.below(len(body) + 1), Stmt([f"if ({{0}}) {{{{\n    {word};\n}}}}"], [self.apart(lambda: self.truth("bool", 1))]))
        self.scopes.pop()
        self.loops -= 1
        self.program.uses.add("loop")
        if way == 0:
            bound = self.fitted(self.integer("int", 1), 0, 6)
            return Stmt([f"for (int {name} = 0; {name} < {{0}}; {name}++) {{{{", "}}"], [bound], [body], [name])
        if way == 1:
            test = self.apart(lambda: self.truth("bool", 1))
            return Stmt([f"int {name} = 0;\nwhile ({name} < {turns} && {{0}}) {{{{\n    {name}++;", "}}"], [test], [body], [name])
        return Stmt([f"for (int {name} = 0; {name} < {turns}; {name}++) {{{{", "}}"], [], [body], [name])


class MaliVertex(Mali, Vertex):
    def grow(self):
        self.uniforms()
        for at in range(self.chance.between(1, 4)):
            kind = vector("float", self.chance.between(1, 4))
            self.declare(f"attribute {kind} i{at};", f"i{at}")
            self.globals.append(self.hint(f"i{at}", kind))
        self.together = False
        body = self.block_kept(self.size, 2)
        place = self.float("vec3", 3)
        w = self.positive(self.bounded(self.float("float", 2), 4.0))
        body.append(Stmt(["gl_Position = vec4({0}, {1});"], [self.bounded(place, 64.0), w], fixed=True))
        for at in range(self.chance.between(1, 4)):
            kind = vector("float", self.chance.between(1, 4))
            self.declare(f"varying {kind} o{at};", f"o{at}")
            body.append(self.write(f"o{at}", kind))
        self.main(body)


class MaliFragment(Mali, Fragment):
    def grow(self):
        self.program.head += "\n#extension GL_OES_standard_derivatives : enable\nprecision highp float;" if self.chance.odds(30) else "\nprecision highp float;"
        self.slopes = "derivatives" in self.program.head
        # A pixel that is dropped computes nothing more, and is no neighbour: it is dropped at the end, or nobody looks around.
        drops = self.chance.weighted([("", 80), ("early", 10), ("late", 10)])
        self.around = drops != "early"
        self.uniforms()
        for at in range(self.chance.between(1, 4)):
            kind = vector("float", self.chance.between(1, 4))
            self.declare(f"varying {kind} i{at};", f"i{at}")
            self.program.hints[f"i{at}"] = [-2.0, 2.0]
            self.globals.append(Variable(f"i{at}", kind, -6.0, 6.0))
        if self.chance.odds(30):
            self.globals.append(Variable("gl_FragCoord", "vec4", 0.0, 32.0))
        if self.chance.odds(15):
            self.globals.append(Variable("gl_FrontFacing", "bool", 0, 1))
        self.together = True
        body = self.block_kept(self.size, 2)
        leave = lambda: Stmt(["if ({0}) {{\n    discard;\n}}"], [self.apart(lambda: self.compared_globals())])
        if drops == "early":
            body.insert(self.chance.below(len(body) + 1), leave())
        self.together = True
        colour = self.write("gl_FragColor", "vec4", 4)
        colour.fixed = True
        body.append(colour)
        if drops == "late":
            body.append(leave())
        self.main(body)

    def more_floats(self, kind):
        if not self.together or not self.around:
            return []
        return [(self.texel, 12)] + ([(self.slope_of, 6)] if self.slopes else [])

    def slope_of(self, kind, depth):
        a = self.float(kind, depth - 1)
        name = self.chance.pick(("dFdx", "dFdy", "fwidth"))
        factor = 2 if name == "fwidth" else 1
        return self.made(kind, name + "({0})", [a], 0.0 if factor == 2 else -2 * a.most, 2 * factor * a.most, None, 2 * factor * a.error)

    def texel(self, kind, depth):
        """A texel of a plane or a cube; where pixels part, only at a place of which a slope is known to be none."""
        if len(self.samplers) < 3 and (not self.samplers or self.chance.odds(35)):
            cube = self.chance.odds(25)
            name = f"t{len(self.samplers)}"
            self.samplers.append((name, cube))
            self.program.decls.append(Decl(f"uniform {'samplerCube' if cube else 'sampler2D'} {name};", name))
        name, cube = self.chance.pick(self.samplers)
        place = self.float("vec2", depth - 1)
        # Texts have the shortest decimals for constants of sixteen bits, half a step off; where texels differ much in little space, that
        # is seen, and more behind another texel.
        for _ in range(4):
            if place.error <= 2e-4 and place.most <= 8.0:
                break
            place = self.leaf("vec2")
        else:
            place = self.constant("vec2")
        place = Expr("vec2", "({0} * 0.75 + 0.021484375)", [self.bounded(place, 1.0 if cube else 4.0)], -1.0 if cube else -4.0, 4.0, COARSE, place.error, solid=True)
        if cube:
            args, form = [place], f"textureCube({name}, vec3({{0}}, 1.0))"
        elif self.chance.odds(15):
            # A quotient may lie on the border of two texels; one by these does not.
            args, form = [place], f"texture2DProj({name}, vec3({{0}}, {number(self.chance.pick((0.5, 1.5, 2.0)))}))"
        elif self.chance.odds(12):
            args, form = [place], f"texture2D({name}, {{0}}, {number(self.chance.pick((0.25, 1.25, -1.0)))})"
        else:
            args, form = [place], f"texture2D({name}, {{0}})"
        read = self.made("vec4", form, args, 0.0, 1.0, COARSE, 9e-4)
        count = parts(kind)[1]
        swizzle = "" if count == 4 else "." + "".join(self.chance.pick("xyzw") for _ in range(count))
        return read and Expr(kind, "{0}" + swizzle, [read], 0.0, 1.0, COARSE, read.error)


KINDS = {"vert": MaliVertex, "frag": MaliFragment}
