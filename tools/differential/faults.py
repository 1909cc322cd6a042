"""Faults of compilers from outside that are known: a program that differs from its source because of one of them is explained. Each
has a test of the source, the listing and what failed, and a proof: what in the compiled code is wrong, whoever reads it."""

import re

# Checks that hold what is compiled against its source; no other failure can be the compiler's.
AGAINST_SOURCE = ("drawn", "drawn-strict", "run")


class Fault:
    def __init__(self, name, proof, source=None, listing=None, checks=AGAINST_SOURCE, compiler="uam", also=lambda document: True):
        self.name, self.proof, self.checks, self.also = name, proof, checks, also
        self.compilers = (compiler,) if isinstance(compiler, str) else compiler
        self.source = re.compile(source, re.S) if source else None
        self.listing = re.compile(listing) if listing else None

    def explains(self, compiler, document, failure):
        if compiler not in self.compilers or failure["check"] not in self.checks:
            return False
        # A text that does not run is nobody's fault but its writer's, unless there is nothing to run.
        if failure["message"].startswith("the text does not run") and "patch was culled" not in failure["message"]:
            return False
        if self.source and not self.source.search(document.get("source", "")):
            return False
        if self.listing and not self.listing.search(document.get("listing", "")):
            return False
        return self.also(document)


def whole(document):
    """Interpreter and strict source agree with each other against the source: it is the code that computes something else. Where
    the strict text does not run, `verify` says whether they agree."""
    agree = document["figures"].get("agree")
    if agree is None and images_alone(document):
        return document["checks"].get("verify-strict") == "passed"
    if agree is None and document["stage"] == "tesc" and document["checks"].get("run") == "passed":
        # What the vertices of a patch get is not among what `run` compares.
        return document["checks"].get("verify-strict") == "passed"
    return document["checks"].get("verify-strict") == "passed" and document["checks"].get("run") == "failed" if agree is None else agree


def images_alone(document):
    """Whether texels of images are all that differs, which are not among what `run` compares, and both texts store the same."""
    details = {failure["check"]: failure["detail"] for failure in document["failures"] if failure["check"] in AGAINST_SOURCE}
    places = [place for detail in details.values() for place in re.findall(r"^case \d+ \([^)]*\): (\S+):", detail, re.M)]
    return set(details) == {"drawn", "drawn-strict"} and len(set(details.values())) == 1 and all(place.startswith("img.") for place in places) and bool(places)


def stored_twice(document):
    """Whether a place is stored to several times between two labels, first and last with the same register."""
    for block in re.split(r"^\w+:", document.get("listing", ""), flags=re.M):
        stores = re.findall(r"\bST[GS]\S* \[([^\]]+)\], (\w+)", block)
        for place in {place for place, _ in stores}:
            values = [value for other, value in stores if other == place]
            if len(values) > 2 and values[0] == values[1]:
                return True
    return False


def saturated_integer(between):
    """Whether something is bounded that a conversion from an integer made, in what uam's front end gives its back end."""
    return "_SAT " in between and re.search(r"\b[IU]2F TEMP", between) is not None


def conversions_folded(document):
    """Whether the back end computed some conversions to integers itself: of a constant, or there are fewer left in the code."""
    between = document.get("between", "")
    wanted = sum(len(parts[1] or "xyzw") for parts in re.findall(r"\b(F2[IU]) TEMP\[\d+\]\.?(\w*),", between))
    return wanted > len(re.findall(r"\bF2I\b|\bF2I\.", document.get("listing", ""))) or of_constants(between, {"F2I", "F2U"})


