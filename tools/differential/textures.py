"""Reads of textures and images of every kind, at places that all evaluations agree on: never on the border of two texels, levels
or faces."""

from tree import COARSE, Decl, Expr, literal, number, parts, vector
from bounds import FUNCTION, OFFSETS, ROUNDING
from values import Values

# Sizes as the runner makes textures by their kind, and how many coordinates they take, the layer included.
SIZES = {
    "1D": (16,), "2D": (16, 16), "3D": (8, 8, 8), "Cube": (8, 8, 6), "1DArray": (16, 4), "2DArray": (8, 8, 4), "CubeArray": (4, 4, 24),
    "Buffer": (64,), "2DMS": (8, 8), "2DMSArray": (4, 4, 4),
}
COORDINATES = {"1D": 1, "2D": 2, "3D": 3, "Cube": 3, "1DArray": 2, "2DArray": 3, "CubeArray": 4, "Buffer": 1, "2DMS": 2, "2DMSArray": 3}
LEVELS = {"1D": 5, "2D": 5, "3D": 4, "Cube": 4, "1DArray": 5, "2DArray": 4, "CubeArray": 3, "Buffer": 1, "2DMS": 1, "2DMSArray": 1}
SHADOWS = ("1D", "2D", "Cube", "1DArray", "2DArray", "CubeArray")
IMAGES = {"1D": (16,), "2D": (8, 8), "3D": (8, 8, 8), "1DArray": (8, 4), "2DArray": (8, 8, 8), "Buffer": (16,), "Cube": (8, 8, 6), "CubeArray": (4, 4, 12)}
FORMATS = {"f": ("rgba32f", "r32f", "rgba16f", "rgba8"), "i": ("r32i", "rgba32i"), "u": ("r32ui", "rgba32ui")}
COUNTED = 4
PREFIX = {"f": "", "i": "i", "u": "u"}
RESULT = {"f": ("vec4", 0.0, 1.0), "i": ("ivec4", -128, 127), "u": ("uvec4", 0, 255)}


class Sampler:
    def __init__(self, name, target, kind, shadow):
        self.name, self.target, self.kind, self.shadow = name, target, kind, shadow


