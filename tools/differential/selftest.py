"""Tests of the harness that need no compiler: programs are the same for a seed, valid GLSL, and within the bounds that they claim;
the reducer keeps what it was told to keep; known compilers and their lack are told. `cargo test` runs it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import compilers  # noqa: E402
import faults  # noqa: E402
import machine  # noqa: E402
import sources  # noqa: E402
import stages  # noqa: E402
from checks import casts, plain, tokens  # noqa: E402
from reduce import Reducer, way  # noqa: E402
from tree import Expr, grain_of, literal  # noqa: E402

SEEDS = (3, 11, 29)


def accepted(programs):
    """What the validator says against some programs; nothing where it is not installed."""
    validator = shutil.which("glslangValidator")
    if validator is None:
        return ""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for program in programs:
            paths.append(os.path.join(folder, program.name))
            with open(paths[-1], "w") as file:
                file.write(program.text())
        done = subprocess.run([validator, *paths], capture_output=True, text=True)
        return "" if done.returncode == 0 else done.stdout


class Harness(unittest.TestCase):
    def test_registers_left_over_go_where_all_components_are_declared(self):
        failure = {"check": "casts", "message": "", "detail": ""}
        document = {"stage": "frag", "source": "", "failures": [failure], "widened": True}
        self.assertIsNotNone(faults.explanation("uam", document, failure))
        self.assertIsNone(faults.explanation("uam", {**document, "widened": False}, failure))
        programs = [stages.program("frag", seed) for seed in SEEDS]
        for program in programs:
            text = faults.widened(program.text())
            self.assertNotRegex(text, r"\bout (?:\w+ )*(?:[iu]?vec[23]|int|uint|float)\b \w+;")
            program.text = lambda text=text: text
        self.assertEqual(accepted(programs), "")

    def test_same_seed_same_program(self):
        for stage in stages.STAGES:
            one, other = stages.program(stage, 7), stages.program(stage, 7)
            self.assertEqual(one.text(), other.text())
            self.assertEqual(one.hints, other.hints)
            self.assertNotEqual(one.text(), stages.program(stage, 8).text())

    def test_programs_are_valid(self):
        self.assertEqual(accepted([stages.program(stage, seed) for stage in stages.STAGES for seed in SEEDS]), "")

    def test_dialects_of_other_machines(self):
        programs = [stages.program(stage, seed, dialect) for dialect in ("latte", "mali") for stage in ("vert", "frag") for seed in SEEDS]
        self.assertEqual(accepted(programs), "")
        for program in programs:
            self.assertEqual(program.copy().text(), program.text())
        for seed in range(30):
            self.assertNotRegex(stages.program("frag", seed, "latte").text(), r"\b(fma|dFdxFine|textureGather|imageLoad|double|interpolateAt\w+|findMSB|frexp)\b")
            self.assertNotRegex(stages.program("frag", seed, "mali").text(), r"\b(uint|uvec\d|switch|layout|texture|fma|transpose)\b|[^&]&[^&]|<<|%")
        self.assertNotEqual(stages.program("vert", 3, "latte").text(), stages.program("vert", 3).text())

    def test_positions_before_the_viewport_transform(self):
        made = machine.unprojected({"gl_Position": machine.written_floats([0.5, -1.0, 2.0, 0.25])})
        self.assertEqual(machine.floats(made["gl_Position"]), [2.0, -4.0, 8.0, 4.0])

    def test_code_is_read_from_listings(self):
        sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "mesa"))
        import r600
        plain_form = "shader: MESA_SHADER_VERTEX\nbytecode 6 dw -- 3 gprs -- 1 nstack ----\nshader 1 -- 7\n0000 00000002 A0000000  ALU 1 @4\n"
        plain_form += " 0004 800000FD 00200C90     1 x:     MOV   R1.x,  [0x3F800000 1.0]\n 0005 3F800000        1.0\n______________________\n  shader->ninput=1;\n"
        dump = r600.Dump("-- NIR ----\nname: x\n" + plain_form, "vert", [])
        code, registers, stack = dump.code()
        self.assertEqual((len(code), registers, stack), (24, 3, 1))
        self.assertEqual(code[20:24], bytes.fromhex("0000803f"))
        self.assertEqual(dump.items("input"), [{}])
        with self.assertRaises(r600.Refused):
            r600.Dump("nothing", "vert", [])

    def test_copies_print_the_same(self):
        for stage in stages.STAGES:
            program = stages.program(stage, 5)
            self.assertEqual(program.copy().text(), program.text())

    def test_bounds(self):
        self.assertEqual(grain_of(0.375), 0.125)
        self.assertTrue(literal("float", 0.5).within(Expr("float", "x", (), 0.0, 1.0)))
        self.assertFalse(literal("float", 2.0).within(Expr("float", "x", (), 0.0, 1.0)))
        self.assertFalse(literal("int", 1).within(Expr("float", "x", (), 0.0, 1.0)))

    def test_reducer_keeps_what_fails(self):
        seed = next(seed for seed in range(200) if "findMSB" in stages.program("vert", seed).text())
        program = stages.program("vert", seed)
        reducer = Reducer(program, lambda made: "findMSB" in made.text(), seconds=20.0)
        small = reducer.reduce()
        self.assertIn("findMSB", small.text())
        self.assertLess(len(tokens(small.text())), len(tokens(program.text())) / 2)

    def test_reduced_programs_stay_valid(self):
        reducer = Reducer(stages.program("comp", 4), lambda made: not accepted([made]) and "d0[" in made.text(), seconds=1.0)
        self.assertEqual(accepted([reducer.reduce()]), "")

    def test_failures_of_one_kind(self):
        self.assertEqual(plain("line 12: 3f800000 at /tmp/a/b.frag"), plain("line 7: 40000000 at /tmp/c/b.frag"))
        one = way({"check": "drawn", "message": "N: N: H H"})
        self.assertEqual(one, ("drawn", "differs"))
        self.assertNotEqual(one, way({"check": "drawn", "message": "the text does not run: x"}))
        self.assertEqual(casts("int x = floatBitsToInt(y); // intBitsToFloat(z)")["to"], 1)
        self.assertEqual(casts("// floatBitsToInt(y)")["to"], 0)

    def test_missing_compilers_are_told(self):
        with self.assertRaisesRegex(compilers.Missing, "UNSHADE_UAM"):
            compilers.known("uam", "/nonexistent/uam")
        with self.assertRaisesRegex(compilers.Missing, "NAME=PATH"):
            compilers.given(["uam"])

    def test_known_faults_need_their_signs(self):
        failure = {"check": "drawn", "message": "N: N: H H"}
        lost = {"figures": {"agree": True}, "checks": {"run": "failed"}, "source": "", "listing": "BFE.U32 R0, R0, 0x61c", "between": ""}
        self.assertEqual(faults.explanation("uam", lost, failure), "the sign is lost behind a shift and a mask")
        self.assertIsNone(faults.explanation("uam", {**lost, "figures": {"agree": False}}, failure))
        self.assertIsNone(faults.explanation("uam", {**lost, "listing": "BFE.U32 R0, R0, 0x41c"}, failure))
        self.assertIsNone(faults.explanation("uam", lost, {"check": "verify-strict", "message": ""}))

    def test_faults_of_r600_need_their_signs(self):
        failure = {"check": "drawn", "message": "differs", "detail": ""}
        twice = {"figures": {}, "checks": {}, "failures": [failure], "source": "gl_PointSize = 1.0;", "listing": "03 EXP: POS1, R1.y___\n04 EXP_DONE: POS1, R2.xy00"}
        self.assertEqual(faults.explanation("r600", twice, failure), "clip distances go where the point size goes")
        self.assertIsNone(faults.explanation("r600", {**twice, "listing": "03 EXP_DONE: POS1, R1.y___"}, failure))

    def test_faults_of_lima_need_their_signs(self):
        failure = {"check": "run", "message": "differs"}
        seen = {"stage": "frag", "figures": {"agree": True}, "checks": {"run": "failed", "verify-strict": "passed"}, "source": "texture2D(t0, i0, 0.25)", "between": ""}
        lost = "    mov.s1      $0.x, ^const0.x\n  | const0      -1, 0\n    min.v1      $0.xy, ^v0.xy, ^const0.y\n    load.v      ^discard._, $2.xyx\n  | texld.bias  t0, $0.x\n"
        self.assertEqual(faults.explanation("lima", {**seen, "listing": lost}, failure), "a bias is overwritten before it is read")
        self.assertIsNone(faults.explanation("lima", {**seen, "listing": lost.replace("$0.xy", "$1.xy")}, failure))
        spilled = "    load.v      $0, gl_FragCoord\n  | load.t      -1\n  | store.t     -1, $0 @offset_register=0x3F\n    add.v1      $0, $0, $1\n"
        self.assertIsNotNone(faults.explanation("lima", {**seen, "listing": spilled}, failure))
        self.assertIsNone(faults.explanation("lima", {**seen, "listing": spilled.replace("store.t     -1", "store.t     -2")}, failure))
        self.assertIsNotNone(faults.explanation("lima", {**seen, "stage": "vert", "mended": True, "listing": ""}, failure))
        self.assertIsNone(faults.explanation("lima", {**seen, "stage": "vert", "mended": False, "listing": ""}, failure))

    def test_strangers_sources_are_adapted(self):
        text = sources.adapted("#version 330\nuniform vec4 tint;\nuniform sampler2D map;\nin vec2 uv;\nout vec4 color;\nvoid main() { color = texture(map, uv) * tint; }\n", "frag")
        self.assertRegex(text, r"binding = 0\) uniform Loose_ \{ vec4 tint; \}")
        self.assertRegex(text, r"layout\(binding = 0\) uniform sampler2D map")
        self.assertRegex(text, r"layout\(location = 0\) in vec2 uv")
        self.assertTrue(re.search(r"layout\(location = 0\) out vec4 color", text))


if __name__ == "__main__":
    unittest.main()
