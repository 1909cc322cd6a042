"""The tree of a made-up program: expressions, statements, declarations, and how they are printed.

Every expression knows its type, between which numbers its components lie, how fine they are and how far two right evaluations
of it may lie apart. The generator keeps programs defined by it (no index out of range, no shift by 32), and the reducer may put
one expression in another's place where it keeps within the same bounds."""

import math
import re

# Components and scalar type by the type's name.
SCALARS = {"float": "float", "int": "int", "uint": "uint", "bool": "bool", "double": "double"}
VECTORS = {"float": "vec", "int": "ivec", "uint": "uvec", "bool": "bvec", "double": "dvec"}
# What every int and uint can be; the numbers of a range that says nothing.
INT = (-(1 << 31), (1 << 31) - 1)
UINT = (0, (1 << 32) - 1)
# A float that is not known to be a multiple of a power of two.
COARSE = None


def vector(scalar, count):
    """The name of the type with so many components of a scalar type."""
    return scalar if count == 1 else f"{VECTORS[scalar]}{count}"


def parts(kind):
    """Scalar type and number of components of a type's name; of a matrix, those of a column."""
    if kind in SCALARS:
        return kind, 1
    matrix = re.fullmatch(r"(d?)mat(\d)(?:x(\d))?", kind)
    if matrix:
        return ("double" if matrix[1] else "float"), int(matrix[3] or matrix[2])
    for scalar, name in VECTORS.items():
        if kind.startswith(name) and kind[len(name):].isdigit():
            return scalar, int(kind[len(name):])
    return kind, 1


def columns(kind):
    """How many columns a matrix type has, 1 for others."""
    matrix = re.fullmatch(r"d?mat(\d)(?:x\d)?", kind)
    return int(matrix[1]) if matrix else 1


class Expr:
    """An expression: a text with places for its operands, and what is known of its value."""

    __slots__ = ("kind", "form", "args", "low", "high", "grain", "error", "solid")

    def __init__(self, kind, form, args=(), low=0.0, high=1.0, grain=COARSE, error=0.0, solid=False):
        # A solid one keeps its operand away from where something is not defined, in a way that its bounds do not tell.
        self.solid = solid
        self.kind, self.form, self.args = kind, form, list(args)
        self.low, self.high, self.grain, self.error = low, high, grain, error

    def text(self):
        return self.form.format(*(arg.text() for arg in self.args))

    @property
    def most(self):
        """The greatest magnitude."""
        return max(abs(self.low), abs(self.high))

    @property
    def exact(self):
        """Whether every right evaluation of it gives the same bits where the inputs are multiples of 1/64."""
        return self.grain is not None and self.most <= self.grain * (1 << 23)

    def within(self, other):
        """Whether it may stand in another's place."""
        if self.kind != other.kind or self.low < other.low or self.high > other.high:
            return False
        return parts(self.kind)[0] not in ("float", "double") or (self.exact or not other.exact)

    def walk(self):
        yield self
        for arg in self.args:
            yield from arg.walk()

    def copy(self):
        made = Expr(self.kind, self.form, [], self.low, self.high, self.grain, self.error, self.solid)
        made.args = [arg.copy() for arg in self.args]
        return made


class Stmt:
    """A statement: pieces of text with places for expressions (braces are doubled, as `str.format` has it), and bodies of
    statements between the pieces. `names` are the variables that it declares. A `fixed` statement is never taken out alone."""

    __slots__ = ("pieces", "args", "bodies", "names", "fixed")

    def __init__(self, pieces, args=(), bodies=(), names=(), fixed=False):
        self.pieces = [pieces] if isinstance(pieces, str) else list(pieces)
        self.args, self.bodies, self.names, self.fixed = list(args), [list(body) for body in bodies], tuple(names), fixed
        assert len(self.pieces) == len(self.bodies) + 1

    def lines(self, indent):
        pad = "    " * indent
        texts = [arg.text() for arg in self.args]
        for at, piece in enumerate(self.pieces):
            for line in piece.format(*texts).split("\n"):
                yield pad + line
            if at < len(self.bodies):
                for inner in self.bodies[at]:
                    yield from inner.lines(indent + 1)

    def walk(self):
        """It and all statements in it."""
        yield self
        for body in self.bodies:
            for inner in body:
                yield from inner.walk()

    def expressions(self):
        for stmt in self.walk():
            for arg in stmt.args:
                yield from arg.walk()

    def copy(self):
        bodies = [[inner.copy() for inner in body] for body in self.bodies]
        return Stmt(self.pieces, [arg.copy() for arg in self.args], bodies, self.names, self.fixed)


class Decl:
    """A declaration outside of functions. It is printed where one of its names is used, or always where it has none."""

    __slots__ = ("text", "names")

    def __init__(self, text, *names):
        self.text, self.names = text, names


class Function:
    __slots__ = ("head", "name", "body")

    def __init__(self, head, name, body):
        self.head, self.name, self.body = head, name, body

    def lines(self):
        yield self.head + " {"
        for stmt in self.body:
            yield from stmt.lines(1)
        yield "}"

    def copy(self):
        return Function(self.head, self.name, [stmt.copy() for stmt in self.body])


class Program:
    """A whole program of one stage; `hints` say between which numbers its inputs lie, in glslrun's form."""

    def __init__(self, stage, name, head="#version 460"):
        self.stage, self.name, self.head = stage, name, head
        self.decls, self.functions, self.hints = [], [], {}
        # Kinds of what it uses, by which known faults are recognised.
        self.uses = set()

    def copy(self):
        made = Program(self.stage, self.name, self.head)
        made.decls, made.hints, made.uses = list(self.decls), self.hints, self.uses
        made.functions = [function.copy() for function in self.functions]
        return made

    def text(self):
        # Functions from the back, so that a function that nobody calls takes what only it calls with it.
        kept, words = [], set()
        for function in reversed(self.functions):
            if function.name == "main" or function.name in words:
                body = "\n".join(function.lines())
                kept.append(body)
                words |= set(re.findall(r"[A-Za-z_]\w*", body))
        decls = []
        for decl in reversed(self.decls):
            if not decl.names or words & set(decl.names):
                decls.append(decl.text)
                words |= set(re.findall(r"[A-Za-z_]\w*", decl.text))
        return "\n".join([self.head, *reversed(decls), "", *reversed(kept), ""])


def number(value):
    """A float as GLSL writes it."""
    text = repr(float(value))
    return text if "e" in text or "." in text else text + ".0"


def grain_of(value):
    """The largest power of two, up to 1, of which a number is a multiple."""
    if value == 0:
        return 1.0
    fraction, exponent = math.frexp(abs(value))
    mantissa = int(fraction * (1 << 53))
    return min(1.0, math.ldexp(mantissa & -mantissa, exponent - 53))


def literal(kind, value):
    """A constant of a scalar or vector type, all components the same."""
    scalar, count = parts(kind)
    if scalar == "bool":
        text = "true" if value else "false"
    elif scalar in ("float", "double"):
        text = number(value) + ("lf" if scalar == "double" else "")
    else:
        text = str(int(value)) + ("u" if scalar == "uint" else "")
    # The least int has no constant of its own.
    if scalar == "int" and value == INT[0]:
        text = "(-2147483647 - 1)"
    elif value < 0:
        text = f"({text})"
    grain = grain_of(value) if scalar in ("float", "double") else None
    return Expr(kind, text if count == 1 else f"{kind}({text})", (), value, value, grain)
