"""How a command ends when it is stopped, or fails in a way that nobody foresaw: never with a traceback."""

import codecs
import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

CLOSED = 141
"""Exit status when what reads the output has gone: as a shell says of SIGPIPE."""

INTERRUPTED = 130
"""Exit status after Ctrl-C: as a shell says of SIGINT."""

UNFORESEEN = 70
"""Exit status after a mistake of the program's: EX_SOFTWARE of sysexits.h."""


def ended(run: Callable[[], int | None], words: Sequence[str], traced: bool = False) -> int | str | None:
    """Run a command and return its exit status.

    Parameters
    ----------
    run : callable
        Imports and calls the command.
    words : sequence of str
        The command line, for the trace.
    traced : bool
        Whether the output is a log: the trace goes there, and to no file of its own.
    """
    _take_any_text()
    try:
        return _flushed(_status(run))
    except BrokenPipeError:
        _forget_output()
        return CLOSED
    except KeyboardInterrupt:
        return _interrupted()
    except MemoryError as error:
        print(f"error: there is not enough memory: {str(error) or 'no more could be had'}", file=sys.stderr)
        return 1
    except Exception as error:
        if _was_interrupted(error):
            return _interrupted()
        if traced:
            traceback.print_exc()
        print(_sentence(error, None) if traced else unforeseen(error, words), file=sys.stderr)
        return UNFORESEEN


def unforeseen(error: Exception, words: Sequence[str]) -> str:
    """Write the trace of the error at hand, raised by the command `words`, to a file; return what to say."""
    return _sentence(error, _kept(words))


def _status(run: Callable[[], int | None]) -> int | str | None:
    try:
        return run()
    except SystemExit as end:  # of the parser, which has printed its help or its complaint
        return end.code


def _flushed(status: int | str | None) -> int | str | None:
    """Return the status; a pipe that is closed and a disk that is full show only now."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        _forget_output()
        print(f"error: the output cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return status


def _forget_output() -> None:
    """Let what is still to be written go nowhere: Python would complain of it when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _interrupted() -> int:
    print("interrupted", file=sys.stderr)
    return INTERRUPTED


def _was_interrupted(error: BaseException | None) -> bool:
    """Tell whether an error came of Ctrl-C: compiled code may turn it into another."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False


def _sentence(error: Exception, kept: Path | None) -> str:
    what = " ".join(f"{type(error).__name__}: {error}".split())
    where = f"in {kept}" if kept else "above"
    return (
        f"error: the program failed in a way that nobody foresaw ({what[:200]}): the trace is {where}; "
        "please report it, with the trace, to the project's issue tracker"
    )


def _kept(words: Sequence[str]) -> Path | None:
    """Write the trace of the error at hand to a file and return its path; print it where no place is."""
    head = [f"command: {' '.join(words)}", f"Python {platform.python_version()}, {platform.platform()}"]
    text = "\n".join([*head, "", traceback.format_exc()])
    name = f"nonconvex-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    folders = [Path("results/logs")] if Path("results").is_dir() else []
    for folder in (*folders, Path(tempfile.gettempdir())):
        try:
            folder.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8", errors="backslashreplace")
            return folder / name
        except OSError:
            continue
    print(text, file=sys.stderr)
    return None


def _take_any_text() -> None:
    """Let file names of any bytes be printed as they are, and what a terminal does not know as its code."""
    codecs.register_error("any", _any_text)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="any")


def _any_text(error: UnicodeError) -> tuple[bytes | str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    try:
        return text.encode("ascii", "surrogateescape"), error.end
    except UnicodeEncodeError:
        return codecs.backslashreplace_errors(error)
