"""tools/differential: programs of chance, or other people's, through a compiler from outside, and all that Unshade says of the result
held against the source. Programs are the same for a seed. For each:

  source           the made-up program is valid GLSL (a fault of the generator where it is not)
  compile          the compiler takes it
  check            no finding
  text             `disasm`, then `asm --into`, gives the same bytes
  readable, strict `decompile` gives a text; valid, valid-strict: glslangValidator takes it
  dispatcher       no loop around a switch where the flow of control could not be structured
  casts            no cast (floatBitsToInt and its kin) of a kind that the source lacks
  verify-strict, verify-readable   `verify`
  drawn, drawn-strict   the text computes what the source does, both run by a software OpenGL on the same inputs
  run              the interpreter computes what the source does
  time             no command takes more than a second of CPU time

  --compiler NAME=PATH   the compiler: uam (also UNSHADE_UAM=PATH), lima, r600, r600-sb (mesa/README.md), or any program with
                         {source}, {out} and {stage} in its command line
  --stages vert,frag     of these stages (all that the compiler has)
  --seeds FIRST-LAST     which programs of each stage (1-50)
  --programs frag7,vert12  only these programs
  --sources DIR          instead of made-up programs those below a folder
  --reduce N             makes the first N programs of each group of failures smaller (1; 0: none)
  --out DIR              where results.jsonl, report.md and the reduced programs go
  -j N                   programs at once

The exit status is 1 where a failure is left that no known fault of the compiler explains (faults.py), 2 where there is no
compiler or no command. Drawing needs the runner of the corpus beside the project and Mesa's software OpenGL; what cannot be
checked is said once."""

import argparse
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import compilers  # noqa: E402
import sources  # noqa: E402
import stages  # noqa: E402
import work  # noqa: E402
from drawing import runner_path  # noqa: E402
from report import Report  # noqa: E402

ROOT = os.path.join(HERE, "..", "..")


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("--command")
    parser.add_argument("--stages", default=",".join(stages.STAGES))
    parser.add_argument("--seeds", default="1-50")
    parser.add_argument("--programs")
    parser.add_argument("--sources")
    parser.add_argument("--cases", type=int, default=256)
    parser.add_argument("--reduce", type=int, default=1)
    parser.add_argument("--reduce-seconds", type=float, default=90.0)
    parser.add_argument("--out")
    parser.add_argument("-j", type=int, default=max(1, (os.cpu_count() or 2)))
    parser.add_argument("--print", action="store_true", dest="show", help="prints the programs instead")
    return parser.parse_args()


def build():
    subprocess.run(["cargo", "build", "--release", "--locked", "-q", "-p", "unshade-cli"], cwd=ROOT, check=True)
    return os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "release", "unshade")


def jobs(given, compiler):
    """What is to be looked at."""
    if given.sources:
        for name, stage, text in sources.found(given.sources, compiler.dialect):
            if stage in compiler.stages:
                yield {"name": name, "stage": stage, "text": text}
        return
    if given.programs:
        for name in given.programs.split(","):
            stage, seed = name.rstrip("0123456789"), int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
            yield {"name": f"{name}.{stage}", "stage": stage, "seed": seed}
        return
    first, _, last = given.seeds.partition("-")
    for seed in range(int(first), int(last or first) + 1):
        for stage in given.stages.split(","):
            if stage in compiler.stages:
                yield {"name": f"{stage}{seed}.{stage}", "stage": stage, "seed": seed}


def reduce_groups(given, report, settings):
    """Smaller programs for the groups of failures, by the way in which they fail."""
    wanted = []
    for key, members in report.groups():
        made = [document for document, _ in members if document["name"] == f"{document['name'].split('.')[0]}.{document['stage']}"]
        made.sort(key=lambda document: len(document.get("source", "")))
        for document in made[: given.reduce]:
            seed = int("".join(filter(str.isdigit, document["name"])))
            wanted.append({"name": document["name"], "stage": document["stage"], "seed": seed, "failure": list(key)})
    out = {}
    for document, key in zip_by_name(work.run(wanted, settings, given.j), wanted):
        if document.get("reduced"):
            out.setdefault(key, []).append(document)
            place = os.path.join(report.folder, "reduced")
            os.makedirs(place, exist_ok=True)
            name = f"{key[0]}-{document['name']}"
            with open(os.path.join(place, name), "w") as file:
                file.write(document["reduced"])
    return out


def zip_by_name(documents, wanted):
    """Each document with the key of its job; several jobs of one program are told apart by what was asked."""
    left = list(wanted)
    for document in documents:
        job = next((job for job in left if job["name"] == document["name"] and document.get("failure", job["failure"]) == job["failure"]), None)
        if job:
            left.remove(job)
            yield document, tuple(job["failure"])


def main():
    given = arguments()
    if given.show:
        dialect = next((compiler.dialect for compiler in compilers.given(given.compiler)), "maxwell") if given.compiler else "maxwell"
        for job in jobs(given, AnyStage()):
            print(job["text"] if "text" in job else stages.program(job["stage"], job["seed"], dialect).text())
        return 0
    try:
        wanted = compilers.given(given.compiler)
    except compilers.Missing as error:
        print(f"differential: {error}", file=sys.stderr)
        return 2
    command = given.command or build()
    if not os.access(command, os.X_OK):
        print(f"differential: no command at {command}", file=sys.stderr)
        return 2
    if runner_path() is None:
        print("differential: no runner (tools/glslrun.py of the corpus, or UNSHADE_GLSLRUN), so nothing is drawn", file=sys.stderr)
    bad = False
    for compiler in wanted:
        folder = given.out or tempfile.mkdtemp(prefix="differential-")
        folder = os.path.join(folder, compiler.name) if len(wanted) > 1 else folder
        report = Report(folder, compiler.name)
        settings = work.Settings(os.path.abspath(command), compiler, given.cases, given.reduce_seconds)
        start = time.monotonic()
        for number, document in enumerate(work.run(jobs(given, compiler), settings, given.j), 1):
            report.take(document)
            if number % 100 == 0:
                rate = (time.monotonic() - start) / number
                print(f"{number} programs, {rate:.2f} s each, {len(report.unexplained())} failures", file=sys.stderr)
        print(f"{compiler.name}: " + "\n".join(report.figures()))
        print("\n".join(report.table()))
        for line in report.explained():
            print("explained:", line)
        small = reduce_groups(given, report, settings) if given.reduce and not given.sources else {}
        for key, members in report.groups():
            print(f"FAILS {len(members):>5}  {key[0]}: {key[1][:110]}  ({', '.join(document['name'] for document, _ in members[:3])})")
        print("report:", report.write(small))
        bad = bad or bool(report.unexplained())
    return 1 if bad else 0


class AnyStage:
    stages, dialect = stages.STAGES, "maxwell"


if __name__ == "__main__":
    sys.exit(main())
