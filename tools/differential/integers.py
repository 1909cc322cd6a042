"""Expressions of chance: integers of both kinds, their bits, and truth."""

import re

from bounds import OFFSETS
from tree import INT, UINT, Expr, literal, number, parts, vector


class Integers:
    # -- integers

    def whole(self, kind, form, args, low=None, high=None):
        """An integer within these bounds, or of all its type where it may wrap."""
        least, greatest = INT if parts(kind)[0] == "int" else UINT
        if low is None or low < least or high > greatest:
            low, high = least, greatest
        return Expr(kind, form, args, low, high)

    def fitted(self, a, low, high):
        """The same, between two numbers."""
        if a.low >= low and a.high <= high:
            return a
        size = high - low + 1
        unsigned = parts(a.kind)[0] == "uint"
        end = "u" if unsigned else ""
        bits = size.bit_length() - 1
        if size == 1 << bits or not self.varies(a):
            size = 1 << bits
            form, args = f"({{0}} & {size - 1}{end})", [a]
            high = low + size - 1
        elif unsigned:
            form, args = f"({{0}} % {size}u)", [a]
        else:
            form, args = f"(({{0}} & {self.chance.pick((65535, 65535, 1023, 2147483647))}) % {size})", [a]
        inner = Expr(a.kind, form, args, 0, size - 1)
        if low == 0:
            return inner
        return Expr(a.kind, "({0} + " + (f"{low}{end}" if low > 0 else f"({low})") + ")", [inner], low, high)

    def integer(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        ways = [
            (self.integer_arithmetic, 30), (self.bitwise, 20), (self.shift, 12), (self.divided, 10), (self.bit_function, 14),
            (self.bit_field, 10), (self.integer_bounds, 8), (self.chosen, 8), (self.built, 6), (self.from_float, 10),
            (self.other_integer, 8), (self.packed, 6), (self.leaf_at, 12),
        ]
        ways += self.more_integers(kind)
        for _ in range(4):
            out = self.chance.weighted(ways)(kind, depth)
            if out is not None:
                return out
        return self.leaf(kind)

    def more_integers(self, kind):
        return []

    def integer_arithmetic(self, kind, depth):
        a, b = self.integer(kind, depth - 1), self.integer(kind, depth - 1)
        which = self.chance.below(5)
        if which < 2:
            return self.whole(kind, "({0} + {1})", [a, b], a.low + b.low, a.high + b.high)
        if which == 2:
            return self.whole(kind, "({0} - {1})", [a, b], a.low - b.high, a.high - b.low)
        # Products with negative constants, their opposites and those of opposites are wrong in uam (faults.py).
        negative = "(-" in a.text() + b.text()
        if which == 3 and not negative:
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            return self.whole(kind, "({0} * {1})", [a, b], min(ends), max(ends))
        if which == 4 and "(-" not in a.text() and "*" not in a.form:
            return self.whole(kind, "(-{0})", [a], -a.high, -a.low)
        return self.whole(kind, "({0} + {1})", [a, b], a.low + b.low, a.high + b.high)

    def bitwise(self, kind, depth):
        a, b = self.integer(kind, depth - 1), self.integer(kind, depth - 1)
        which = self.chance.below(4)
        if which == 0 and min(a.low, b.low) >= 0:
            return self.whole(kind, "({0} & {1})", [a, b], 0, min(a.high, b.high))
        if which == 3:
            return self.whole(kind, "(~{0})", [a])
        return self.whole(kind, ("({0} & {1})", "({0} | {1})", "({0} ^ {1})")[which], [a, b])

    def shift(self, kind, depth):
        a = self.integer(kind, depth - 1)
        count = parts(kind)[1]
        left = self.chance.odds(50)
        sign = ">>" if not left else "<<"
        if self.chance.odds(60):
            # A signed number that is shifted by much and masked loses its sign in uam (faults.py).
            by = self.chance.between(0, 31 if left or parts(kind)[0] == "uint" else 16)
            low, high = (a.low << by, a.high << by) if left else (a.low >> by, a.high >> by)
            return self.whole(kind, f"({{0}} {sign} {{1}})", [a, literal("int", by)], low, high)
        by = self.fitted(self.integer(vector(self.chance.pick(("int", "uint")), count), depth - 1), 0, 31)
        if left:
            return self.whole(kind, "({0} << {1})", [a, by])
        return self.whole(kind, "({0} >> {1})", [a, by], min(a.low, 0), max(a.high, 0))

    def divided(self, kind, depth):
        scalar, count = parts(kind)
        a = self.integer(kind, depth - 1)
        if not self.varies(a):
            return None
        by = self.chance.pick((2, 3, 5, 7, 10, 16, 100, 255, 1000))
        number_ = literal(kind, by)
        if self.chance.odds(50):
            ends = (int(a.low / by), int(a.high / by)) if scalar == "int" else (a.low // by, a.high // by)
            return self.whole(kind, "({0} / {1})", [a, number_], *ends)
        # What is left of a negative number is not defined.
        a = self.fitted(a, 0, INT[1]) if scalar == "int" else a
        return self.whole(kind, "({0} % {1})", [a, number_], 0, by - 1)

    def bit_function(self, kind, depth):
        scalar, count = parts(kind)
        other = vector(self.chance.pick(("int", "uint")), count)
        a = self.integer(other, depth - 1)
        which = self.chance.below(4)
        if which == 3:
            return self.whole(kind, "bitfieldReverse({0})", [self.integer(kind, depth - 1)])
        name = ("bitCount", "findLSB", "findMSB")[which]
        low, high = ((0, 32), (-1, 31), (-1, 31))[which]
        if scalar == "int":
            return self.whole(kind, name + "({0})", [a], low, high)
        return self.whole(kind, f"{kind}({name}({{0}}) & 63)", [a], 0, 63)

    def bit_field(self, kind, depth):
        a = self.integer(kind, depth - 1)
        if self.chance.odds(60):
            at, size = self.chance.below(31), None
            size = self.chance.between(1, 32 - at)
            where, wide = literal("int", at), literal("int", size)
        else:
            where, wide = self.fitted(self.integer("int", depth - 1), 0, 15), self.fitted(self.integer("int", depth - 1), 0, 15)
            size = 15
        if self.chance.odds(50):
            low, high = (0, (1 << size) - 1) if parts(kind)[0] == "uint" else (-(1 << size), (1 << size) - 1)
            return self.whole(kind, "bitfieldExtract({0}, {1}, {2})", [a, where, wide], low, high)
        b = self.integer(kind, depth - 1)
        return self.whole(kind, "bitfieldInsert({0}, {1}, {2}, {3})", [a, b, where, wide])

    def integer_bounds(self, kind, depth):
        a, b = self.integer(kind, depth - 1), self.integer(kind, depth - 1)
        which = self.chance.below(5)
        scalar = parts(kind)[0]
        if which == 0:
            return self.whole(kind, "min({0}, {1})", [a, b], min(a.low, b.low), min(a.high, b.high))
        if which == 1:
            return self.whole(kind, "max({0}, {1})", [a, b], max(a.low, b.low), max(a.high, b.high))
        if which == 2:
            low, high = (0, 100) if scalar == "uint" else (-50, 50)
            return self.whole(kind, f"clamp({{0}}, {literal(scalar, low).text()}, {literal(scalar, high).text()})", [a], low, high)
        if scalar == "int" and which == 3:
            return self.whole(kind, "sign({0})", [a], -1, 1)
        if scalar == "int" and a.low > INT[0]:
            return self.whole(kind, "abs({0})", [a], 0, max(abs(a.low), abs(a.high)))
        return None

    def from_float(self, kind, depth):
        scalar, count = parts(kind)
        which = self.chance.below(4)
        a = self.float(vector("float", count), depth - 1)
        if which == 0 and a.exact and scalar in ("int", "uint") and a.low > 0:
            # The bits of what is the same for all, and never a zero whose sign nobody sees.
            return self.whole(kind, ("floatBitsToInt" if scalar == "int" else "floatBitsToUint") + "({0})", [a])
        if not self.varies(a):
            return None
        a = self.steady(a)
        if scalar == "uint":
            a = Expr(a.kind, "abs({0})", [a], 0.0, a.most, a.grain, a.error)
        return self.whole(kind, kind + "({0})", [a], int(a.low) - 1 if scalar == "int" else 0, int(a.high) + 1)

    def other_integer(self, kind, depth):
        scalar, count = parts(kind)
        if self.chance.odds(30):
            return self.whole(kind, kind + "({0})", [self.truth(vector("bool", count), depth - 1)], 0, 1)
        other = "uint" if scalar == "int" else "int"
        a = self.integer(vector(other, count), depth - 1)
        return self.whole(kind, kind + "({0})", [a], a.low, a.high)

    def packed(self, kind, depth):
        if kind != "uint":
            return None
        which = self.chance.below(5)
        count = 4 if which < 2 else 2
        name = ("packUnorm4x8", "packSnorm4x8", "packUnorm2x16", "packSnorm2x16", "packHalf2x16")[which]
        if which == 4:
            a = self.float("vec2", depth - 1)
            # Exact in a half, so that no rounding is seen.
            return self.whole(kind, name + "({0})", [a]) if a.grain is not None and a.most <= a.grain * 1024 else None
        # Whole steps of the format, a quarter beside: never on the border of two.
        top = (255, 127, 65535, 32767)[which]
        whole = self.fitted(self.integer(vector("int", count), depth - 1), 0, (1 << (top.bit_length() - 1)) - 1)
        a = Expr(vector("float", count), f"((vec{count}({{0}}) + 0.25) / {top}.0)", [whole], 0.0, 1.0)
        return self.whole(kind, name + "({0})", [a])

    # -- truth

    def truth(self, kind, depth):
        count = parts(kind)[1]
        if depth <= 0:
            return self.leaf(kind) if count > 1 or self.visible(lambda item: item.kind == "bool") else self.compared(1)
        which = self.chance.below(10)
        if count > 1:
            if which < 7:
                scalar = self.chance.pick(("int", "uint", "float", "float"))
                a, b = self.pair(vector(scalar, count), depth)
                name = self.chance.pick(("lessThan", "lessThanEqual", "greaterThan", "greaterThanEqual", "equal", "notEqual")[: 6 if scalar != "float" else 4])
                return Expr(kind, name + "({0}, {1})", [a, b], 0, 1)
            if which < 9:
                return self.denied(self.truth(kind, depth - 1), "not({0})")
            return self.leaf(kind)
        if which < 5:
            return self.compared(depth)
        if which < 8:
            sign = self.chance.pick(("&&", "||", "^^", "&&", "=="))
            return Expr(kind, f"({{0}} {sign} {{1}})", [self.truth("bool", depth - 1), self.truth("bool", depth - 1)], 0, 1)
        if which == 8:
            return self.denied(self.truth("bool", depth - 1), "(!{0})")
        name = self.chance.pick(("any", "all"))
        return Expr(kind, name + "({0})", [self.truth(vector("bool", self.chance.between(2, 4)), depth - 1)], 0, 1)

    def denied(self, a, form):
        """The opposite, but of what is made of several comparisons, half of which uam turns round (faults.py)."""
        return a if re.search(r"&&|\|\||\^\^|\b(all|any|equal|notEqual)\(|\?", a.text()) else Expr(a.kind, form, [a], 0, 1)

    def pair(self, kind, depth):
        """Two operands of a comparison that all evaluations decide the same."""
        a, b = self.value(kind, depth - 1), self.value(kind, depth - 1)
        if parts(kind)[0] == "float" and not (a.exact and b.exact):
            a = Expr(a.kind, "({0} + " + number(abs(self.chance.pick(OFFSETS))) + ")", [a], a.low, a.high + 0.1)
        return a, b

    def compared(self, depth):
        scalar = self.chance.pick(("int", "uint", "float", "float", "int") + (("double",) if self.doubles else ()))
        a, b = self.pair(scalar, depth)
        signs = ("<", "<=", ">", ">=", "==", "!=")
        sign = self.chance.pick(signs if scalar in ("int", "uint") else signs[:4])
        return Expr("bool", f"({{0}} {sign} {{1}})", [a, b], 0, 1)
