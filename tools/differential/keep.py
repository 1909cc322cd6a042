"""Regression programs: `keep.py SOURCE...` compiles small programs, runs them, and puts source, compiled bytes and vectors into
tests/differential, where `cargo test` looks at each (tests/tests/rooms/differential.rs). `// has: TEXT` and `// lacks: TEXT` in a
source say what its readable text must show and must not show. Floats of its inputs lie between -2 and 2, integers as
`// hint: NAME LOW HIGH` says, or anywhere from 0 to 5."""

import json
import os
import re
import sys
import tempfile

import compilers
import machine
from drawing import Drawing

PLACE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests", "differential")
CASES = 4


def hints(source):
    """Between which numbers inputs lie, as the comments say."""
    out = {}
    for name, low, high in re.findall(r"^// hint: (\w+) (\S+) (\S+)$", source, re.M):
        out[name] = [float(low), float(high)]
    for name in re.findall(r"^// hint: (\w+) bits$", source, re.M):
        out[name] = "bits"
    return out


def keep(path, compiler, drawing):
    """The lines that tell of trouble; none where it was kept."""
    name = os.path.basename(path)
    stage = name.rsplit(".", 1)[-1]
    with open(path) as file:
        source = file.read()
    with tempfile.TemporaryDirectory() as folder:
        here = os.path.join(folder, name)
        with open(here, "w") as file:
            file.write(source)
        compiled = os.path.join(folder, name + compiler.suffix)
        why = compiler.compile(here, stage, compiled)
        if why:
            return [f"{name}: {why}"]
        doc = drawing.vectors(here, hints(source), cases=CASES)
        made = machine.Document(doc, source, name + compiler.suffix).make()
        with open(compiled, "rb") as file:
            data = file.read()
    os.makedirs(PLACE, exist_ok=True)
    with open(os.path.join(PLACE, name), "w") as file:
        file.write(source)
    with open(os.path.join(PLACE, name + compiler.suffix), "wb") as file:
        file.write(data)
    with open(os.path.join(PLACE, name + ".json"), "w") as file:
        json.dump(shortened(made), file, separators=(",", ":"))
        file.write("\n")
    return []


def shortened(made):
    """The same without what no case names, buffers only as long as their end is not all alike."""
    used = json.dumps(made["cases"])
    made["pool"] = {key: text for key, text in made["pool"].items() if f'"@{key}"' in used}
    return {key: value for key, value in made.items() if value}


def main():
    compiler, drawing = compilers.given([])[0], Drawing()
    if not drawing.there():
        sys.exit("keep: no runner")
    bad = [line for path in sys.argv[1:] for line in keep(path, compiler, drawing)]
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
