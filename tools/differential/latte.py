"""Programs of chance for the Wii U's machine: what GLSL 3.30 has, with the extensions of Mesa's r600 driver (bindings and places in the
text, bits of integers). The same text is valid GLSL 4.60, by which it is validated and drawn."""

import re

from stages import Fragment, Vertex
from textures import SHADOWS
from tree import vector

# Kinds of textures that the chip has. Buffers and those of several samples need a driver's help that no code shows.
TARGETS = ("1D", "2D", "3D", "Cube", "1DArray", "2DArray")


class Latte:
    """What a stage may not use here is left out, or written in another way."""

    based = False

    def __init__(self, chance, program, size):
        super().__init__(chance, program, size)
        self.doubles = False
        program.uses.discard("double")

    def storage_buffers(self, writes):
        """There are none."""

    def image(self, kind, write=False):
        return None

    def sampler(self, test=lambda target, kind, shadow: True):
        return super().sampler(lambda target, kind, shadow: target in TARGETS and (not shadow or target in SHADOWS) and test(target, kind, shadow))

    def gather(self, sampler, depth):
        return None

    def gather_shadow(self, sampler, place, compare):
        return None

    def texture_query(self, kind, depth):
        known, self.samplers = self.samplers, [item for item in self.samplers if not item.shadow]
        out = super().texture_query(kind, depth)
        self.samplers = known
        return out

    def bit_function(self, kind, depth):
        """Not the places of bits, which the driver finds by the exponents of floats."""
        out = super().bit_function(kind, depth)
        return None if re.search("findLSB|findMSB", out.form) else out

    def simple_function(self, kind, depth):
        out = super().simple_function(kind, depth)
        # What is large comes scaled down.
        return None if out is None or "ldexp" in out.form + "".join(arg.form for arg in out.args) else out

    def out_function(self, depth):
        known = len(self.scopes[-1])
        out = super().out_function(depth)
        if "frexp" not in out.pieces[0]:
            return out
        del self.scopes[-1][known:]
        return None

    def from_bits(self, kind, depth):
        """Not halves, which the driver takes apart bit by bit."""
        out = super().from_bits(kind, depth)
        return None if out is None or "Half2x16" in out.form else out

    def packed(self, kind, depth):
        out = super().packed(kind, depth)
        return None if out is None or "Half2x16" in out.form else out

    def array(self, depth):
        """No tables of constants: the driver puts them among its own uniforms, whose values nobody tells."""
        known = len(self.scopes[-1])
        out = super().array(depth)
        if not out.pieces[0].startswith("const "):
            return out
        del self.scopes[-1][known:]
        return None

    def interpolated(self, kind, depth):
        return None

    def made(self, kind, form, args, low, high, grain=None, error=0.0):
        """Without what came with GLSL 4.00 alone."""
        form = re.sub(r"^fma\(\{0\}, \{1\}, \{2\}\)$", "({0} * {1} + {2})", form)
        return super().made(kind, form.replace("Fine(", "("), args, low, high, grain, error)


class LatteVertex(Latte, Vertex):
    pass


class LatteFragment(Latte, Fragment):
    # The driver numbers the targets that there are, whatever the gaps.
    sparse = False

    def output_kind(self):
        """The code does not say whether a colour's bits are an integer: only the target does."""
        return vector("float", self.chance.between(1, 4))


KINDS = {"vert": LatteVertex, "frag": LatteFragment}
