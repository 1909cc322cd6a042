"""The examples of the documentation run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import ROOT, SAMPLES


def examples() -> list[tuple[str, str]]:
    found = []
    for page in ("README.md", "crates/python/README.md", "docs/python.md"):
        blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
        assert blocks, page
        found += [(f"{page}-{number}", block) for number, block in enumerate(blocks)]
    return found


@pytest.mark.parametrize("block", [block for _, block in examples()], ids=[name for name, _ in examples()])
def test_example(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "samples").symlink_to(SAMPLES)
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "example", "exec"), {})
