"""Calling Snakemake so that it can be stopped politely: when the time is used, or by the person who waits."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

TIME, PERSON = "time", "person"
_ASKED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def snakemake(words: Sequence[str]) -> list[str]:
    """Return the command that calls the Snakemake of this environment."""
    return [sys.executable, "-m", "snakemake", *words]


class Engine:
    """One call of a program that, at SIGTERM, lets its running jobs end and starts no others.

    It has a process group of its own, so that Ctrl-C comes here and not to its jobs. The first Ctrl-C, as
    SIGTERM to this process, is handed on politely; the second interrupts the program and its jobs.

    Attributes
    ----------
    stopped : str or None
        "time" or "person": who asked it to stop.
    status : int
        Its exit status; negative where a signal ended it.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.stopped: str | None = None
        self.status = 0
        self._words = words

    def run(self, end: float | None = None) -> None:
        """Run it to its end, and ask it to stop when `time.monotonic` is at `end`."""
        with subprocess.Popen(self._words, process_group=0) as process, self._asked(process):
            try:
                self.status = process.wait(None if end is None else max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                if self.stopped is None:
                    self._stop(process, TIME)
                self.status = process.wait()

    @contextmanager
    def _asked(self, process: subprocess.Popen) -> Iterator[None]:
        """Hand on what this process is asked, while the program runs."""

        def hand_on(number: int, frame: FrameType | None) -> None:
            if number == signal.SIGHUP:  # the terminal is gone: nobody could ask again
                self.stopped = PERSON
                os.killpg(process.pid, number)
            elif self.stopped is None:
                self._stop(process, PERSON)
            elif process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)

        before = {number: signal.signal(number, hand_on) for number in _ASKED}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _stop(self, process: subprocess.Popen, who: str) -> None:
        self.stopped = who
        reason = "the time is used" if who == TIME else "asked to stop"
        print(f"{reason}: running jobs end, nothing new starts (Ctrl-C kills them)", flush=True)
        if process.poll() is None:
            process.terminate()
