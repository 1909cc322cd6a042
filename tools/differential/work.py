"""Several programs at once, each in a process that lives long: the software OpenGL is slow to start, and what it is asked to run
may take it down or never end."""

import multiprocessing
import multiprocessing.connection
import os
import tempfile
import time

import stages
from checks import Examiner, Result
from drawing import Drawing
from faults import AGAINST_SOURCE, widened
from reduce import Reducer, way

# After so many jobs a process is replaced, since the software OpenGL gives nothing back.
JOBS = 120
# How long one step may take, in seconds.
PATIENCE = 60


class Settings:
    """What all processes are told."""

    def __init__(self, command, compiler, cases, seconds):
        self.command, self.compiler, self.cases, self.seconds = command, compiler, cases, seconds


def worker(pipe, settings):
    """The loop of one process: gets jobs, sends ("step", what) and ("done", document)."""
    drawing = Drawing()
    step = lambda what: pipe.send(("step", what))
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        while True:
            try:
                job = pipe.recv()
            except EOFError:
                return
            if job is None:
                return
            try:
                document = done(job, settings, drawing, step, folder)
            except Exception as error:  # What the harness does wrong is shown as its own failure.
                import traceback
                document = {"name": job["name"], "stage": job["stage"], "checks": {"harness": "failed"}, "figures": {},
                            "failures": [{"check": "harness", "message": f"{type(error).__name__}: {error}"[:160], "detail": traceback.format_exc()[-1500:]}]}
            pipe.send(("done", document))


def done(job, settings, drawing, step, folder):
    examiner = Examiner(settings.command, settings.compiler, drawing, step, settings.cases, shaken="text" in job)
    if "text" in job:
        document = examiner.examine(job["name"], job["stage"], job["text"], {}, folder, exact=False).document()
        document["source"] = job["text"]
        evidence(document, examiner, folder)
        if document["checks"].get("casts") == "failed" and document["stage"] == "frag":
            document["widened"] = casts_go(document, job["text"], {}, examiner, folder)
        return document
    program = stages.program(job["stage"], job["seed"], settings.compiler.dialect)
    if "failure" in job:
        return reduced(job, program, examiner, step, folder, settings)
    document = examiner.examine(program.name, job["stage"], program.text(), program.hints, folder, exact=job["seed"] % 8 == 0).document()
    document["uses"] = sorted(program.uses)
    if document["failures"] or document["checks"].get("compile") != "passed":
        document["source"] = program.text()
    evidence(document, examiner, folder)
    if document["checks"].get("casts") == "failed" and document["stage"] == "frag":
        document["widened"] = casts_go(document, program.text(), program.hints, examiner, folder)
    if examiner.compiler.mendable and any(failure["check"] in AGAINST_SOURCE for failure in document["failures"]):
        document["mended"] = agrees_mended(job, program, examiner, folder)
    return document


def casts_go(document, source, hints, examiner, folder):
    """Whether the text has no cast that the source lacks where that declares all components of its targets."""
    other = widened(source)
    if other == source:
        return False
    return examiner.examine(document["name"], document["stage"], other, hints, folder, only={"casts"}).checks.get("casts") == "passed"


def agrees_mended(job, program, examiner, folder):
    """Whether the code is right of the same compiler without the faults that it can be asked to leave out."""
    examiner.compiler.mended = True
    result = examiner.examine(program.name, job["stage"], program.text(), program.hints, folder, only={"drawn-strict"})
    examiner.compiler.mended = False
    return result.checks.get("drawn-strict") == "passed"


def evidence(document, examiner, folder):
    """What faults of the compiler are recognised by, for a program that differs from its source."""
    if not any(failure["check"] in (*AGAINST_SOURCE, "check", "readable") for failure in document["failures"]):
        return
    path = os.path.join(folder, document["name"])
    listing = os.path.join(folder, "listing")
    if os.path.exists(listing):
        with open(listing) as file:
            document["listing"] = file.read()[:60000]
    document["between"] = examiner.compiler.between(path, document["stage"], folder)[:60000]


def reduced(job, program, examiner, step, folder, settings):
    """The smallest program found that fails as the first one did."""
    wanted = tuple(job["failure"])

    def fails(made):
        step("reduce")
        result = examiner.examine(made.name, job["stage"], made.text(), made.hints, folder, only={wanted[0]})
        return any(way(failure) == wanted for failure in result.failures)

    if not fails(program):
        return {"name": job["name"], "stage": job["stage"], "reduced": None}
    reducer = Reducer(program, fails, settings.seconds)
    small = reducer.reduce()
    result = examiner.examine(small.name, job["stage"], small.text(), small.hints, folder, only={wanted[0]})
    detail = next((failure["detail"] for failure in result.failures if way(failure) == wanted), "")
    texts = {}
    for mode in ("readable", "strict"):
        path = os.path.join(folder, f"{mode}.{job['stage']}")
        if os.path.exists(path) and mode in result.checks:
            with open(path) as file:
                texts[mode] = file.read()
    return {"name": job["name"], "stage": job["stage"], "reduced": small.text(), "hints": small.hints, "detail": detail, "tried": reducer.tried, "texts": texts}


class Process:
    def __init__(self, settings):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=worker, args=(other, settings), daemon=True)
        self.process.start()
        other.close()
        self.job, self.step, self.since, self.count = None, "", 0.0, 0

    def give(self, job):
        self.job, self.step, self.since, self.count = job, "start", time.monotonic(), self.count + 1
        self.pipe.send(job)

    def end(self):
        self.process.kill()
        self.process.join()
        self.pipe.close()


def lost(job, step, why, dialect):
    """What is said of a job whose process is gone."""
    result = Result(job["name"], job["stage"])
    check = step if step in ("drawn", "drawn-strict") else "source-run" if step == "run the source" else step.split(" ")[0]
    if check == "source-run":
        result.skipped("drawn", "the source itself does not run")
        return result.document()
    result.failed(check, f"{why} while: {step}")
    document = result.document()
    if "text" in job:
        document["source"] = job["text"]
    elif "seed" in job:
        document["source"] = stages.program(job["stage"], job["seed"], dialect).text()
    return document


def run(jobs, settings, count, progress=lambda document: None):
    """The documents of all jobs, in the order in which they end."""
    jobs, processes = list(jobs)[::-1], []
    while jobs or any(process.job for process in processes):
        for process in [process for process in processes if not process.job and process.count >= JOBS]:
            processes.remove(process)
            process.end()
        while jobs and len(processes) < count:
            processes.append(Process(settings))
        for process in processes:
            if jobs and not process.job:
                process.give(jobs.pop())
        busy = {process.pipe: process for process in processes if process.job}
        for pipe in multiprocessing.connection.wait(list(busy), timeout=1.0):
            process = busy[pipe]
            try:
                kind, value = pipe.recv()
            except (EOFError, OSError):
                document = lost(process.job, process.step, "the process ends", settings.compiler.dialect)
                processes.remove(process)
                process.end()
                process.job = None
                progress(document)
                yield document
                continue
            if kind == "step":
                process.step, process.since = value, time.monotonic()
            else:
                process.job = None
                progress(value)
                yield value
        for process in [process for process in processes if process.job and time.monotonic() - process.since > PATIENCE]:
            document = lost(process.job, process.step, f"not done after {PATIENCE} s", settings.compiler.dialect)
            processes.remove(process)
            process.end()
            process.job = None
            progress(document)
            yield document
    for process in processes:
        process.end()