def of_constants(between, wanted):
    """Whether the front end asks for one of these operations on a component that is a constant to the back end: one that all who
    write it compute from constants. Of a patch without a third coordinate that is one too."""
    flat = re.search(r"PROPERTY TES_PRIM_MODE [17]\b", between)
    lines = re.findall(r"^\s*\d+:\s+(\w+) (?:(TEMP\[\d+\]|OUT\S*|ADDR\S*)(?:\.(\w+))?,? ?)?(.*)$", between, re.M)
    coordinates = set(re.findall(r"DCL (SV\[\d+\]), TESSCOORD", between)) if flat else set()
    unknown, alike = set(), {"MOV", "ADD", "MUL", "MAD", "MIN", "MAX", "ROUND", "FLR", "CEIL", "TRUNC", "I2F", "U2F", "F2I", "F2U", "UADD", "AND", "OR", "UCMP",
                             "CMP", "INEG", "ISHR", "USHR", "SHL", "LRP", "FSLT", "FSGE", "FSEQ", "FSNE", "SLT", "SGE", "SEQ", "SNE", "USEQ", "USNE", "ISGE", "ISLT", "UMUL", "RCP"}

    def sources(rest):
        return re.findall(r"([A-Z]+\[[^,|]*?\])(?:\([^)]*\))?(?:\.([xyzw]{1,4}))?", rest)

    def known(place, component):
        kind = place.split("[")[0]
        if kind == "IMM":
            return True
        if place in coordinates:
            return component in "zw"
        return kind == "TEMP" and (place, component) not in unknown and "ADDR" not in place

    def constant(operation, rest, at):
        found = sources(rest)
        if operation not in alike or not found:
            return False
        return all(known(place, (swizzle or "xyzw").ljust(4, (swizzle or "w")[-1])[at]) for place, swizzle in found)

    changed = True
    while changed:
        changed = False
        for operation, target, mask, rest in lines:
            if target.startswith("TEMP"):
                for component in mask or "xyzw":
                    if (target, component) not in unknown and not constant(operation, rest, "xyzw".index(component)):
                        unknown.add((target, component))
                        changed = True
    return any(operation in wanted and constant(operation, rest, "xyzw".index(component))
               for operation, target, mask, rest in lines if target.startswith("TEMP") for component in mask or "xyzw")


def negated_twice(document):
    """Whether an integer is negated that is a negation."""
    between = document.get("between", "")
    made = set(re.findall(r"\bINEG (TEMP\[\d+\])", between))
    return any(place in made for place in re.findall(r"\bINEG TEMP\[\d+\]\S*, (TEMP\[\d+\])", between))


def conjunction_denied(document):
    """Whether the front end asks if a conjunction or disjunction of comparisons is 0, which the back end puts into one of them."""
    between = document.get("between", "")
    zeros = {f"{name}.{'xyzw'[at]}" for name, values in re.findall(r"^(IMM\[\d+\]) \w+ \{([^}]*)\}", between, re.M)
             for at, value in enumerate(values.split(",")) if value.strip() in ("0", "0x00000000")}
    joined = set(re.findall(r"\b(?:AND|OR) (TEMP\[\d+\]\.[xyzw]),", between))
    asked = re.findall(r"\bUS(?:EQ|NE) TEMP\S*, (\S+?\.[xyzw])\w*, (\S+?\.[xyzw])", between)
    return any(a in zeros and b in joined or b in zeros and a in joined for a, b in asked)


def rounding_lost(document):
    """Whether there are fewer roundings in the code than the front end asks for."""
    wanted = sum(len(parts or "xyzw") for parts in re.findall(r"\b(?:ROUND|FLR|CEIL|TRUNC) TEMP\[\d+\]\.?(\w*),", document.get("between", "")))
    return wanted > len(re.findall(r"F2F\.\S*(?:ROUND|FLOOR|CEIL|TRUNC)", document.get("listing", ""))) or of_constants(
        document.get("between", ""), {"ROUND", "FLR", "CEIL", "TRUNC"})


def field_beyond(document):
    """Whether a field of bits reaches beyond the word: BFE.U32 by a constant of place (low byte) and length."""
    places = [int(number, 16) for number in re.findall(r"BFE\.U32 R\d+, R\d+, 0x([0-9a-f]+)", document.get("listing", ""))]
    return any((place & 255) + (place >> 8) > 32 for place in places)


def only_run(document):
    """Whether all but the interpreter of whole warps agrees with the source: both texts, and each lane by itself."""
    checks = ("drawn", "drawn-strict", "verify-strict", "verify-readable")
    return all(document["checks"].get(check) == "passed" for check in checks)


