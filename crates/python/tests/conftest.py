"""What the tests share: the samples, and the command, whose output is the truth that the package is held against."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"


def sample_files() -> list[Path]:
    return sorted(path for path in SAMPLES.iterdir() if path.is_file())


@pytest.fixture(scope="session")
def samples() -> Path:
    return SAMPLES


class Command:
    """The `unshade` command. `UNSHADE` names it; without, tests that need it are skipped."""

    def __init__(self, path: str) -> None:
        self.path = path

    def run(self, *arguments: object, status: tuple[int, ...] = (0, 1)) -> str:
        done = subprocess.run(
            [self.path, *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=ROOT
        )
        assert done.returncode in status, done.stderr
        return done.stdout

    def json(self, *arguments: object) -> Any:
        return json.loads(self.run(*arguments, "--json"))


@pytest.fixture(scope="session")
def command() -> Command:
    path = os.environ.get("UNSHADE")
    if path is None:
        pytest.skip("UNSHADE names no command to compare with")
    return Command(path)
