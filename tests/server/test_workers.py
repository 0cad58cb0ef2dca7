"""Processes that think for a server, and no longer than it."""

import os
import subprocess
import sys
import time
from pathlib import Path

PATIENCE_S = 20
SERVER = """
import os, time
from whodunit.server.workers import _lane

if __name__ == "__main__":
    lane = _lane()
    print(lane.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def alive(process: int) -> bool:
    """Say whether a process is there and has not ended: whoever inherits it may not have looked after it yet."""
    try:
        os.kill(process, 0)
        # Where there is no /proc, one that has ended is there until it is looked after.
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self/stat").exists()


def test_a_worker_does_not_outlive_a_server_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert alive(worker)
        server.kill()
    deadline = time.monotonic() + PATIENCE_S
    while alive(worker):
        assert time.monotonic() < deadline
        time.sleep(0.01)
