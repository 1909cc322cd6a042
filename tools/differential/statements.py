"""Statements of chance: variables, arrays, structs, conditions, loops, switches, functions, early returns."""

from textures import Textures
from tree import COARSE, INT, UINT, Decl, Expr, Function, Stmt, columns, literal, parts, vector
from bounds import Variable, matrix_kind

# A variable that is written in loops stays within this, and the errors in it below that.
SWING, CARRIED = 16.0, 2e-5


class Statements(Textures):
    def __init__(self, chance, program):
        super().__init__(chance, program)
        self.count, self.functions, self.structs = 0, [], []
        self.loops, self.room = 0, 24

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def any_kind(self):
        scalar = self.chance.weighted([("float", 55), ("int", 20), ("uint", 12), ("bool", 6), ("double", 8 if self.doubles else 0)])
        if scalar == "float" and self.chance.odds(8):
            return matrix_kind(self.chance.between(2, 4), self.chance.between(2, 4))
        return vector(scalar, self.chance.weighted([(1, 40), (2, 18), (3, 18), (4, 24)]))

    def block(self, size, depth):
        """A list of statements in a scope of its own."""
        self.scopes.append([])
        out = []
        for _ in range(size):
            self.room -= 1
            if self.room < 0 and out:
                break
            made = self.statement(depth)
            out += made if isinstance(made, list) else [made]
        self.scopes.pop()
        return out

    def statement(self, depth):
        ways = [(self.constant_variable, 30), (self.assign, 26)]
        if depth > 0 and self.room > 0:
            ways += [(self.condition, 16), (self.loop, 12), (self.switch, 6), (self.changing_variable, 10), (self.array, 6),
                     (self.struct, 4), (self.call, 8), (self.out_function, 5), (self.store, 6 if self.own else 0)]
        else:
            ways += [(self.changing_variable, 6)]
        for _ in range(5):
            out = self.chance.weighted(ways)(depth)
            if out is not None:
                return out
        return self.constant_variable(depth)

    # -- variables

    def constant_variable(self, depth):
        """One that is set once, with the bounds of its value."""
        kind, name = self.any_kind(), self.fresh("v")
        value = self.value(kind, 3)
        if not self.varies(value):
            self.constants.add(name)
        self.scopes[-1].append(Variable(name, kind, value.low, value.high, value.grain, value.error))
        return Stmt([f"{kind} {name} = {{0}};"], [value], (), [name])

    def changing(self, kind, name):
        """Bounds for a variable that may be written anywhere."""
        scalar = parts(kind)[0]
        if scalar == "int":
            return Variable(name, kind, *INT, writable=True)
        if scalar == "uint":
            return Variable(name, kind, *UINT, writable=True)
        if scalar == "bool":
            return Variable(name, kind, 0, 1, writable=True)
        return Variable(name, kind, -SWING, SWING, COARSE, CARRIED, writable=True)

    def kept(self, value):
        """A value within the bounds of a variable that may be written anywhere, or nothing."""
        scalar = parts(value.kind)[0]
        if scalar == "float" and columns(value.kind) == 1:
            value = self.bounded(value, SWING)
        elif scalar in ("float", "double"):
            if value.most > SWING:
                return None
        return value if value.error <= CARRIED else None

    def kept_value(self, kind, depth):
        for _ in range(3):
            value = self.kept(self.value(kind, depth))
            if value is not None:
                return value
        value = self.kept(self.leaf(kind))
        return value if value is not None else (literal(kind, 1.0) if columns(kind) == 1 else Expr(kind, kind + "(1.0)", [], 0.0, 1.0, 1.0))

    def changing_variable(self, depth):
        kind, name = self.any_kind(), self.fresh("w")
        value = self.kept_value(kind, 2)
        if not self.varies(value):
            self.constants.add(name)
        self.scopes[-1].append(self.changing(kind, name))
        return Stmt([f"{kind} {name} = {{0}};"], [value], (), [name])

    def assign(self, depth):
        items = self.visible(lambda item: item.writable)
        if not items:
            return None
        item = self.chance.pick(items)
        kind = item.kind
        scalar, count = parts(kind)
        place, args = item.name, []
        if item.length:
            args = [self.index(item.length)]
            place += "[{1}]"
        if columns(kind) > 1 and self.chance.odds(60):
            place += f"[{self.chance.below(columns(kind))}]"
            kind = vector("float", count)
        elif columns(kind) == 1 and count > 1 and self.chance.odds(40):
            size = self.chance.between(1, count - 1)
            place += "." + "".join(self.chance.several("xyzw"[:count], size))
            kind = vector(scalar, size)
        if scalar in ("int", "uint") and self.chance.odds(40):
            sign = self.chance.pick(("+", "-", "*", "^", "|", "&"))
            return Stmt([f"{place} {sign}= {{0}};"], [self.value(kind, 2), *args])
        if scalar == "float" and columns(kind) == 1 and not item.length and place == item.name and self.chance.odds(40):
            # Half of it and something small stays in the bounds for ever.
            small = self.kept(self.bounded(self.value(kind, 2), SWING / 2))
            if small is not None and small.error <= CARRIED / 2:
                return Stmt([f"{place} = {place} * 0.5 + {{0}};"], [small, *args])
        return Stmt([f"{place} = {{0}};"], [self.kept_value(kind, 3), *args])

    def array(self, depth):
        scalar = self.chance.pick(("float", "float", "int", "uint"))
        kind, size, name = vector(scalar, self.chance.pick((1, 1, 2, 4))), self.chance.between(2, 5), self.fresh("a")
        if self.chance.odds(35):
            # A table of constants.
            items = [self.constant(kind) for _ in range(size)]
            low, high = min(item.low for item in items), max(item.high for item in items)
            grains = [item.grain for item in items]
            self.scopes[-1].append(Variable(name, kind, low, high, None if None in grains else min(grains), length=size))
            self.constants.add(name)
            self.program.uses.add("table")
        else:
            items = [self.kept_value(kind, 2) for _ in range(size)]
            made = self.changing(kind, name)
            made.length = size
            self.scopes[-1].append(made)
            if not all(self.varies(item) for item in items):
                self.constants.add(name)
            self.program.uses.add("array")
        const = "const " if not self.scopes[-1][-1].writable else ""
        texts = ", ".join(f"{{{at}}}" for at in range(size))
        return Stmt([f"{const}{kind} {name}[{size}] = {kind}[{size}]({texts});"], items, (), [name])

    def struct(self, depth):
        if not self.structs or self.chance.odds(30):
            name = self.fresh("S")
            fields = [(self.any_kind(), f"f{at}") for at in range(self.chance.between(2, 4))]
            self.structs.append((name, fields))
            inner = " ".join(f"{kind} {field};" for kind, field in fields)
            self.program.decls.append(Decl(f"struct {name} {{ {inner} }};", name))
        kind, fields = self.chance.pick(self.structs)
        if any(parts(kind)[0] == "double" for kind, _ in fields) and not self.doubles:
            return None
        name = self.fresh("s")
        values = [self.kept_value(kind, 2) for kind, _ in fields]
        if not all(self.varies(value) for value in values):
            self.constants.add(name)
        self.scopes[-1] += [self.changing(kind, f"{name}.{field}") for kind, field in fields]
        texts = ", ".join(f"{{{at}}}" for at in range(len(values)))
        return Stmt([f"{kind} {name} = {kind}({texts});"], values, (), [name])

    # -- control flow

    def condition(self, depth):
        test = self.truth("bool", 2)
        first = self.apart(lambda: self.block(self.chance.between(1, 3), depth - 1))
        way = self.chance.below(3)
        if way == 0:
            return Stmt(["if ({0}) {{", "}}"], [test], [first])
        second = self.apart(lambda: self.block(self.chance.between(1, 3), depth - 1))
        if way == 1:
            return Stmt(["if ({0}) {{", "}} else {{", "}}"], [test], [first, second])
        third = self.apart(lambda: self.block(self.chance.between(1, 2), depth - 1))
        return Stmt(["if ({0}) {{", "}} else if ({1}) {{", "}} else {{", "}}"], [test, self.truth("bool", 1)], [first, second, third])

    def loop(self, depth):
        if self.loops >= 2:
            return None
        self.loops += 1
        name = self.fresh("n")
        way = self.chance.below(5)
        turns = self.chance.between(2, 6) if way else 7
        counter = Variable(name, "int", 0, turns)
        self.constants.add(name)
        self.scopes.append([counter])
        early = self.chance.odds(35)
        before, self.leaving = self.leaving, self.leaving or early or way < 3
        body = self.apart(lambda: self.block(self.chance.between(1, 3), depth - 1))
        if early:
            word = self.chance.pick(("break", "continue"))
            body.insert(self.chance.below(len(body) + 1), Stmt([f"if ({{0}}) {{{{\n    {word};\n}}}}"], [self.apart(lambda: self.truth("bool", 1))]))
        self.scopes.pop()
        self.loops -= 1
        self.program.uses.add("loop")
        step = self.chance.pick((f"{name}++", f"++{name}", f"{name} += 1"))
        # `verify` gives inputs any value, so the bound stands in the code.
        bound = Expr("int", "({0} & 7)", [self.integer("int", 1)], 0, 7)
        test = self.apart(lambda: self.truth("bool", 1))
        self.leaving = before
        if way == 0:
            # As often as a value says.
            return Stmt([f"for (int {name} = 0; {name} < {{0}}; {step}) {{{{", "}}"], [bound], [body], [name])
        if way == 1:
            return Stmt([f"int {name} = 0;\nwhile ({name} < {turns} && {{0}}) {{{{\n    {step};", "}}"], [test], [body], [name])
        if way == 2:
            return Stmt([f"int {name} = 0;\ndo {{{{\n    {step};", f"}}}} while ({name} < {turns} && {{0}});"], [test], [body], [name])
        if way == 3:
            return Stmt([f"for (int {name} = {turns}; {name} > 0; {name}--) {{{{", "}}"], [], [body], [name])
        return Stmt([f"for (int {name} = 0; {name} < {turns}; {step}) {{{{", "}}"], [], [body], [name])

    def switch(self, depth):
        cases = self.chance.between(2, 4)
        scalar = self.chance.pick(("int", "uint"))
        choice = self.fitted(self.integer(scalar, 1), 0, 7 if cases > 2 else 3)
        pieces, bodies = ["switch ({0}) {{\ncase " + literal(scalar, 0).text() + ":"], []
        for at in range(cases):
            bodies.append(self.apart(lambda: self.block(self.chance.between(1, 2), depth - 1)))
            last = at == cases - 1
            ends = "" if self.chance.odds(20) else "    break;\n"
            label = "default:" if at + 1 == cases - 1 else "case " + literal(scalar, at + 1).text() + ":"
            pieces.append("    break;\n}}" if last else ends + label)
        self.program.uses.add("switch")
        # A fall through into the next case sees its own names only.
        bodies = [[Stmt(["{{", "}}"], [], [body])] for body in bodies]
        return Stmt(pieces, [choice], bodies)

    # -- functions

    def call(self, depth):
        if not self.functions or self.chance.odds(40) and len(self.functions) < 3:
            self.new_function()
        if not self.functions:
            return None
        name, result, params = self.chance.pick(self.functions)
        args, writes = [], []
        for kind, how in params:
            if how == "in":
                args.append(self.kept_value(kind, 2))
            else:
                items = self.visible(lambda item, kind=kind: item.writable and item.kind == kind and not item.length and item.name not in writes and "." not in item.name)
                if not items:
                    return None
                item = self.chance.pick(items)
                writes.append(item.name)
                args.append(Expr(kind, item.name, [], item.low, item.high))
        out = self.fresh("v")
        self.scopes[-1].append(self.changing(result, out))
        self.constants.add(out)
        texts = ", ".join(f"{{{at}}}" for at in range(len(args)))
        return Stmt([f"{result} {out} = {name}({texts});"], args, (), [out])

    def new_function(self):
        """A function of some parameters; it sees what is outside of functions only."""
        name = self.fresh("f")
        params = [(self.any_kind(), self.chance.pick(("in", "in", "in", "inout"))) for _ in range(self.chance.between(1, 3))]
        result = self.any_kind()
        outer, before, loops, leaving = self.scopes, self.together, self.loops, self.leaving
        names = [f"p{at}" for at in range(len(params))]
        self.scopes = [outer[0], [self.changing(kind, own) for (kind, _), own in zip(params, names)]]
        # What it is called with may be constants.
        self.constants.update(names)
        # It may be called from a loop that lanes leave.
        self.together, own, self.own, self.leaving = False, self.own, None, True
        early = self.chance.odds(30)
        body = self.block_kept(self.chance.between(1, 2), 1)
        if early:
            body.append(Stmt(["if ({0}) {{\n    return {1};\n}}"], [self.truth("bool", 1), self.kept_value(result, 1)]))
            body += self.block_kept(1, 1)
        body.append(Stmt(["return {0};"], [self.kept_value(result, 2)], fixed=True))
        self.scopes, self.together, self.own, self.loops, self.leaving = outer, before, own, loops, leaving
        head = ", ".join(f"{'inout ' if how == 'inout' else ''}{kind} {own}" for (kind, how), own in zip(params, names))
        self.program.functions.append(Function(f"{result} {name}({head})", name, body))
        self.functions.append((name, result, params))

    def block_kept(self, size, depth):
        """As a block, but what it declares stays to be seen."""
        out = []
        for _ in range(size):
            self.room -= 1
            made = self.statement(depth)
            out += made if isinstance(made, list) else [made]
        return out

    def out_function(self, depth):
        """Built-in functions that give a second result through a parameter."""
        which = self.chance.below(6)
        count = self.chance.pick((1, 1, 2, 3, 4))
        first, second = self.fresh("v"), self.fresh("v")
        scope = self.scopes[-1]
        if which < 2:
            kind = vector("uint", count)
            a, b = self.integer(kind, 2), self.integer(kind, 2)
            name = ("uaddCarry", "usubBorrow")[which]
            scope += [Variable(first, kind, *UINT), Variable(second, kind, 0, 1)]
            return Stmt([f"{kind} {second};\n{kind} {first} = {name}({{0}}, {{1}}, {second});"], [a, b], (), [first, second])
        if which < 4:
            scalar = ("uint", "int")[which - 2]
            kind = vector(scalar, count)
            a, b = self.integer(kind, 2), self.integer(kind, 2)
            scope += [Variable(first, kind, *(UINT if scalar == "uint" else INT)), Variable(second, kind, *(UINT if scalar == "uint" else INT))]
            name = "umulExtended" if scalar == "uint" else "imulExtended"
            return Stmt([f"{kind} {first}, {second};\n{name}({{0}}, {{1}}, {first}, {second});"], [a, b], (), [first, second])
        kind = vector("float", count)
        a = self.steady(self.float(kind, 2))
        if which == 4:
            scope += [Variable(first, kind, -1.0, 1.0, a.grain, a.error), Variable(second, kind, a.low - 1, a.high + 1, 1.0)]
            return Stmt([f"{kind} {second};\n{kind} {first} = modf({{0}}, {second});"], [a], (), [first, second])
        whole = vector("int", count)
        # Not near a power of two, where the parts of nearly equal numbers differ.
        a = Expr(kind, "(abs(floor({0})) + 1.375)", [a], 1.0, a.most + 3, 0.125)
        scope += [Variable(first, kind, 0.5, 1.0, 2.0 ** -16), Variable(second, whole, 0, 16)]
        return Stmt([f"{whole} {second};\n{kind} {first} = frexp({{0}}, {second});"], [a], (), [first, second])

    def store(self, depth):
        made = self.store_image(2) if self.chance.odds(50) else self.store_buffer(2)
        if made is None:
            return None
        text, args = made
        return Stmt([text], args)

    def store_buffer(self, depth):
        return None