def row_unsaid(document):
    """Whether some fetch may be from a buffer or a texture of one axis, where the interpreter agrees with the source."""
    return document["checks"].get("run") == "passed" and re.search(r"TLD\.LZ R\d+, R\d+, 0x\w+, 1D, 0x[56]\b", document.get("listing", "")) is not None


def widened(source):
    """A pixel program with all four components of each target declared, those that were not as 0."""
    narrow = re.compile(r"layout\(location = (\d+)\) out ((?:\w+ )*?)(([iu]?)vec([23])|int|uint|float) (\w+);")
    found = list(narrow.finditer(source))
    if not found:
        return source
    kinds, stores = {"int": "i", "uint": "u", "float": ""}, []
    for target in found:
        letter, has = (target[4], int(target[5])) if target[5] else (kinds[target[3]], 1)
        stores.append(f"    whole_{target[1]} = {letter}vec4({target[6]}{', 0' * (4 - has)});\n")
        source = source.replace(target[0], f"layout(location = {target[1]}) out {target[2]}{letter}vec4 whole_{target[1]};\n{target[3]} {target[6]};")
    return re.sub(r"\bvoid main\(", "void narrow_main(", source) + f"\nvoid main() {{\n    narrow_main();\n{''.join(stores)}}}\n"


def read_first(document):
    """Whether a part of an array's element is read in front of a store, and the next part behind it."""
    for block in re.split(r"^\w+:|\b(?:BRA|SSY|SYNC|PBK|BRK)\b", document.get("listing", ""), flags=re.M):
        for place in re.findall(r"\bLDL\S* R\d+, \[(R\d+(?:\+0x\w+)?)\]", block):
            base = place.split("+")[0]
            if re.search(rf"\bLDL\S* R\d+, \[{re.escape(place)}\](?s:.*?)\bSTL(?s:.*?)\bLDL\S* R\d+, \[{base}\b", block):
                return True
    return False


