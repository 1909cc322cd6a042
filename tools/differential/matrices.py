"""Expressions of chance: matrices and doubles."""

from bounds import ROUNDING, WORST, matrix_kind
from tree import Expr, columns, number, parts, vector


class Matrices:
    # -- matrices

    def matrix_leaf(self, kind):
        same = self.visible(lambda item: item.kind == kind)
        if same and self.chance.odds(80):
            return self.read(self.chance.pick(same))
        rows, wide = parts(kind)[1], columns(kind)
        if self.chance.odds(30):
            a = self.leaf("float")
            return Expr(kind, kind + "({0})", [a], min(a.low, 0.0), max(a.high, 0.0), a.grain, a.error)
        return self.joined(kind, [self.leaf(vector("float", rows)) for _ in range(wide)])

    def bounded_matrix(self, kind, depth, most):
        m = self.matrix(kind, depth)
        if m.most <= most:
            return m
        scale = 1.0
        while m.most * scale > most:
            scale /= 2
        return Expr(kind, "({0} * " + number(scale) + ")", [m], m.low * scale, m.high * scale,
                    None if m.grain is None else m.grain * scale, m.error * scale)

    def matrix(self, kind, depth):
        rows, wide = parts(kind)[1], columns(kind)
        if depth <= 0:
            return self.matrix_leaf(kind)
        which = self.chance.below(8)
        out = None
        if which == 0:
            inner = self.chance.between(2, 4)
            a, b = self.bounded_matrix(matrix_kind(inner, rows), depth - 1, 8.0), self.bounded_matrix(matrix_kind(wide, inner), depth - 1, 8.0)
            most = a.most * b.most * inner
            grain = None if None in (a.grain, b.grain) else a.grain * b.grain
            out = self.made(kind, "({0} * {1})", [a, b], -most, most, grain, inner * (a.error * b.most + b.error * a.most) + 4 * ROUNDING * most)
        elif which == 1:
            a = self.matrix(matrix_kind(rows, wide), depth - 1)
            out = Expr(kind, "transpose({0})", [a], a.low, a.high, a.grain, a.error)
        elif which == 2:
            a, b = self.matrix(kind, depth - 1), self.matrix(kind, depth - 1)
            grain = None if None in (a.grain, b.grain) else min(a.grain, b.grain)
            out = self.made(kind, "({0} + {1})", [a, b], a.low + b.low, a.high + b.high, grain, a.error + b.error + ROUNDING * (a.most + b.most))
        elif which == 3:
            a, b = self.float(vector("float", rows), depth - 1), self.float(vector("float", wide), depth - 1)
            most = a.most * b.most
            grain = None if None in (a.grain, b.grain) else a.grain * b.grain
            out = self.made(kind, "outerProduct({0}, {1})", [a, b], -most, most, grain, a.error * b.most + b.error * a.most + ROUNDING * most)
        elif which == 4:
            a, b = self.matrix(kind, depth - 1), self.float("float", depth - 1)
            most = a.most * b.most
            grain = None if None in (a.grain, b.grain) else a.grain * b.grain
            out = self.made(kind, "({0} * {1})", [a, b], -most, most, grain, a.error * b.most + b.error * a.most + ROUNDING * most)
        elif which == 5 and rows == wide and rows < 4:
            a = self.bounded_matrix(kind, depth - 1, 1.0)
            # With 4 on the diagonal it has an inverse, whose elements are small.
            out = self.made(kind, f"inverse({{0}} + {kind}(4.0))", [a], -2.0, 2.0, None, a.error + 1e-5)
        return out if out is not None and out.error <= WORST else self.matrix_leaf(kind)

    # -- doubles

    def double(self, kind, depth):
        """Sums and products; division and roots are approximations on the machine, which sources that want them write out."""
        count = parts(kind)[1]
        if depth <= 0:
            return self.leaf(kind)
        which = self.chance.below(10)
        if which < 3:
            a, b = self.double(kind, depth - 1), self.double(kind, depth - 1)
            return Expr(kind, self.chance.pick(("({0} + {1})", "({0} - {1})")), [a, b], -a.most - b.most, a.most + b.most, None, a.error + b.error)
        if which < 5:
            a, b = self.double(kind, depth - 1), self.double(kind, depth - 1)
            if a.most * b.most < 4096:
                return Expr(kind, "({0} * {1})", [a, b], -a.most * b.most, a.most * b.most, None, a.error * b.most + b.error * a.most)
        if which == 5:
            a, b = self.double(kind, depth - 1), self.double(kind, depth - 1)
            return Expr(kind, self.chance.pick(("min({0}, {1})", "max({0}, {1})")), [a, b], min(a.low, b.low), max(a.high, b.high), None,
                        max(a.error, b.error))
        if which < 8:
            a = self.float(vector("float", count), depth - 1)
            return Expr(kind, kind + "({0})", [a], a.low, a.high, None, a.error)
        if which == 8:
            a = self.integer(vector(self.chance.pick(("int", "uint")), count), depth - 1)
            a = a if a.most <= 1 << 20 else self.fitted(a, 0, (1 << 20) - 1)
            scaled = Expr(kind, kind + "({0})", [a], a.low, a.high)
            return Expr(kind, "({0} * " + ("0.0009765625lf" if count == 1 else kind + "(0.0009765625)") + ")", [scaled], a.low / 1024, a.high / 1024)
        return self.leaf(kind)

    def narrowed(self, kind, depth):
        """A float of a double."""
        a = self.double(vector("double", parts(kind)[1]), depth - 1)
        return self.made(kind, kind + "({0})", [a], a.low, a.high, None, a.error + ROUNDING * a.most)
