"""What is asked of one program: it is compiled, and everything that is said of the result is held against its source."""

import collections
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess

import machine
from drawing import Differs, Refused, Tolerance, said

# Names of the checks in the order in which they are made.
CHECKS = (
    "source", "compile", "check", "text", "readable", "strict", "valid", "valid-strict", "dispatcher", "casts", "verify-strict",
    "verify-readable", "drawn", "drawn-strict", "run", "time",
)
# Most CPU time of one command, in seconds; and after how long it is stopped.
LONGEST, PATIENCE = 1.0, 30
CASES = 256
TOKEN = re.compile(r"[A-Za-z_]\w*|(?:0[xX][0-9a-fA-F]+|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)[a-zA-Z]*|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||\^\^|<<|>>|\+\+|--|\S")
# Words by which bits change their meaning, by kind: those to bits, those from bits, and doubles from words and back.
CASTS = {"floatBitsToInt": "to", "floatBitsToUint": "to", "intBitsToFloat": "from", "uintBitsToFloat": "from", "packDouble2x32": "double", "unpackDouble2x32": "double"}


def plain(message):
    """A message without what only belongs to one program: numbers, names."""
    message = re.sub(r"\b0x[0-9a-fA-F]+\b|\b[0-9a-f]{8}\b", "H", message)
    message = re.sub(r"/\S*/", "", message)
    message = re.sub(r"-?\d+\.?\d*(e[-+]?\d+)?", "N", message)
    return re.sub(r"\s+", " ", message).strip()[:160]


class Result:
    """What came of one program."""

    def __init__(self, name, stage):
        self.name, self.stage = name, stage
        self.checks, self.failures, self.figures = {}, [], {}

    def passed(self, check):
        self.checks.setdefault(check, "passed")

    def failed(self, check, message, detail=""):
        self.checks[check] = "failed"
        self.failures.append({"check": check, "message": plain(message), "detail": (detail or message)[:2000]})

    def skipped(self, check, why):
        self.checks.setdefault(check, "skipped: " + why)

    def document(self):
        return {"name": self.name, "stage": self.stage, "checks": self.checks, "failures": self.failures, "figures": self.figures}


