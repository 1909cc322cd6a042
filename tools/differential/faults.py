"""Faults of compilers from outside that are known: a program that differs from its source because of one of them is explained. Each
has a test of the source, the listing and what failed, and a proof: what in the compiled code is wrong, whoever reads it."""

import re

# Checks that hold what is compiled against its source; no other failure can be the compiler's.
AGAINST_SOURCE = ("drawn", "drawn-strict", "run")


class Fault:
    def __init__(self, name, proof, source=None, listing=None, checks=AGAINST_SOURCE, compiler="uam", also=lambda document: True):
        self.name, self.proof, self.checks, self.compiler, self.also = name, proof, checks, compiler, also
        self.source = re.compile(source, re.S) if source else None
        self.listing = re.compile(listing) if listing else None

    def explains(self, compiler, document, failure):
        if compiler != self.compiler or failure["check"] not in self.checks:
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
    return document["checks"].get("verify-strict") == "passed" and document["checks"].get("run") == "failed" if agree is None else agree


def saturated_integer(between):
    """Whether something is bounded that a conversion from an integer made, in what uam's front end gives its back end."""
    return "_SAT " in between and re.search(r"\b[IU]2F TEMP", between) is not None


def conversions_folded(document):
    """Whether the back end computed some conversions to integers itself: there are fewer left in the code."""
    wanted = sum(len(parts[1] or "xyzw") for parts in re.findall(r"\b(F2[IU]) TEMP\[\d+\]\.?(\w*),", document.get("between", "")))
    return wanted > len(re.findall(r"\bF2I\b|\bF2I\.", document.get("listing", "")))


def negated_twice(document):
    """Whether an integer is negated that is a negation."""
    between = document.get("between", "")
    made = set(re.findall(r"\bINEG (TEMP\[\d+\])", between))
    return any(place in made for place in re.findall(r"\bINEG TEMP\[\d+\]\S*, (TEMP\[\d+\])", between))


def rounding_lost(document):
    """Whether there are fewer roundings in the code than the front end asks for."""
    wanted = sum(len(parts or "xyzw") for parts in re.findall(r"\b(?:ROUND|FLR|CEIL|TRUNC) TEMP\[\d+\]\.?(\w*),", document.get("between", "")))
    return wanted > len(re.findall(r"F2F\.\S*(?:ROUND|FLOOR|CEIL|TRUNC)", document.get("listing", "")))


def field_beyond(document):
    """Whether a field of bits reaches beyond the word: BFE.U32 by a constant of place (low byte) and length."""
    places = [int(number, 16) for number in re.findall(r"BFE\.U32 R\d+, R\d+, 0x([0-9a-f]+)", document.get("listing", ""))]
    return any((place & 255) + (place >> 8) > 32 for place in places)


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
    Fault("a bound of 0 .. 1 of a converted integer is lost",
          "`MOV_SAT` of the result of `I2F` or `U2F` is put into the conversion, which has no such bit: I2F.F32 R0, c[0x3][0x10] alone",
          also=lambda document: whole(document) and saturated_integer(document.get("between", ""))),
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
