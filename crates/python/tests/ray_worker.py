"""What the tests of the scan by Ray do in its workers: they note who looks at what, and end workers."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import unshade


def _wait_for_another(notes: str) -> None:
    """Waits until another worker looks at something as well; not for ever, since there may be none."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with open(notes) as lines:
            if len({line.split(" ")[0] for line in lines}) > 1:
                return
        time.sleep(0.05)


def prepare() -> None:
    looks, folder = unshade.scan_file, os.environ["UNSHADE_TEST_NOTES"]

    def scan_file(path: Any, **named: Any) -> unshade.Table:
        name = str(named["name"])
        with open(os.path.join(folder, "looked"), "a") as notes:
            notes.write(f"{os.getpid()} {name}\n")
        if os.path.exists(os.path.join(folder, "together")):
            _wait_for_another(os.path.join(folder, "looked"))
        if name.endswith("/poison.shbin"):
            os.kill(os.getpid(), signal.SIGKILL)
        if name.endswith("one/linked.mbs") and os.path.exists(os.path.join(folder, "dies")):
            # Once: the next worker finds the mark.
            try:
                os.close(os.open(os.path.join(folder, "died"), os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return looks(path, **named)

    unshade.scan_file = scan_file