def tokens(text):
    """What a text is made of, without comments and lines for the preprocessor."""
    text = re.sub(r"/\*.*?\*/", " ", re.sub(r"//[^\n]*", "", text), flags=re.S)
    return TOKEN.findall("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))


def casts(text):
    found = collections.Counter()
    for token in tokens(text):
        if token in CASTS:
            found[CASTS[token]] += 1
    return found


class Examiner:
    """Runs the command, the validator and the runner for one program after another."""

    def __init__(self, command, compiler, drawing, progress=lambda step: None, cases=CASES, shaken=False):
        self.command, self.compiler, self.drawing, self.progress, self.cases = command, compiler, drawing, progress, cases
        self.validator = shutil.which("glslangValidator")
        if compiler.tolerance:
            drawing.tolerance = Tolerance(*compiler.tolerance)
        # Whether cases are left out in which the source itself is chaotic.
        self.shaken = shaken

    def examine(self, name, stage, source, hints, folder, only=None, exact=True):
        """All checks, or `only` some of them; whether the source is valid too where it is to be `exact`."""
        result = Result(name, stage)
        self.wanted = lambda *checks: only is None or any(check in only for check in checks)
        self.result, self.folder, self.stage, self.slowest = result, folder, stage, (0.0, "")
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write(source)
        if exact and self.validator and only is None:
            self.validate([(path, "source")])
        self.progress("compile")
        compiled = os.path.join(folder, name + self.compiler.suffix)
        why = self.compiler.compile(path, stage, compiled)
        if why:
            # A compiler may refuse; what it says is counted by its kind.
            result.checks["compile"] = "refused: " + plain(why)
            return result
        result.passed("compile")
        result.figures["bytes"] = os.path.getsize(compiled)
        self.check(compiled)
        if self.wanted("text"):
            self.text(compiled)
        readable = self.decompile(compiled, "readable", source) if self.wanted("readable", "valid", "casts", "dispatcher", "drawn") else None
        strict = self.decompile(compiled, "strict", source) if self.wanted("strict", "valid-strict", "drawn-strict") else None
        if self.validator and self.wanted("valid", "valid-strict"):
            self.validate([(text, check) for text, check in ((readable, "valid"), (strict, "valid-strict")) if text])
        if self.wanted("verify-strict", "verify-readable"):
            self.verify(compiled)
        if self.wanted("drawn", "drawn-strict", "run"):
            self.draw(path, source, hints, compiled, readable, strict)
        if self.slowest[0] > LONGEST:
            result.failed("time", f"{self.slowest[1]} takes longer than {LONGEST} s", f"{self.slowest[1]}: {self.slowest[0]:.2f} s")
        else:
            result.passed("time")
        result.figures["seconds"] = round(self.slowest[0], 3)
        return result

    # -- the command

    def call(self, *words, timed=True):
        """Exit status, output and messages; its CPU time counts."""
        self.progress(" ".join(words[:2]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = subprocess.Popen([self.command, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "NO_COLOR": "1"})
        try:
            out, error = child.communicate(timeout=PATIENCE)
            status = child.returncode
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            out, error = child.communicate()
            status = 124
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if timed:
            self.slowest = max(self.slowest, (seconds, words[0]))
        return status, out.decode(errors="replace"), error.decode(errors="replace")

    def check(self, compiled):
        status, out, error = self.call("check", "--json", *self.compiler.words(compiled, self.stage, "check"), compiled)
        try:
            found = json.loads(out)["files"][0]["diagnostics"]
        except (ValueError, LookupError):
            return self.result.failed("check", f"exit status {status}: {error}")
        # Notes are no findings.
        found = [item for item in found if item.get("severity") not in ("info", "note") and item.get("code") not in self.compiler.writers]
        if found:
            text = "; ".join(f"{item.get('code', '')} {item.get('message', item)}" for item in found)
            return self.result.failed("check", f"{found[0].get('code', '')} {found[0].get('message', '')}", text)
        return self.result.passed("check")

    def text(self, compiled):
        listing, copy = os.path.join(self.folder, "listing"), os.path.join(self.folder, "back" + self.compiler.suffix)
        words = self.compiler.words(compiled, self.stage, "disasm")
        status, _, error = self.call("disasm", *words, compiled, "-o", listing)
        if status == 0:
            # Bare code has nothing around it that would be kept.
            status, _, error = self.call("asm", listing, *(() if words else ("--into", compiled)), "-o", copy)
        if status:
            return self.result.failed("text", f"exit status {status}: {error}")
        with open(compiled, "rb") as one, open(copy, "rb") as other:
            if one.read() != other.read():
                return self.result.failed("text", "other bytes")
        return self.result.passed("text")

    def decompile(self, compiled, mode, source):
        """The path of the text, or nothing."""
        words = ["decompile", "--json", *self.compiler.words(compiled, self.stage, "decompile"), compiled] + (["--strict"] if mode == "strict" else [])
        status, out, error = self.call(*words)
        result = self.result
        try:
            item = json.loads(out)["items"][0]
            text = item["source"]
        except (ValueError, LookupError, TypeError):
            text = None
        if status or not text:
            result.failed(mode, f"exit status {status}: {error or out}")
            return None
        result.passed(mode)
        path = os.path.join(self.folder, f"{mode}.{self.stage}")
        with open(path, "w") as file:
            file.write(text)
        if mode == "readable":
            if item.get("dispatchers"):
                result.failed("dispatcher", f"{item['dispatchers']} dispatchers")
            else:
                result.passed("dispatcher")
            extra = [kind for kind in casts(text) if not casts(source)[kind]]
            if extra:
                lines = [line.strip() for line in text.splitlines() if any(word in line for word, kind in CASTS.items() if kind in extra)]
                result.failed("casts", "casts that the source lacks: " + ", ".join(sorted(extra)), "\n".join(lines))
            else:
                result.passed("casts")
            of_source = source_tokens(self.preprocessed(source))
            result.figures["tokens"] = len(tokens(text))
            result.figures["source_tokens"] = of_source
            result.figures["ratio"] = round(len(tokens(text)) / max(of_source, 1), 3)
        return path

    def preprocessed(self, source):
        """Other people's sources without what their macros leave out."""
        path = os.path.join(self.folder, f"preprocessed.{self.stage}")
        if not (self.shaken and self.validator):
            return source
        with open(path, "w") as file:
            file.write(source)
        done = subprocess.run([self.validator, "-E", path], capture_output=True, text=True, timeout=PATIENCE)
        return done.stdout if done.returncode == 0 and "main" in done.stdout else source

    def validate(self, texts):
        """Pairs of a text and the name of the check that it is valid GLSL, all by one run of the validator."""
        self.progress("validator")
        if not texts:
            return
        done = subprocess.run([self.validator, *(path for path, _ in texts)], capture_output=True, text=True, timeout=PATIENCE)
        # It prints the name of each file in front of what it says of it.
        found, current = collections.defaultdict(list), texts[0][0]
        for line in done.stdout.splitlines():
            if line in {path for path, _ in texts}:
                current = line
            elif line.startswith("ERROR"):
                found[current].append(line)
        if done.returncode and not found:
            found[current].append(done.stdout[:200] or f"exit status {done.returncode}")
        for path, check in texts:
            if found[path]:
                lines = found[path]
                self.result.failed(check, re.sub(r"^ERROR: [^:]*:\d+: ", "", lines[0].replace(path, "")), "\n".join(lines[:5]))
            else:
                self.result.passed(check)

    def verify(self, compiled):
        status, out, error = self.call("verify", "--json", "--cases", str(self.cases), *self.compiler.words(compiled, self.stage, "verify"), compiled)
        result = self.result
        try:
            stage = json.loads(out)["files"][0]["stages"][0]
        except (ValueError, LookupError):
            for check in ("verify-strict", "verify-readable"):
                result.failed(check, f"exit status {status}: {error or out}")
            return
        verdict = stage["verdict"].removeprefix("WEAK: ")
        result.figures["weak"] = verdict != stage["verdict"]
        result.figures["compared"] = [stage.get("strict_cases", 0), stage.get("readable_cases", 0)]
        details = stage.get("details", [])
        for mode in ("strict", "readable"):
            bad = [line for line in details if line.startswith(mode)]
            check = "verify-" + mode
            if f"{mode} FAILS" in verdict:
                result.failed(check, re.sub(r"case \d+ at (\w+)", r"at \1", bad[0]) if bad else stage["verdict"], "\n".join([stage["verdict"], *details]))
            elif verdict.startswith(mode) or f"; {mode}" in verdict:
                result.passed(check)
            else:
                result.failed(check, stage["verdict"], "\n".join(details))

    # -- against the source

    def draw(self, path, source, hints, compiled, readable, strict):
        result, drawing = self.result, self.drawing
        if not drawing.there():
            for check in ("drawn", "drawn-strict", "run"):
                result.skipped(check, "no runner")
            return
        self.progress("run the source")
        try:
            doc = drawing.vectors(path, hints)
        except Refused as error:
            for check in ("drawn", "drawn-strict", "run"):
                result.skipped(check, "the source does not run: " + plain(str(error)))
            return
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError, IndexError, struct.error) as error:
            for check in ("drawn", "drawn-strict", "run"):
                result.skipped(check, f"the runner does not know it: {type(error).__name__} {plain(str(error))}")
            return
        if any(item["type"].startswith("mat") for part in ("inputs", "outputs") for item in doc["interface"][part]):
            for check in ("drawn", "drawn-strict", "run"):
                result.skipped(check, "a matrix among inputs or outputs, which the code has as columns")
            return
        if self.shaken and stage_reads_table(source):
            # Tables of other people's have a row for each vertex of a triangle.
            doc["cases"] = [case for case in doc["cases"] if case["sys"].get("VertexID", 0) < 3]
        result.figures["drawn"] = len(doc["cases"])
        made, places = {}, self.compiler.places(compiled)
        for check, text in (("drawn", readable), ("drawn-strict", strict)):
            if text and self.wanted(check):
                self.progress(check)
                if self.stage in ("geom", "tese", "frag"):
                    drawing.dressed(text, source)
                if self.compiler.family == "mali" and self.stage == "vert":
                    for case in doc["cases"]:
                        case.setdefault("uniform", {})["mali_ViewportTransform[0]"] = machine.VIEWPORT
                if self.compiler.family == "latte":
                    numbered(text, places, doc)
                made[check] = self.drawn(check, path, doc, text)
        if self.wanted("run"):
            self.run(path, doc, source, compiled)
            if result.checks.get("run") == "failed" and made.get("drawn-strict"):
                self.agreement(doc, made["drawn-strict"], source, compiled)

    def drawn(self, check, path, doc, text):
        """What the text computes, or nothing."""
        result, outputs = self.result, None
        try:
            outputs = self.drawing.outputs(text, doc)
            if check == "drawn-strict" and self.compiler.family == "mali" and self.stage == "vert":
                outputs = [machine.unprojected(made) for made in outputs]
            self.same(path, doc, self.drawing.differences(doc, outputs))
            result.passed(check)
        except Refused as error:
            # Strict source asks the lanes that the code asks; what the readable one has from them is for it to say.
            if check == "drawn-strict" and "GL_KHR_shader_subgroup" in str(error):
                result.skipped(check, "this OpenGL has no subgroup operations")
            else:
                result.failed(check, "the text does not run: " + str(error))
        except Differs as error:
            result.failed(check, error.args[0], error.args[1])
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, struct.error) as error:
            result.failed(check, f"the text's interface is another: {type(error).__name__} {error}")
        return outputs

    def agreement(self, doc, outputs, source, compiled):
        """Whether the interpreter computes what the strict source does, both against the source: then the code is another."""
        try:
            other = {**doc, "cases": [{**case, "out": made} for case, made in zip(doc["cases"], outputs)]}
            vectors = os.path.join(self.folder, "agreement.json")
            with open(vectors, "w") as file:
                json.dump(self.vectors(other, source, compiled), file)
        except (machine.Unmapped, KeyError, TypeError, ValueError):
            return
        words = self.compiler.words(compiled, self.stage, "run")
        status, _, _ = self.call("run", "--check", vectors, "--root", self.folder, *(words[words.index("--state"):] if words else ()), timed=False)
        self.result.figures["agree"] = status == 0

    def vectors(self, doc, source, compiled):
        """The document for `run`."""
        kind = machine.FAMILIES[self.compiler.family]
        return kind(doc, source, os.path.basename(compiled), self.compiler.places(compiled)).make()

    def same(self, path, doc, differ):
        """Nothing where no case differs, or only such as no computation can be held to."""
        if self.shaken:
            # What comes of a NaN the language leaves open.
            differ = {number: [item for item in bad if "nan" not in item[1]] for number, bad in differ.items()}
            differ = {number: bad for number, bad in differ.items() if bad}
        unsure = {number for number in differ if self.unsure(doc, number)}
        if unsure:
            for number in self.drawing.chaotic(path, doc, unsure):
                self.result.figures["chaotic"] = self.result.figures.get("chaotic", 0) + 1
                differ.pop(number, None)
        if differ:
            number = min(differ)
            lines = [f"case {number} ({doc['cases'][number].get('kind')}): {place}: {what}" for place, what in differ[number][:6]]
            raise Differs(said(differ[number]), f"{len(differ)} of {len(doc['cases'])} cases differ\n" + "\n".join(lines))

    def unsure(self, doc, number):
        """Whether a case may be chaotic: where inputs are multiples of 1/64, made-up programs round nothing on a border."""
        return self.shaken or doc["cases"][number].get("kind") == "full"

    def run(self, path, doc, source, compiled):
        """The interpreter against the same results."""
        result = self.result
        if self.compiler.family not in machine.FAMILIES:
            return result.skipped("run", "where the compiler puts things is not known")
        try:
            made = self.vectors(doc, source, compiled)
        except (machine.Unmapped, KeyError, TypeError, ValueError) as error:
            return result.skipped("run", f"{type(error).__name__} {plain(str(error))}")
        if not made["cases"]:
            return result.skipped("run", "nothing comes out")
        vectors = os.path.join(self.folder, "vectors.json")
        with open(vectors, "w") as file:
            json.dump(made, file)
        words = self.compiler.words(compiled, self.stage, "run")
        status, out, error = self.call("run", "--check", vectors, "--root", self.folder, *(words[words.index("--state"):] if words else ()), timed=False)
        if status == 0:
            return result.passed("run")
        if status == 124:
            return result.skipped("run", "takes too long")
        if self.shaken and set(re.findall(r"got ([0-9a-f ]+)", out)) and all("7fc00000" in words for words in re.findall(r"got ([0-9a-f ]+)", out)):
            return result.passed("run")
        lines = (out + error).strip().splitlines()
        first = next((line for line in lines if re.match(r"\s+\w\d+:", line)), lines[-1] if lines else f"exit status {status}")
        failed = {int(number) for number in re.findall(r"^\s+\w(\d+):", out, re.M)}
        if failed and all(self.unsure(doc, number) for number in failed) and failed <= self.drawing.chaotic(path, doc, failed):
            return result.passed("run")
        return result.failed("run", re.sub(r"^\s*\w\d+: ", "", first), "\n".join(lines[:8]))


def numbered(path, places, doc):
    """Gives a text of bare code the bindings that its source has; the driver's own constants get one of their own."""
    with open(path) as file:
        text = file.read()

    def block(match):
        return f"layout(std140, binding = {places['buffers'].get(match[1], machine.WINDOW)}) uniform"

    def texture(match):
        key = next((item["key"] for item in doc["interface"]["textures"] if places["textures"].get(item["name"]) == int(match[1])), None)
        return match[0] if key is None else f"layout(binding = {key}) uniform {match[2]}sampler"

    text = re.sub(r"layout\(std140, binding = (\d+)\) uniform", block, text)
    text = re.sub(r"layout\(binding = (\d+)\) uniform ([iu]?)sampler", texture, text)
    with open(path, "w") as file:
        file.write(text)
    if places.get("window"):
        doc["pool"]["window"] = machine.window(doc)
        for case in doc["cases"]:
            case.setdefault("ubo", {})[machine.WINDOW] = "window"


def stage_reads_table(source):
    return re.search(r"\[\s*(int\()?\s*gl_VertexID\s*\)?\s*\]", source) is not None


def source_tokens(source):
    """How many tokens a source has, functions left out that main() does not reach."""
    functions, outside, head, body, depth = {}, 0, [], None, 0
    for token in tokens(source):
        if body is not None:
            depth += (token == "{") - (token == "}")
            body.append(token)
            if depth == 0:
                name = head[head.index("(") - 1]
                functions.setdefault(name, []).extend(head + body)
                head, body = [], None
        elif token == "{" and head and head[-1] == ")" and "(" in head and head[0] != "layout":
            body, depth = [token], 1
        else:
            head.append(token)
            if token == ";" and head.count("{") == head.count("}"):
                outside += len(head)
                head = []
    reached, queue = set(), ["main"]
    while queue:
        name = queue.pop()
        if name in functions and name not in reached:
            reached.add(name)
            queue += functions[name]
    return outside + len(head) + sum(len(functions[name]) for name in reached)