FAULTS = [
    Fault("a constant is rounded where it becomes an integer", "`int(1.5613)` is `MOV32I R2, 0x2`: the back end computes conversions by the nearest integer",
          also=lambda document: whole(document) and conversions_folded(document)),
    Fault("a negation of a negation is lost", "`-(-x)`: `IADD R0, RZ, -R0` once, and its result is used for both",
          also=lambda document: whole(document) and negated_twice(document)),
    Fault("a rounding of a constant is lost", "`roundEven(0.0371)` is `MOV32I R0, 0x3d17f62b`, which is 0.0371",
          also=lambda document: whole(document) and rounding_lost(document)),
    Fault("a division of integers by a float", "`F2I.S32.F32.TRUNC R2, -R2` of `MUFU.RCP`: 24 bits of quotient; uam says so in a warning",
          listing=r"MUFU\.RCP[^$]*F2I\.S32\.F32\.TRUNC R\d+, -R\d+", also=whole),
    Fault("the sign is lost behind a shift and a mask", "`(x >> 28) & 63` is `BFE.U32 R0, R0, 0x61c`: six bits from bit 28, the upper two 0 and not the sign",
          also=lambda document: whole(document) and field_beyond(document)),
    Fault("a sum is compared as if it could not wrap", "`x + 16000u < 0u` is `ISET.LT.U32 x, -0x3e80`", listing=r"ISETP?\.\S*(LT|LE|GT|GE)\.U32\S* .*-0x", also=whole),
    Fault("image atomics are left out or broken", "at the place of the atomics stand NOP (50b0000000070f00) or SUATOM words that NVIDIA's disassembler refuses",
          source=r"\bimageAtomic\w+\(", checks=(*AGAINST_SOURCE, "check")),
    Fault("multiplication by -(2^n-1)", "`k * -3` becomes ISCADD.PO Rd, Ra, Ra, 2: 5k+1 instead of -3k", listing=r"ISCADD\.PO", also=whole),
    Fault("a sum of two negations", "`k * -2` is -k-k: both signs of `IADD` together mean `.PO`, k+k+1", listing=r"\bIADD\.PO\b", also=whole),
    Fault("multiplication by -(2^n+1)", "`k * -5` is `ISCADD R0, -R0, R0, 0x2`: -4k+k instead of -4k-k", listing=r"ISCADD R\d+, -(R\d+)(?:\.reuse)?, (?:\1\b|c\[)", also=whole),
    Fault("a comparison is turned round with half of a conjunction", "`!(1 < v && v == 65535)`: the second comparison becomes NE and stays joined by AND with the first",
          also=lambda document: whole(document) and conjunction_denied(document)),
    Fault("a bound of 0 .. 1 of a converted integer is lost",
          "`MOV_SAT` of the result of `I2F` or `U2F` is put into the conversion, which has no such bit: I2F.F32 R0, c[0x3][0x10] alone",
          also=lambda document: whole(document) and saturated_integer(document.get("between", ""))),
    Fault("a bound of 0 .. 1 of a narrowed double is lost",
          "`F2F.F32.F64.SAT`: the machine does not bound what comes from a double (measured)", listing=r"F2F\.\S*F32\.F64\S*\.SAT\b", also=whole),
    Fault("an input of a vertex is read without its vertex", "`ALD.64 R0, a[0x70], R2` is followed by `ALD R4, a[0x78]`: of a load that was split only the first has the vertex",
          source=r"gl_in\[", listing=r"(?m)\bALD(?:\.\d+)? R\d+, a\[0x(?:[7-9a-f]|1\w|2[0-7])\w\]\s*$",
          also=lambda document: document["stage"] in ("tesc", "tese", "geom") and whole(document)),
    Fault("stores change their order", "`STG [R0], R2; STG [R0], R2; STG [R0], R3; ...; STG [R0], R3` for 1, 2, 3, 4, 1 in turn: a store of what was stored before moves up to that one",
          also=lambda document: whole(document) and stored_twice(document)),
    Fault("an element of an array is read in front of a store", "`LDL R2, [R4]; STL.64 [0x20], R0; LDL R2, [R4+0x4]`: the first part of one element before a store, the second behind it",
          also=lambda document: whole(document) and read_first(document)),
    Fault("gradients walk over lanes that are elsewhere", "`SAM` wakes lanes that wait for the others behind a condition, or have returned, and what stands behind it writes registers of theirs",
          source=r"textureGrad", listing=r"\bSAM\b", checks=("run",), also=only_run),
    Fault("the code does not say what a row of texels is", "`TLD.LZ R0, R0, 0x4, 1D, 0x6`: with two components but the first the short form is missing that tells textures from buffers",
          source=r"sampler(?:1D|Buffer)\b", checks=("drawn", "drawn-strict"), also=row_unsaid),
    Fault("registers left over in a target", "the header says that all four components of a target are written; those that the source does not declare hold what the register held: where the source declares all, nothing is cast",
          checks=("casts",), also=lambda document: document.get("widened") is True),
    Fault("gradients walk over lanes that are not there", "a fetch with gradients is lowered to shuffles between four lanes; a patch of two or three vertices has fewer",
          source=r"vertices = [23]\) out.*textureGrad", checks=("run",)),
    Fault("EmitVertex() in both arms of a condition", "one OUT.EMIT stands behind the join, the other in its arm: three vertices for two",
          source=r"EmitVertex.*\belse\b.*EmitVertex", also=whole),
    Fault("return out of a switch", "`PRET.NOINC 0x0` and `BRA 0x0`: the program starts again", source=r"switch.*return",
          checks=(*AGAINST_SOURCE, "verify-strict", "verify-readable", "readable", "strict"), listing=r"PRET\.NOINC"),
]


def few_cases(document):
    """Whether at most three cases of a program are other than its source's."""
    return all(int(number) <= 3 for failure in document["failures"] for number in re.findall(r"^(\d+) of \d+ cases differ|, (\d+) different$", failure["detail"], re.M) for number in number if number)


FAULTS.append(
    Fault("the level of a cube near an edge", "the direction is divided by its largest part before the fetch, so that slopes over an edge are of another face",
          source=r"\b(samplerCube|textureCube)\b", also=lambda document: whole(document) and few_cases(document))
)


