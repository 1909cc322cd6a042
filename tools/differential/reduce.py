"""Makes a failing program smaller as long as it fails in the same way: statements are taken out, what a condition or loop holds is
put in its place, expressions give way to one of their operands or to a constant within the same bounds."""

import re
import time

from tree import Expr, columns, literal, parts


def way(failure):
    """How a program fails: the check, and what kind of message; numbers and places may change."""
    check, message = failure["check"], failure["message"]
    if check.startswith("drawn"):
        if message.startswith(("the text does not run", "the text's interface")):
            return check, message[:80]
        return check, "differs"
    if check.startswith("verify"):
        return check, ":".join(message.split(":")[:2])
    if check == "run":
        return check, message.split(":")[0] if "expected" not in message else "differs"
    if check == "casts":
        return check, message
    return check, re.sub(r"N|H|'[^']*'", "", message)[:60]


def bodies_of(program):
    """All lists of statements: of functions and inside statements, the outer ones first."""
    out, queue = [], [function.body for function in program.functions]
    while queue:
        body = queue.pop(0)
        out.append(body)
        queue += [inner for stmt in body for inner in stmt.bodies]
    return out


def holders(program):
    """All places that hold an expression: (list, index)."""
    for body in bodies_of(program):
        for stmt in body:
            stack = [(stmt.args, at) for at in range(len(stmt.args))]
            while stack:
                place = stack.pop(0)
                yield place
                expr = place[0][place[1]]
                stack += [(expr.args, at) for at in range(len(expr.args))]


class Reducer:
    """`fails(program)` says whether a program still fails in the same way."""

    def __init__(self, program, fails, seconds=90.0):
        self.program, self.fails, self.end = program.copy(), fails, time.monotonic() + seconds
        self.tried = 0

    def left(self):
        return time.monotonic() < self.end

    def attempt(self, change):
        """Takes a change of a copy where the copy still fails. `change` gives whether it did anything."""
        made = self.program.copy()
        if not change(made):
            return False
        if made.text() == self.program.text():
            return False
        self.tried += 1
        if self.fails(made):
            self.program = made
            return True
        return False

    def reduce(self):
        again = True
        while again and self.left():
            again = self.statements()
            again = self.unwrap() or again
            again = self.expressions() or again
        return self.program

    # -- statements

    def statements(self):
        """Runs of statements are taken out, long ones first."""
        changed, at = False, 0
        while self.left():
            bodies = bodies_of(self.program)
            if at >= len(bodies):
                break
            size = max(1, len(bodies[at]) // 2)
            while size and self.left():
                start = 0
                while self.left():
                    body = bodies_of(self.program)[at] if at < len(bodies_of(self.program)) else []
                    if start >= len(body):
                        break

                    def out(made, start=start, size=size):
                        found = bodies_of(made)[at]
                        kept = [stmt for number, stmt in enumerate(found) if not start <= number < start + size or self.stays(made, stmt)]
                        if len(kept) == len(found):
                            return False
                        found[:] = kept
                        return True

                    if self.attempt(out):
                        changed = True
                    else:
                        start += size
                size //= 2
            at += 1
        return changed

    @staticmethod
    def stays(program, stmt):
        """Whether a statement must stay for the program to be defined."""
        return stmt.fixed

    def unwrap(self):
        """What is inside of a condition or loop instead of it; loops keep their counter as a constant."""
        changed, at, number = False, 0, 0
        while self.left():
            bodies = bodies_of(self.program)
            if at >= len(bodies):
                break
            if number >= len(bodies[at]):
                at, number = at + 1, 0
                continue
            stmt = bodies[at][number]
            done = False
            if stmt.bodies and not stmt.fixed:
                for arm in range(len(stmt.bodies)):

                    def inside(made, arm=arm):
                        found = bodies_of(made)[at]
                        inner = found[number].bodies[arm]
                        if any("break;" in piece or "continue;" in piece for inner_stmt in inner for piece in inner_stmt.pieces):
                            return False
                        found[number:number + 1] = inner
                        return True

                    if self.attempt(inside):
                        changed = done = True
                        break
            if not done:
                number += 1
        return changed

    # -- expressions

    def expressions(self):
        changed, at = False, 0
        while self.left():
            places = list(holders(self.program))
            if at >= len(places):
                break
            items, index = places[at]
            if not self.smaller(items[index], at):
                at += 1
            else:
                changed = True
        return changed

    def smaller(self, expr, at):
        """Puts something smaller in the place of one expression."""
        if not expr.args and re.fullmatch(r"[-\w.()]+", expr.form) and not re.search(r"[a-z]\w*", expr.form.replace("e", "")):
            return False
        for other in self.others(expr):
            if len(other.text()) >= len(expr.text()):
                continue

            def put(made, other=other):
                for number, (items, index) in enumerate(holders(made)):
                    if number == at:
                        items[index] = other.copy()
                        return True
                return False

            if self.attempt(put):
                return True
        return False

    @staticmethod
    def others(expr):
        """What may stand in its place: operands from the whole depth, then constants."""
        if expr.solid:
            return
        deep = [inner for inner in expr.walk() if inner is not expr and inner.within(expr)]
        deep.sort(key=lambda inner: len(inner.text()))
        yield from deep[:4]
        if columns(expr.kind) > 1:
            if expr.low <= 0 and expr.high >= 1:
                yield Expr(expr.kind, expr.kind + "(1.0)", [], 0.0, 1.0, 1.0)
            return
        scalar = parts(expr.kind)[0]
        for value in (1, 0, 0.5, 2) if scalar in ("float", "double") else (1, 0, 2):
            if scalar in SCALARS and expr.low <= value <= expr.high:
                yield literal(expr.kind, value)
                break


SCALARS = ("float", "int", "uint", "bool", "double")
