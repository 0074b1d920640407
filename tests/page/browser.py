"""A headless browser, asked over a pipe: no more of the DevTools protocol than the tests of the page need."""

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_PATIENCE = 30
_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
# The browser reads commands from file 3 and writes to file 4; a pipe's own numbers are others.
_AS_3_AND_4 = (
    "import fcntl, os, sys\n"
    "far = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 20) for one in sys.argv[1:3]]\n"
    "os.dup2(far[0], 3)\n"
    "os.dup2(far[1], 4)\n"
    "os.execv(sys.argv[3], sys.argv[3:])\n"
)


class Browser:
    """One tab of a browser of its own, which a `with` block starts and ends."""

    def __init__(self, folder):
        self.folder, self.events, self._last, self._rest = folder, [], 0, b""

    def __enter__(self):
        command_end, self._commands = os.pipe()
        self._answers, answer_end = os.pipe()
        start = [sys.executable, "-I", "-S", "-c", _AS_3_AND_4, str(command_end), str(answer_end), CHROMIUM]
        self._process = subprocess.Popen(
            [*start, *_FLAGS, f"--user-data-dir={self.folder}", "about:blank"],
            pass_fds=(command_end, answer_end),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(command_end)
        os.close(answer_end)
        self._session = None
        try:
            self._attach()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _attach(self):
        targets = self.ask("Target.getTargets")["targetInfos"]
        tab = next(one["targetId"] for one in targets if one["type"] == "page")
        self._session = self.ask("Target.attachToTarget", targetId=tab, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def __exit__(self, *failure):
        with contextlib.suppress(OSError, EOFError):
            self._session = None
            self._send("Browser.close", {})
        os.close(self._commands)
        os.close(self._answers)
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def ask(self, method, **parameters):
        """Send a command and return what it gives."""
        self._send(method, parameters)
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def _send(self, method, parameters):
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")

    def _next(self):
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._answers], [], [], _PATIENCE)
            more = os.read(self._answers, 1 << 20) if ready else b""
            if not more:
                raise EOFError("the browser does not answer")
            self._rest += more
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, address):
        """Load a page, and wait until all that it shows is there."""
        self.events.clear()
        self.ask("Page.navigate", url=address)
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self._next())

    def run(self, script):
        """Run a script in the page, and return its value."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def size(self, width, height=800):
        """Give the window a size; a narrow one is a phone's."""
        phone = width < 500
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )

    def media(self, kind="", dark=False):
        """Show the page on paper ("print"), or in the dark."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", media=kind, features=[scheme])

    def press_tab(self):
        """Press the tabulator key."""
        key = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
        self.ask("Input.dispatchKeyEvent", type="rawKeyDown", **key)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **key)

    def named(self, method):
        """Return what the events of a name have said since the page was opened."""
        return [one["params"] for one in self.events if one.get("method") == method]
