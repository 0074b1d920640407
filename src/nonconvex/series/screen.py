"""Lines on the screen that may go nowhere, and an end that needs no traceback."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


def say(*lines: str) -> None:
    """Print lines at once; when nobody reads them any more, go on in silence."""
    try:
        for line in lines:
            print(line)
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more at its end, and must find something open.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def quiet_end() -> Iterator[None]:
    """Turn an interruption into one line on stderr and exit status 130.

    Compiled code that calls back into Python hides a KeyboardInterrupt behind an error of its own, so that
    the signal itself is remembered.
    """
    interrupted = False

    def remember(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, remember)
    except ValueError:  # Not the main thread, which alone gets signals.
        yield
        return
    try:
        yield
    except (Exception, KeyboardInterrupt):
        if not interrupted:
            raise
        print("interrupted; nothing was written", file=sys.stderr)
        raise SystemExit(130) from None
    finally:
        signal.signal(signal.SIGINT, before)