class Textures(Values):
    def __init__(self, chance, program):
        super().__init__(chance, program)
        self.samplers, self.images, self.rows = [], [], 0
        self.textured = True
        # The cell of an image that belongs to this invocation alone, or nothing where images are only read.
        self.own = None

    # -- declarations

    def sampler(self, test=lambda target, kind, shadow: True):
        """One that is there or a new one, of those that the test allows."""
        known = [item for item in self.samplers if test(item.target, item.kind, item.shadow)]
        if known and (len(self.samplers) >= COUNTED or self.chance.odds(40)):
            return self.chance.pick(known)
        if len(self.samplers) >= COUNTED:
            return None
        kinds = [(target, kind, False) for target in SIZES for kind in "ffiu"] + [(target, "f", True) for target in SHADOWS for _ in "ab"]
        kinds = [kind for kind in kinds if test(*kind)]
        if not kinds:
            return None
        target, kind, shadow = self.chance.pick(kinds)
        name = f"t{len(self.samplers)}"
        full = PREFIX[kind] + "sampler" + target + ("Shadow" if shadow else "")
        self.samplers.append(Sampler(name, target, kind, shadow))
        self.program.decls.append(Decl(f"layout(binding = {len(self.samplers) - 1}) uniform {full} {name};", name))
        self.program.uses.add(full)
        return self.samplers[-1]

    # -- places

    def beside(self, a, scale=1.0):
        """A coordinate that lies beside what all computations share: never on the border of two texels."""
        offset = abs(self.chance.pick(OFFSETS)) * 0.37 + 0.0113
        scaled = "{0}" if scale == 1.0 else "{0} * " + number(scale)
        return Expr(a.kind, f"({scaled} + {number(offset)})", [a], a.low * scale, a.high * scale + 0.1, COARSE, a.error * scale + ROUNDING, solid=True)

    def place(self, kind, depth, most=4.0):
        return self.beside(self.bounded(self.float(kind, depth), most), self.chance.pick((1.0, 0.5, 0.7373)))

    def layer(self, count, depth):
        index = self.fitted(self.integer("int", depth), 0, count - 1)
        return Expr("float", "float({0})", [index], 0.0, float(count - 1), 1.0)

    def direction(self, depth):
        """A direction into a cube that stays on one face, away from its edges."""
        side = self.beside(self.bounded(self.float("vec2", depth), 1.0), 0.5)
        text = self.chance.pick(("{0}.x, {0}.y, 1.0", "{0}.x, -1.0, {0}.y", "1.0, {0}.y, {0}.x", "{0}.y, {0}.x, -1.0", "-1.0, {0}.x, {0}.y", "{0}.y, 1.0, {0}.x"))
        return Expr("vec3", f"vec3({text})", [side], -1.0, 1.0, COARSE, side.error, solid=True)

    def coordinates(self, sampler, depth):
        """The pieces of a coordinate: (type, expressions)."""
        target = sampler.target
        if target == "Cube":
            return [self.direction(depth)]
        if target == "CubeArray":
            return [self.direction(depth), self.layer(4, depth)]
        flat = COORDINATES[target] - target.endswith("Array")
        out = [self.place(vector("float", flat), depth)]
        if target.endswith("Array"):
            out.append(self.layer(SIZES[target][-1], depth))
        return out

    def reference(self, depth):
        a = self.float("float", depth)
        return Expr("float", "({0} * 0.9 + 0.0013)", [self.unit(a)], 0.0, 1.0, COARSE, a.error)

    def together_text(self, items):
        kind = vector("float", sum(parts(item.kind)[1] for item in items))
        return items[0] if len(items) == 1 else self.joined(kind, items)

    def level(self, target):
        most = 1.0 if target.startswith("Cube") else LEVELS[target] - 1
        return literal("float", self.chance.pick([0.0, 1.0, 0.3, 0.8, 1.0] + ([1.7, 2.0, 2.2] if most >= 3 else [])))

    def texel(self, sampler, depth):
        """Indices of a texel that exists, and its level."""
        size = SIZES[sampler.target]
        level = self.chance.below(min(3, LEVELS[sampler.target]))
        if sampler.target == "Buffer" or "MS" in sampler.target:
            level = 0
        items = []
        for at, count in enumerate(size):
            layers = sampler.target.endswith("Array") and at == len(size) - 1
            items.append(self.fitted(self.integer("int", depth), 0, (count if layers else max(1, count >> level)) - 1))
        place = items[0] if len(items) == 1 else Expr(vector("int", len(items)), f"ivec{len(items)}(" + ", ".join(f"{{{at}}}" for at in range(len(items))) + ")", items, 0, 31)
        return place, literal("int", level)

    def slope(self, kind, depth):
        """A gradient of ordinary size whose level lies on no border."""
        a = self.bounded(self.float(kind, max(depth - 1, 0)), 1.0)
        return Expr(kind, "({0} * 0.0731 + 0.0117)", [a], -0.1, 0.1, COARSE, a.error, solid=True)

    def offset(self, count):
        items = [literal("int", self.chance.between(-3, 3)) for _ in range(count)]
        return items[0] if count == 1 else Expr(vector("int", count), f"ivec{count}(" + ", ".join(f"{{{at}}}" for at in range(count)) + ")", items, -3, 3)

    # -- reads

    def more_floats(self, kind):
        return [(self.texture_float, 14)] if self.textured else []

    def more_integers(self, kind):
        return [(self.texture_integer, 8), (self.texture_query, 5)] if self.textured else []

    def texture_float(self, kind, depth):
        count = parts(kind)[1]
        read = self.read_texture("f", depth - 1)
        if read is None:
            return None
        if read.kind == "float":
            return self.spread(kind, read)
        swizzle = "".join(self.chance.pick("xyzw") for _ in range(count)) if count < 4 or self.chance.odds(30) else ""
        return Expr(kind, "{0}." + swizzle if swizzle else "{0}", [read], read.low, read.high, read.grain, read.error)

    def texture_integer(self, kind, depth):
        scalar, count = parts(kind)
        read = self.read_texture("i" if scalar == "int" else "u", depth - 1)
        if read is None:
            return None
        swizzle = "".join(self.chance.pick("xyzw") for _ in range(count))
        return Expr(kind, "{0}." + swizzle, [read], read.low, read.high)

    def read_texture(self, kind, depth):
        if self.chance.odds(18) and not self.leaving:
            return self.read_image(kind, depth)
        sampler = self.sampler(lambda target, found, shadow: found == kind)
        if sampler is None:
            return None
        if sampler.target == "Buffer" or "MS" in sampler.target:
            return self.fetch(sampler, depth)
        if sampler.shadow:
            return self.shadow(sampler, depth)
        way = self.chance.weighted([(self.sample, 30), (self.fetch, 18), (self.gather, 12), (self.explicit, 16), (self.gradient, 14), (self.projected, 8)])
        self.program.uses.add(way.__name__)
        return way(sampler, depth) or self.fetch(sampler, depth) or self.sample(sampler, depth)

    def out(self, sampler, form, args, shadow=False):
        kind, low, high = ("float", 0.0, 1.0) if shadow else RESULT[sampler.kind]
        error = sum(arg.error for arg in args) * 64 + FUNCTION
        if sampler.kind != "f":
            return Expr(kind, form, args, low, high)
        return self.made(kind, form, args, low, high, COARSE, min(error, 9e-5))

    def sample(self, sampler, depth):
        """texture() as it is: of the level that the pixels around tell, or the first one."""
        items = self.coordinates(sampler, depth)
        place = self.together_text(items)
        name, target = sampler.name, sampler.target
        if not (self.together and self.program.stage == "frag"):
            return self.explicit(sampler, depth)
        which = self.chance.below(4)
        if which == 0 and not target.startswith("Cube"):
            flat = parts(items[0].kind)[1]
            return self.out(sampler, f"textureOffset({name}, {{0}}, {{1}})", [place, self.offset(flat)])
        if which == 1:
            return self.out(sampler, f"texture({name}, {{0}}, {number(self.chance.pick((0.3, 1.2, -1.0)))})", [place])
        return self.out(sampler, f"texture({name}, {{0}})", [place])

    def explicit(self, sampler, depth):
        items = self.coordinates(sampler, depth)
        place = self.together_text(items)
        if not sampler.target.startswith("Cube") and self.chance.odds(25):
            flat = parts(items[0].kind)[1]
            return self.out(sampler, f"textureLodOffset({sampler.name}, {{0}}, {{1}}, {{2}})", [place, self.level(sampler.target), self.offset(flat)])
        return self.out(sampler, f"textureLod({sampler.name}, {{0}}, {{1}})", [place, self.level(sampler.target)])

    def gradient(self, sampler, depth):
        items = self.coordinates(sampler, depth)
        place = self.together_text(items)
        kind = items[0].kind
        if not self.together and sampler.target not in ("1D", "2D", "1DArray", "2DArray"):
            # Lanes that are elsewhere take part (faults.py).
            return self.explicit(sampler, depth)
        args = [place, self.slope(kind, depth), self.slope(kind, depth)]
        if not sampler.target.startswith("Cube") and self.chance.odds(25):
            return self.out(sampler, f"textureGradOffset({sampler.name}, {{0}}, {{1}}, {{2}}, {{3}})", [*args, self.offset(parts(kind)[1])])
        return self.out(sampler, f"textureGrad({sampler.name}, {{0}}, {{1}}, {{2}})", args)

    def projected(self, sampler, depth):
        if sampler.target not in ("1D", "2D", "3D"):
            return None
        place = self.coordinates(sampler, depth)[0]
        by = self.positive(self.bounded(self.float("float", depth), 2.0))
        items = [place, by]
        if sampler.target == "1D" and self.chance.odds(50) or sampler.target == "2D" and self.chance.odds(50):
            items.insert(1, literal(vector("float", 3 - parts(place.kind)[1]), 0.0))
        place = self.together_text(items)
        if self.together and self.program.stage == "frag" and self.chance.odds(50):
            return self.out(sampler, f"textureProj({sampler.name}, {{0}})", [place])
        return self.out(sampler, f"textureProjLod({sampler.name}, {{0}}, {{1}})", [place, self.level(sampler.target)])

    def gather(self, sampler, depth):
        if sampler.target not in ("2D", "2DArray", "Cube", "CubeArray"):
            return None
        place = self.together_text(self.coordinates(sampler, depth))
        part = self.chance.below(4)
        which = self.chance.below(4)
        if sampler.target.startswith("2D") and which == 0:
            return self.out(sampler, f"textureGatherOffset({sampler.name}, {{0}}, {{1}}, {part})", [place, self.offset(2)])
        if sampler.target.startswith("2D") and which == 1:
            offsets = ", ".join(f"ivec2({self.chance.between(-3, 3)}, {self.chance.between(-3, 3)})" for _ in range(4))
            return self.out(sampler, f"textureGatherOffsets({sampler.name}, {{0}}, ivec2[4]({offsets}), {part})", [place])
        return self.out(sampler, f"textureGather({sampler.name}, {{0}}, {part})", [place])

    def fetch(self, sampler, depth):
        if sampler.target.startswith("Cube"):
            return None
        place, level = self.texel(sampler, depth)
        if sampler.target == "Buffer":
            # Of several components that do not begin with the first, code does not say whether they are of a buffer (faults.py).
            one = "" if self.chance.odds(15) else "." + 4 * self.chance.pick("xyzw")
            return self.out(sampler, f"texelFetch({sampler.name}, {{0}}){one}", [place])
        if "MS" in sampler.target:
            sample = self.fitted(self.integer("int", depth), 0, 3) if self.chance.odds(40) else literal("int", self.chance.below(4))
            return self.out(sampler, f"texelFetch({sampler.name}, {{0}}, {{1}})", [place, sample])
        return self.out(sampler, f"texelFetch({sampler.name}, {{0}}, {{1}})", [place, level])

    def shadow(self, sampler, depth):
        """Comparisons with what a texture holds."""
        items, target, name = self.coordinates(sampler, depth), sampler.target, sampler.name
        flat = items[0].kind
        compare = self.reference(depth)
        implicit = self.together and self.program.stage == "frag"
        self.program.uses.add("shadow")
        if target == "CubeArray":
            place = self.together_text(items)
            return self.out(sampler, f"texture({name}, {{0}}, {{1}})", [place, compare], True) if implicit else self.gather_shadow(sampler, place, compare)
        if target == "1D":
            items.append(literal("float", 0.0))
        place = self.together_text([*items, compare])
        which = self.chance.below(5)
        if which == 0 and target in ("2D", "2DArray", "Cube"):
            return self.gather_shadow(sampler, self.together_text(items), compare)
        if which == 1 and self.together:
            return self.out(sampler, f"textureGrad({name}, {{0}}, {{1}}, {{2}})", [place, self.slope(flat, depth), self.slope(flat, depth)], True)
        if target in ("1D", "2D", "1DArray") and (which == 2 or not implicit):
            return self.out(sampler, f"textureLod({name}, {{0}}, {{1}})", [place, self.level(target)], True)
        if which == 3 and target in ("1D", "2D"):
            place = self.together_text([items[0] if target == "2D" else self.together_text(items), compare, self.positive(literal("float", 1.0))])
            if implicit:
                return self.out(sampler, f"textureProj({name}, {{0}})", [place], True)
        if not implicit and not self.together and target in ("2DArray", "Cube"):
            return self.gather_shadow(sampler, self.together_text(items), compare)
        if not implicit:
            return self.out(sampler, f"textureGrad({name}, {{0}}, {{1}}, {{2}})", [self.together_text([*items, compare]), self.slope(flat, depth), self.slope(flat, depth)], True)
        if which == 4 and target != "Cube":
            return self.out(sampler, f"textureOffset({name}, {{0}}, {{1}})", [self.together_text([*items, compare]), self.offset(parts(flat)[1])], True)
        return self.out(sampler, f"texture({name}, {{0}})", [self.together_text([*items, compare])], True)

    def gather_shadow(self, sampler, place, compare):
        return Expr("vec4", f"textureGather({sampler.name}, {{0}}, {{1}})", [place, compare], 0.0, 1.0, COARSE, 9e-5)

    def texture_query(self, kind, depth):
        scalar, count = parts(kind)
        if scalar != "int" or count != 1:
            return None
        if not self.samplers:
            return None
        sampler = self.chance.pick(self.samplers)
        target, name = sampler.target, sampler.name
        self.program.uses.add("query")
        wide = COORDINATES[target] - (target == "Cube") - (target == "CubeArray")
        swizzle = "." + self.chance.pick("xyz"[:wide]) if wide > 1 else ""
        if target == "Buffer" or "MS" in target:
            if "MS" in target and self.chance.odds(30):
                return Expr("int", f"(textureSamples({name}) + {self.anchor(sampler)})", [], 1, 8)
            return Expr("int", f"(textureSize({name}){swizzle} + {self.anchor(sampler)})", [], 1, 64)
        if self.chance.odds(25):
            return Expr("int", f"(textureQueryLevels({name}) + {self.anchor(sampler)})", [], 1, 8)
        return Expr("int", f"(textureSize({name}, {{0}}){swizzle} + {self.anchor(sampler)})", [literal("int", self.chance.below(2))], 1, 64)

    @staticmethod
    def anchor(sampler):
        """A read that is 0, which no compiler knows: of what is only asked for its size the code does not say what it is."""
        target, name = sampler.target, sampler.name
        if sampler.shadow:
            place = {"1D": "vec3(0.3, 0.0, 0.4)", "1DArray": "vec3(0.3, 0.0, 0.4)", "2D": "vec2(0.3), 0.4", "2DArray": "vec3(0.3, 0.3, 0.0), 0.4",
                     "Cube": "vec3(0.3, 0.2, 1.0), 0.4", "CubeArray": "vec4(0.3, 0.2, 1.0, 0.0), 0.4"}[target]
            read = f"textureLod({name}, {place}, 0.0)" if target.startswith("1D") else f"textureGather({name}, {place}).x"
        elif target.startswith("Cube"):
            read = f"textureLod({name}, vec{COORDINATES[target]}({'0.3, 0.2, 1.0, 0.0' if target == 'CubeArray' else '0.3, 0.2, 1.0'}), 0.0).x"
        else:
            count = COORDINATES[target]
            read = f"texelFetch({name}, {'0' if count == 1 else f'ivec{count}(0)'}{'' if target == 'Buffer' else ', 0'}).x"
        return {"f": f"int({read} * 0.9)", "i": f"(({read} + 128) >> 8)", "u": f"int({read} >> 8)"}[sampler.kind]

    # -- images

    def image(self, kind, write=False):
        known = [item for item in self.images if item.kind == kind and item.write == write]
        if known and (self.chance.odds(60) or len(self.images) >= 3):
            return self.chance.pick(known)
        if len(self.images) >= 3:
            return None
        target = self.chance.pick(("1D", "2D", "2D", "3D", "1DArray", "2DArray", "Buffer", "Cube", "CubeArray") if not write else ("2D", "2DArray", "3D"))
        shape = self.chance.pick(FORMATS[kind][:2] if write else FORMATS[kind])
        name = f"m{len(self.images)}"
        self.images.append(Image(name, target, kind, shape, write))
        access = "" if write else self.chance.pick(("readonly ", ""))
        full = PREFIX[kind] + "image" + target
        self.program.decls.append(Decl(f"layout(binding = {len(self.images) - 1}, {shape}) {access}uniform {full} {name};", name))
        self.program.uses.add(full)
        return self.images[-1]

    def read_image(self, kind, depth):
        image = self.image(kind)
        if image is None:
            return None
        size = IMAGES[image.target]
        if self.chance.odds(10) and kind == "i":
            return None
        items = [self.fitted(self.integer("int", depth), 0, count - 1) for count in size]
        if image.target == "CubeArray":
            items = items[:2] + [self.fitted(self.integer("int", depth), 0, 11)]
        place = items[0] if len(items) == 1 else Expr(vector("int", len(items)), f"ivec{len(items)}(" + ", ".join(f"{{{at}}}" for at in range(len(items))) + ")", items, 0, 15)
        result, low, high = {"f": ("vec4", 0.0, 1.0), "i": ("ivec4", 0, 255), "u": ("uvec4", 0, 255)}[kind]
        return Expr(result, f"imageLoad({image.name}, {{0}})", [place], low, high, COARSE, ROUNDING)

    def store_image(self, depth):
        """The pieces of a store into this invocation's own cell: text and operands."""
        kind = self.chance.pick("ffiu")
        image = self.image(kind, write=True)
        if image is None or self.own is None:
            return None
        value = self.value({"f": "vec4", "i": "ivec4", "u": "uvec4"}[kind], depth)
        place = {"2D": f"{self.own}", "2DArray": f"ivec3({self.own}, {self.chance.below(8)})", "3D": f"ivec3({self.own}, {self.chance.below(8)})"}[image.target]
        return f"imageStore({image.name}, {place}, {{0}});", [value]


class Image:
    def __init__(self, name, target, kind, shape, write):
        self.name, self.target, self.kind, self.shape, self.write = name, target, kind, shape, write