def explanation(compiler, document, failure):
    """The name of the fault that explains a failure, or nothing."""
    for fault in FAULTS:
        if fault.explains(compiler, document, failure):
            return fault.name
    return None


# -- Mesa's compiler for Mali's Utgard


def spilled_late(document):
    """Whether one instruction reads a place of the stack, and puts there what it should have read: it reads first."""
    for instruction in re.split(r"\n(?!  \|)", document.get("listing", "")):
        read, written = re.search(r"load\.t\s+(\S+)", instruction), re.search(r"store\.t\s+([^,\s]+),", instruction)
        if read and written and read[1] == written[1]:
            return True
    return False


def whole_or_unknown(document):
    """As `whole`; but levels of detail may lie near a border, where interpreter and text part."""
    return document["checks"].get("verify-strict") == "passed" and document["checks"].get("run") == "failed"


def bias_lost(document):
    """Whether a bias, which in programs of chance is a constant, is read from where something else was put last."""
    listing = document.get("listing", "")
    for fetch in re.finditer(r"texld\.bias\s+\w+, \$(\d+)\.([xyzw])", listing):
        written = [match for match in re.finditer(r"^[ |]*([\w.]+)\s+\$(\d+)(?:\.([xyzw]+))?, ([^\n]*)", listing[:fetch.start()], re.M)
                   if match[2] == fetch[1] and fetch[2] in (match[3] or "xyzw") and not match[1].startswith("store")]
        if not written or not (written[-1][1].startswith("mov.") and "^const" in written[-1][4]):
            return True
    return False


def mended(document):
    return document.get("mended") is True


FAULTS += [
    Fault("a bias is overwritten before it is read", "`mov.s1 $0.x, ^const0.x` makes the bias, then `min.v1 $0.xy, ^v0.xy, ^const0.y`, then `texld.bias t0, $0.x`",
          compiler="lima", source=r"texture2D\(", also=lambda document: whole_or_unknown(document) and bias_lost(document)),
    Fault("a bias is read from the first component of its register", "`mov.s1 $0.w, ^const0.x` makes the bias, `texld.bias t0, $0.x` reads another: the "
          "compiler leaves out the component, and with it put in (mesa/build.sh) the code is right",
          compiler="lima", listing=r"texld\.bias", also=mended),
    Fault("a negated choice loses its minus", "`x -= c ? a : b`: the compiler takes the minus into `select`, which has none; told not to, the code is right",
          compiler="lima", also=lambda document: document["stage"] == "vert" and mended(document)),
    Fault("a bound of 0 .. 1 of a truncated number is lost", "`clamp(float(int(x)), 0.0, 1.0)` is `mov.int`: truncating and bounding are values of one field, "
          "and the first takes the other's place", compiler="lima", source=r"clamp\(+(float|vec\d)\(+(int|ivec\d)\(", listing=r"mov\.int", also=whole),
    Fault("a value is read from the stack in the instruction that puts it there", "`load.v $0, gl_FragCoord | load.t -1 | store.t -1, $0`: what is loaded was there before",
          compiler="lima", also=spilled_late),
]

# -- Mesa's r600 driver

FAULTS += [
    Fault("a clause ends in front of the literals of its last group", "`ALU 5 @10`, of which the second group has three instructions and three literals, and the "
          "next clause `@20` where those should be: a group that drops pixels ends the clause, and the words are counted without what follows",
          compiler=("r600", "r600-sb"), checks=("check", "text", "readable", "strict", "verify-strict", "verify-readable", *AGAINST_SOURCE),
          also=lambda document: any("the clause ends before the group does" in failure["detail"] for failure in document["failures"])),
    Fault("clip distances go where the point size goes", "`EXP: POS1, R1.y___` is followed by `EXP_DONE: POS1, R2.xy00`: both go to one place, and the registers say that there are two",
          compiler=("r600", "r600-sb"), source=r"gl_PointSize", listing=r"(?s)EXP: POS1,.*EXP(?:_DONE)?: POS1,"),
]
