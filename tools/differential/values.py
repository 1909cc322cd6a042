"""Expressions of chance: variables, and arithmetic on floats and their vectors; integers, truth, doubles and matrices have files of
their own. All are defined, and within bounds that let two right evaluations be told from a wrong one."""

import re

from bounds import FUNCTION, GRAIN, LARGEST, OFFSETS, ROUNDING, WORST, matrix_kind
from integers import Integers
from matrices import Matrices
from tree import COARSE, INT, UINT, Expr, columns, grain_of, literal, number, parts, vector



class Values(Integers, Matrices):
    """Grows expressions. `scopes` are lists of variables, the innermost last."""

    def __init__(self, chance, program):
        self.chance, self.program, self.scopes = chance, program, [[]]
        # Whether all pixels of a quad come here, so that derivatives are defined.
        self.together = True
        self.doubles = False
        # Inside of a loop that lanes leave one after the other nothing is read from storage buffers and images: Mesa's llvmpipe
        # (22.3) gives lanes 0 that have left the loop, and takes that for the same read behind the loop.
        self.leaving = False
        # Variables that hold nothing but constants.
        self.constants = set()

    # -- constants: what a compiler computes itself is its own affair, and uam rounds and divides such wrongly (faults.py)

    def varies(self, a):
        """Whether every component of an expression comes from an input."""
        if not a.args:
            name = re.match(r"[A-Za-z_]\w*", a.form.lstrip("("))
            return bool(name) and name[0] not in ("true", "false") and not re.match(r"[iudb]?(vec|mat)\d", a.form) and name[0] not in self.constants
        if re.match(r"[iudb]?vec\d\(\{0\}, ", a.form):
            return all(self.varies(arg) for arg in a.args)
        if a.form.startswith("({0} ? "):
            return all(self.varies(arg) for arg in a.args[1:])
        return any(self.varies(arg) for arg in a.args)

    # -- variables

    def visible(self, test):
        return [item for scope in self.scopes for item in scope if test(item) and not (self.leaving and item.storage)]

    def favourite(self, items):
        """One of some variables, rather one that was seldom read."""
        return min((self.chance.pick(items) for _ in range(3)), key=lambda item: item.reads)

    def read(self, item):
        item.reads += 1
        if item.length:
            index = self.index(item.length)
            return Expr(item.kind, item.name + "[{0}]", [index], item.low, item.high, item.grain, item.error)
        return Expr(item.kind, item.name, [], item.low, item.high, item.grain, item.error)

    def index(self, length):
        """An index that is there: a constant, or a variable with something added."""
        near = self.visible(lambda item: item.kind in ("int", "uint") and not item.length)
        if not near or self.chance.odds(35):
            return literal("int", self.chance.below(length))
        item = self.chance.pick(near)
        made = Expr(item.kind, item.name, [], item.low, item.high)
        if self.chance.odds(40):
            by = self.chance.between(1, 3)
            made = self.whole(item.kind, f"({{0}} + {by}{'u' if item.kind == 'uint' else ''})", [made], item.low + by, item.high + by)
        return self.fitted(made, 0, length - 1)

    def leaf(self, kind):
        """A variable, some components of one, or a constant."""
        scalar, count = parts(kind)
        if columns(kind) > 1:
            return self.matrix_leaf(kind)
        near = self.visible(lambda item: parts(item.kind)[0] == scalar and parts(item.kind)[1] >= count and columns(item.kind) == 1)
        if near and self.chance.odds(88):
            item = self.read(self.favourite(near))
            wide = parts(item.kind)[1]
            if item.kind == kind and (count == 1 or self.chance.odds(70)):
                return item
            swizzle = "".join(self.chance.pick("xyzw"[:wide]) for _ in range(count))
            if wide == 1:
                return item if count == 1 else self.spread(kind, item)
            return Expr(kind, "{0}." + swizzle, [item], item.low, item.high, item.grain, item.error)
        if not near and self.chance.odds(70):
            other = self.of_another_type(scalar)
            if other is not None:
                return self.spread(kind, other)
        return self.constant(kind)

    def of_another_type(self, scalar):
        """A scalar made of a variable of another type."""
        near = self.visible(lambda item: parts(item.kind)[0] in ("float", "int", "uint") and columns(item.kind) == 1)
        if not near or scalar not in ("float", "int", "uint", "double"):
            return None
        item = self.read(self.favourite(near))
        own, wide = parts(item.kind)
        if wide > 1:
            item = Expr(own, "{0}." + self.chance.pick("xyzw"[:wide]), [item], item.low, item.high, item.grain, item.error)
        if scalar in ("float", "double"):
            item = item if own == "float" else self.fitted(item, 0, 255)
            return Expr(scalar, scalar + "({0})", [item], item.low, item.high, item.grain if own == "float" else 1.0, item.error)
        if own == "float":
            if not self.varies(item):
                return None
            item = self.steady(item)
            item = Expr("float", "abs({0})", [item], 0.0, item.most, item.grain, item.error) if scalar == "uint" else item
            return self.whole(scalar, scalar + "({0})", [item], int(item.low) - 1 if scalar == "int" else 0, int(item.high) + 1)
        return self.whole(scalar, scalar + "({0})", [item], item.low, item.high)

    def spread(self, kind, item):
        return item if parts(kind)[1] == 1 else Expr(kind, kind + "({0})", [item], item.low, item.high, item.grain, item.error)

    def constant(self, kind):
        scalar, count = parts(kind)
        if count > 1:
            items = [self.constant(scalar) for _ in range(count)]
            return self.joined(kind, items)
        chance = self.chance
        if scalar == "float":
            return literal(kind, chance.pick((0.0, 1.0, 0.5, 2.0, -1.0, 0.25, 3.0, -0.75, 1.5, 0.125, 0.3, -1.7, 5.0, 0.7)))
        if scalar == "double":
            return literal(kind, chance.pick((0.0, 1.0, 0.5, -2.0, 1.25, 3.0)))
        if scalar == "bool":
            return literal(kind, chance.below(2))
        if scalar == "int":
            return literal(kind, chance.pick((0, 1, 2, -1, 3, 7, -5, 16, 31, 255, -128, 65535, 1 << 20, 0x12345678, INT[0], INT[1])))
        return literal(kind, chance.pick((0, 1, 2, 3, 5, 8, 15, 31, 255, 1000, 65535, 1 << 24, 0x9E3779B9, UINT[1])))

    def joined(self, kind, items):
        """A vector or matrix of parts."""
        grains = [item.grain for item in items]
        grain = None if None in grains else min(grains, default=None)
        form = kind + "(" + ", ".join(f"{{{at}}}" for at in range(len(items))) + ")"
        return Expr(kind, form, items, min(item.low for item in items), max(item.high for item in items), grain,
                    max(item.error for item in items))

    # -- any type

    def value(self, kind, depth):
        if columns(kind) > 1:
            return self.matrix(kind, depth)
        scalar = parts(kind)[0]
        if scalar in ("int", "uint"):
            return self.integer(kind, depth)
        return {"float": self.float, "bool": self.truth, "double": self.double}[scalar](kind, depth)

    def apart(self, make):
        """What is made where not all pixels of a quad come."""
        before, self.together = self.together, False
        out = make()
        self.together = before
        return out

    def chosen(self, kind, depth):
        """One of two by a condition, which may be made a branch."""
        yes, no = self.apart(lambda: (self.value(kind, depth - 1), self.value(kind, depth - 1)))
        grain = None if None in (yes.grain, no.grain) else min(yes.grain, no.grain)
        return Expr(kind, "({0} ? {1} : {2})", [self.truth("bool", depth - 1), yes, no], min(yes.low, no.low), max(yes.high, no.high),
                    grain, max(yes.error, no.error))

    def built(self, kind, depth):
        """A vector of parts, or a part of a vector."""
        scalar, count = parts(kind)
        if count == 1:
            wide = self.value(vector(scalar, self.chance.between(2, 4)), depth - 1)
            at = self.chance.pick("xyzw"[:parts(wide.kind)[1]])
            return Expr(kind, "{0}." + at, [wide], wide.low, wide.high, wide.grain, wide.error)
        items, left = [], count
        while left:
            size = self.chance.between(1, min(left, 3)) if left < count or count > 2 else 1
            items.append(self.value(vector(scalar, size), depth - 1))
            left -= size
        return self.joined(kind, items)

    # -- floats

    def made(self, kind, form, args, low, high, grain=COARSE, error=0.0):
        """A float of these bounds, kept small; nothing where its error would grow too large."""
        low, high = float(low), float(high)
        most = max(abs(low), abs(high))
        if grain is not None and (grain < 2.0 ** -40 or most > grain * (1 << 23)):
            grain = None
        out = Expr(kind, form, args, low, high, grain, error)
        if error > WORST:
            return None
        if most > LARGEST:
            return Expr(kind, "({0} * 0.0009765625)", [out], low / 1024, high / 1024, None if grain is None else grain / 1024,
                        error / 1024 + ROUNDING * most / 1024) if most < LARGEST * 1024 else None
        return out

    def float(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        ways = [
            (self.sum, 24), (self.product, 18), (self.bounds, 8), (self.simple_function, 12), (self.stepwise, 8),
            (self.transcendental, 14), (self.division, 6), (self.from_integer, 6), (self.chosen, 8), (self.built, 10),
            (self.geometric, 12), (self.from_matrix, 5), (self.from_bits, 4), (self.mixed, 6), (self.leaf_at, 10),
        ]
        ways += self.more_floats(kind)
        for _ in range(4):
            out = self.chance.weighted(ways)(kind, depth)
            if out is not None:
                return out
        return self.leaf(kind)

    def more_floats(self, kind):
        """What a stage adds: textures, derivatives."""
        return []

    def leaf_at(self, kind, depth):
        return self.leaf(kind)

    def operand(self, kind, depth):
        """An operand as wide, or one for all components."""
        count = parts(kind)[1]
        return self.float("float" if count > 1 and self.chance.odds(25) else kind, depth - 1)

    def sum(self, kind, depth):
        a, b = self.float(kind, depth - 1), self.operand(kind, depth)
        minus = self.chance.odds(40)
        low, high = (a.low - b.high, a.high - b.low) if minus else (a.low + b.low, a.high + b.high)
        grain = None if None in (a.grain, b.grain) else min(a.grain, b.grain)
        error = a.error + b.error + ROUNDING * max(abs(low), abs(high))
        return self.made(kind, "({0} - {1})" if minus else "({0} + {1})", [a, b], low, high, grain, error)

    def product(self, kind, depth):
        a, b = self.float(kind, depth - 1), self.operand(kind, depth)
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        grain = None if None in (a.grain, b.grain) else a.grain * b.grain
        error = a.error * b.most + b.error * a.most + ROUNDING * max(map(abs, ends))
        if self.chance.odds(20):
            c = self.float(kind, depth - 1)
            grain = None if None in (grain, c.grain) else min(grain, c.grain)
            b = b if b.kind == kind else self.spread(kind, b)
            return self.made(kind, "fma({0}, {1}, {2})" if self.chance.odds(50) else "({0} * {1} + {2})", [a, b, c], min(ends) + c.low,
                             max(ends) + c.high, grain, error + c.error + ROUNDING * c.most)
        return self.made(kind, "({0} * {1})", [a, b], min(ends), max(ends), grain, error)

    def unit(self, a):
        """The same within 0 .. 1. Of what may just have been an integer a part is taken: uam loses the bound of such (faults.py)."""
        if a.grain is not None and a.grain > GRAIN or any(parts(arg.kind)[0] == "double" for arg in a.args):
            a = Expr(a.kind, "({0} * 0.375)", [a], a.low * 0.375, a.high * 0.375, a.grain and a.grain / 8, a.error + ROUNDING * a.most)
        return Expr(a.kind, "clamp({0}, 0.0, 1.0)", [a], max(0.0, min(a.low, 1.0)), max(0.0, min(a.high, 1.0)),
                    None if a.grain is None else min(a.grain, 1.0), a.error)

    def bounds(self, kind, depth):
        a, b = self.float(kind, depth - 1), self.operand(kind, depth)
        grain = None if None in (a.grain, b.grain) else min(a.grain, b.grain)
        error = max(a.error, b.error)
        which = self.chance.below(3)
        if which == 2:
            return self.unit(a)
        name, end = ("min", min) if which else ("max", max)
        return self.made(kind, name + "({0}, {1})", [a, b], end(a.low, b.low), end(a.high, b.high), grain, error)

    def simple_function(self, kind, depth):
        a = self.float(kind, depth - 1)
        which = self.chance.below(4)
        if which == 0:
            return self.made(kind, "abs({0})", [a], 0.0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high)), a.most, a.grain, a.error)
        if which == 1:
            return self.made(kind, "(-{0})", [a], -a.high, -a.low, a.grain, a.error)
        if which == 2:
            ends = [end * rate for end in (a.low, a.high) for rate in (3.1415927 / 180,)]
            return self.made(kind, "radians({0})", [a], min(ends), max(ends), None, a.error + ROUNDING * a.most)
        power = self.chance.between(-3, 2)
        whole = literal("int" if parts(kind)[1] == 1 else vector("int", parts(kind)[1]), power)
        return self.made(kind, "ldexp({0}, {1})", [a, whole], a.low * 2.0 ** power, a.high * 2.0 ** power,
                         None if a.grain is None else a.grain * 2.0 ** power, a.error * 2.0 ** power)

    def steady(self, a):
        """The same, or a little beside it where evaluations could lie on both sides of a border."""
        if a.exact:
            return a
        offset = self.chance.pick(OFFSETS)
        return Expr(a.kind, "({0} + " + (number(offset) if offset > 0 else f"({number(offset)})") + ")", [a], a.low + offset,
                    a.high + offset, None, a.error + ROUNDING * (a.most + 1))

    def stepwise(self, kind, depth):
        a = self.steady(self.float(kind, depth - 1))
        which = self.chance.below(8)
        if which < 4 and not self.varies(a):
            which += 4
        if which < 4:
            name = ("floor", "ceil", "trunc", "roundEven")[which]
            return self.made(kind, name + "({0})", [a], a.low - 1, a.high + 1, 1.0, 0.0)
        if which == 4:
            return self.made(kind, "fract({0})", [a], 0.0, 1.0, a.grain, a.error + ROUNDING)
        if which == 5:
            return self.made(kind, "sign({0})", [a], -1.0, 1.0, 1.0)
        if which == 6:
            return self.made(kind, "step({0}, {1})", [literal(kind, 0.25), a], 0.0, 1.0, 1.0)
        size = self.chance.pick((1.0, 2.0, 4.0, 0.5))
        return self.made(kind, "mod({0}, " + number(size) + ")", [a], 0.0, size, a.grain, a.error + ROUNDING * a.most)

    def transcendental(self, kind, depth):
        a = self.float(kind, depth - 1)
        which = self.chance.pick(("sin", "cos", "exp2", "exp", "log2", "log", "pow", "sqrt", "inversesqrt", "tan", "atan", "asin",
                                  "acos", "atan2", "tanh", "sinh", "cosh", "smoothstep"))
        if which in ("sin", "cos"):
            a = self.bounded(a, 30.0)
            return self.made(kind, which + "({0})", [a], -1.0, 1.0, None, a.error + FUNCTION + ROUNDING * 30)
        if which in ("exp2", "exp"):
            a = self.bounded(a, 3.0)
            return self.made(kind, which + "({0})", [a], 0.0, 21.0, None, 21 * (a.error + FUNCTION))
        if which in ("log2", "log", "inversesqrt", "sqrt"):
            a = self.positive(a)
            high = {"log2": 12.5, "log": 9.0, "inversesqrt": 2.0, "sqrt": 65.0}[which]
            return self.made(kind, which + "({0})", [a], -2.0, high, None, a.error * 4 + FUNCTION * 4)
        if which == "pow":
            base = self.positive(self.bounded(a, 4.0))
            power = literal(kind, self.chance.pick((2.0, 0.5, 1.5, 3.0, 2.2, -1.0)))
            return self.made(kind, "pow({0}, {1})", [base, power], 0.0, 76.0, None, 60 * (base.error + FUNCTION / 2))
        if which == "tan":
            a = self.bounded(a, 1.0)
            return self.made(kind, "tan({0})", [a], -1.6, 1.6, None, 4 * (a.error + FUNCTION))
        if which == "atan":
            return self.made(kind, "atan({0})", [a], -1.6, 1.6, None, a.error + FUNCTION)
        if which in ("asin", "acos"):
            a = self.bounded(a, 0.875)
            return self.made(kind, which + "({0})", [a], -1.6, 3.2, None, 3 * a.error + 4e-5)
        if which == "atan2":
            # The angle jumps at negative x, so x is kept positive.
            x = self.positive(self.float(kind, depth - 1))
            return self.made(kind, "atan({0}, {1})", [a, x], -1.6, 1.6, None, 4 * (a.error + x.error) + FUNCTION * 4)
        if which in ("tanh", "sinh", "cosh"):
            a = self.bounded(a, 2.0)
            return self.made(kind, which + "({0})", [a], -4.0, 4.0, None, 4 * a.error + FUNCTION * 6)
        return self.made(kind, "smoothstep(-1.0, 1.5, {0})", [a], 0.0, 1.0, None, a.error + ROUNDING * 8)

    def bounded(self, a, most):
        """The same within `-most .. most`."""
        if a.most <= most:
            return a
        text = number(most)
        return Expr(a.kind, f"clamp({{0}}, -{text}, {text})", [a], -most, most,
                    None if a.grain is None else min(a.grain, grain_of(most)), a.error)

    def positive(self, a):
        """Of its magnitude, at least a quarter."""
        return Expr(a.kind, "(abs({0}) + 0.25)", [a], 0.25, a.most + 0.25, None if a.grain is None else min(a.grain, 0.25),
                    a.error + ROUNDING * a.most)

    def division(self, kind, depth):
        a = self.float(kind, depth - 1)
        if self.chance.odds(35):
            by = self.chance.pick((2.0, 3.0, 4.0, 7.0, 0.5, 10.0))
            exact = a.grain is not None and by in (2.0, 4.0, 0.5)
            return self.made(kind, "({0} / " + number(by) + ")", [a], a.low / by, a.high / by, a.grain / by if exact else None,
                             a.error / by + 2 * ROUNDING * a.most / by)
        b = self.positive(self.operand(kind, depth))
        most = a.most / 0.25
        return self.made(kind, "({0} / {1})", [a, b], -most, most, None, a.error * 4 + b.error * a.most * 16 + 4 * ROUNDING * most)

    def from_integer(self, kind, depth):
        count = parts(kind)[1]
        scalar = self.chance.pick(("int", "uint", "bool", "int"))
        a = self.value(vector(scalar, count), depth - 1)
        if scalar == "bool":
            return self.made(kind, kind + "({0})", [a], 0.0, 1.0, 1.0)
        a = self.fitted(a, 0, (1 << self.chance.pick((4, 8, 12))) - 1) if self.chance.odds(70) or a.low < -4096 or a.high > 4096 else a
        return self.made(kind, kind + "({0})", [a], a.low, a.high, 1.0)

    def mixed(self, kind, depth):
        a, b = self.float(kind, depth - 1), self.float(kind, depth - 1)
        low, high = min(a.low, b.low), max(a.high, b.high)
        count = parts(kind)[1]
        if self.chance.odds(30):
            grain = None if None in (a.grain, b.grain) else min(a.grain, b.grain)
            return self.made(kind, "mix({0}, {1}, {2})", [a, b, self.truth(vector("bool", count), depth - 1)], low, high, grain,
                             max(a.error, b.error))
        t = self.float(self.chance.pick(("float", kind)), depth - 1)
        share = self.unit(t)
        error = a.error + b.error + share.error * (high - low) + 3 * ROUNDING * max(abs(low), abs(high))
        return self.made(kind, "mix({0}, {1}, {2})", [a, b, share], low - 0.001, high + 0.001, None, error)

    def geometric(self, kind, depth):
        count = parts(kind)[1]
        if count == 1:
            wide = vector("float", self.chance.between(2, 4))
            a, b = self.float(wide, depth - 1), self.float(wide, depth - 1)
            size = parts(wide)[1]
            which = self.chance.below(3)
            most = a.most * b.most * size
            if which == 0:
                grain = None if None in (a.grain, b.grain) else a.grain * b.grain
                return self.made(kind, "dot({0}, {1})", [a, b], -most, most, grain,
                                 size * (a.error * b.most + b.error * a.most) + 4 * ROUNDING * most)
            if which == 1:
                a = self.away(a)
                return self.made(kind, "length({0})", [a], 0.0, 2 * a.most, None, 4 * a.error + 4 * ROUNDING * a.most)
            a = self.away(a)
            b = self.bounded(b, 0.25)
            return self.made(kind, "distance({0}, {1})", [a, b], 0.0, 3 * (a.most + 1), None, 8 * (a.error + b.error) + 8 * ROUNDING * (a.most + 1))
        a = self.float(kind, depth - 1)
        which = self.chance.below(5)
        if which == 0:
            a = self.away(a)
            return self.made(kind, "normalize({0})", [a], -1.0, 1.0, None, 4 * a.error + FUNCTION)
        if which == 1 and count == 3:
            b = self.float(kind, depth - 1)
            most = 2 * a.most * b.most
            # Where its products are the same, what is left is nothing, or what rounding one of them left.
            return self.made(kind, "cross({0}, {1})", [a, b], -most, most, COARSE,
                             2 * (a.error * b.most + b.error * a.most) + 2 * ROUNDING * most)
        unit = Expr(kind, "normalize({0})", [self.away(self.float(kind, depth - 1))], -1.0, 1.0, None, 4e-5)
        if which == 2:
            a = self.bounded(a, 8.0)
            return self.made(kind, "reflect({0}, {1})", [a, unit], -40.0, 40.0, None, 3 * a.error + 5e-5)
        if which == 3:
            one = Expr(kind, "normalize({0})", [self.away(a)], -1.0, 1.0, None, 4 * a.error + FUNCTION)
            # With a ratio below 1 there is always a refracted ray.
            return self.made(kind, "refract({0}, {1}, 0.625)", [one, unit], -2.0, 2.0, None, 4 * a.error + 6e-5)
        # The sign of the product decides: exact, so that all agree.
        direction = self.bounded(a, 2.0)
        if not (direction.exact and a.exact):
            return None
        return self.made(kind, "faceforward({0}, {1}, {2})", [a, direction, self.constant(kind)], -a.most, a.most, a.grain, a.error)

    def away(self, a):
        """A vector that is not short: its first component is at least one half."""
        a = self.bounded(a, 16.0)
        count = parts(a.kind)[1]
        rest = ", ".join(["0.5", *["0.0"] * (count - 1)])
        first = ", ".join(["1.0", *["0.0"] * (count - 1)])
        return Expr(a.kind, f"(mix({{0}}, abs({{0}}), {a.kind}({first})) + {a.kind}({rest}))", [a], -a.most, a.most + 0.5, None,
                    a.error + 2 * ROUNDING * a.most, solid=True)

    def from_matrix(self, kind, depth):
        count = parts(kind)[1]
        if count == 1:
            size = self.chance.between(2, 4)
            m = self.bounded_matrix(f"mat{size}", depth - 1, 4.0)
            # Of elements within 4 a determinant of four rows is at most a few thousand.
            if size == 4:
                return None
            return self.made(kind, "determinant({0})", [m], -800.0, 800.0, None, 100 * m.error + 1e-4 * 0.6)
        wide = self.chance.between(2, 4)
        m = self.matrix(matrix_kind(wide, count), depth - 1)
        if self.chance.odds(40):
            v = self.float(vector("float", wide), depth - 1)
            most = m.most * v.most * wide
            grain = None if None in (m.grain, v.grain) else m.grain * v.grain
            return self.made(kind, "({0} * {1})", [m, v], -most, most, grain,
                             wide * (m.error * v.most + v.error * m.most) + 4 * ROUNDING * most)
        if self.chance.odds(40):
            m = self.matrix(matrix_kind(count, wide), depth - 1)
            v = self.float(vector("float", wide), depth - 1)
            most = m.most * v.most * wide
            grain = None if None in (m.grain, v.grain) else m.grain * v.grain
            return self.made(kind, "({0} * {1})", [v, m], -most, most, grain,
                             wide * (m.error * v.most + v.error * m.most) + 4 * ROUNDING * most)
        index = self.index(wide) if self.chance.odds(20) else literal("int", self.chance.below(wide))
        return self.made(kind, "{0}[{1}]", [m, index], m.low, m.high, m.grain, m.error)

    def from_bits(self, kind, depth):
        count = parts(kind)[1]
        which = self.chance.below(5)
        word = self.integer("uint", depth - 1)
        if count == 2 and which < 2:
            name, low, high = (("unpackUnorm2x16", 0.0, 1.0), ("unpackSnorm2x16", -1.0, 1.0))[which]
            return self.made(kind, name + "({0})", [word], low, high, None, ROUNDING * 2)
        if count == 4 and which < 2:
            name, low, high = (("unpackUnorm4x8", 0.0, 1.0), ("unpackSnorm4x8", -1.0, 1.0))[which]
            return self.made(kind, name + "({0})", [word], low, high, None, ROUNDING * 2)
        if count == 2:
            # Halves of ordinary size: of 1/8 to 2.
            return self.made(kind, "unpackHalf2x16(({0} & 0x8FFF8FFFu) | 0x30003000u)", [word], -2.0, 2.0, 2.0 ** -13)
        a = self.float(kind, depth - 1)
        whole = vector("uint", count)
        flip = self.chance.pick(("0x80000000u", "0u"))
        # A sign that is turned by its bit; of a zero it is not seen.
        return self.made(kind, f"uintBitsToFloat(floatBitsToUint({{0}}) ^ {whole}({flip}))", [a], -a.most, a.most, a.grain, a.error)
