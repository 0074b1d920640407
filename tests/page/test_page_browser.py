"""The page in a real browser: widths, contrast, keyboard, print, and that it asks for nothing from outside."""

import contextlib
import struct
import zlib

import pytest
from page import probes
from page.browser import CHROMIUM, Browser
from page.rows import ledger, of_a_preview, of_every_kind
from page.samples import experiment

from nonconvex.page.build import build

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")

FIGURES = {"every": ["2.2", "2.3", "3.4"], "preview": [f"{c}.{n}" for c in (2, 3, 4, 5) for n in range(1, 9)]}


def png():
    """Return a grey picture."""

    def chunk(kind, content):
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    rows = b"".join(b"\0" + bytes([180]) * 64 for _ in range(36))
    head = struct.pack(">IIBBBBB", 64, 36, 8, 0, 0, 0, 0)
    start, end = chunk(b"IHDR", head), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + start + chunk(b"IDAT", zlib.compress(rows)) + end


def written(folder, name, rows):
    """Write a page and its pictures, and return its address."""
    figures = [
        {
            "figure": number,
            "chapter": number.split(".")[0],
            "title": "Phase transition with missing entries",
            "caption": "Share of trials that succeed, by rank and fraction of entries observed.",
            "experiments": {"phase_mode1": experiment("phase_mode1")},
            "options": {"substitute": "Simulated phasors stand in for the recording."},
            "made": {"tables": {"phase_mode1": "a" * 64}, "files": {f"fig{number}.png": "b" * 64}},
        }
        for number in FIGURES[name]
    ]
    plan = {
        "scale": name,
        "title": "Does the thesis hold up?",
        "thesis": "A. Author, “Methods”, PhD thesis, 2019",
        "formats": ["pdf", "png"],
        "figures": figures,
        "chapters": {"2": "Completion"},
    }
    (folder / name / "figures").mkdir(parents=True)
    for number in FIGURES[name]:
        (folder / name / f"figures/fig{number}.png").write_bytes(png())
    facts = {"phase_mode1": {"digest": "0123abcd", "numpy": "2.4.6", "machine": "an abacus"}}
    (folder / name / "index.html").write_text(build(plan, ledger(rows), facts), encoding="utf-8")
    return (folder / name / "index.html").as_uri()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The addresses of a page with everything that there is, and of a whole preview."""
    folder = tmp_path_factory.mktemp("pages")
    return {
        name: written(folder, name, rows)
        for name, rows in (
            ("every", of_every_kind()),
            ("preview", of_a_preview(figures=FIGURES["preview"])),
        )
    }


@pytest.fixture(scope="module")
def tab(tmp_path_factory):
    with contextlib.ExitStack() as stack:
        try:
            browser = stack.enter_context(Browser(tmp_path_factory.mktemp("browser")))
        except (EOFError, OSError):
            pytest.skip("chromium does not start")
        browser.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        yield browser


@pytest.fixture(autouse=True)
def on_a_screen(tab):
    tab.media()
    tab.size(1280)


@pytest.mark.parametrize("name", ["every", "preview"])
def test_the_page_loads_without_errors_and_asks_for_nothing_from_outside(tab, pages, name):
    tab.open(pages[name])
    asked = [one["request"]["url"] for one in tab.named("Network.requestWillBeSent")]
    assert pages[name] in asked
    beside = pages[name].removesuffix("index.html")
    assert [url for url in asked if not url.startswith((beside, "data:"))] == []
    said = [one["entry"] for one in tab.named("Log.entryAdded")]
    assert said + tab.named("Runtime.exceptionThrown") + tab.named("Runtime.consoleAPICalled") == []
    assert tab.run("document.scripts.length") == 0


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", ["every", "preview"])
def test_nothing_is_wider_than_the_window(tab, pages, name, width):
    tab.size(width)
    tab.open(pages[name])
    for script in ("0", probes.OPEN_ALL):
        tab.run(script)
        assert tab.run("document.documentElement.scrollWidth - innerWidth") <= 0
        assert tab.run(probes.CUT) == []
    scrolling = "[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert tab.run(scrolling) == 0


@pytest.mark.parametrize("name", ["every", "preview"])
def test_the_first_screen_answers(tab, pages, name):
    tab.open(pages[name])
    assert tab.run("document.querySelector('#answer').getBoundingClientRect().bottom") < 800
    tab.size(360, 740)
    assert tab.run("document.querySelector('.lead').getBoundingClientRect().bottom") < 740


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out(tab, pages, dark):
    tab.media(dark=dark)
    tab.open(pages["every"])
    tab.run(probes.OPEN_ALL)
    found = tab.run(probes.FAINT)
    assert found["faint"] == []
    assert found["count"] > 500
    # The dark style is one, so that both are looked at.
    assert (tab.run("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)") is dark


@pytest.mark.parametrize("width", [1280, 360])
def test_links_and_fold_outs_are_reached_by_keyboard_in_order(tab, pages, width):
    tab.size(width)
    tab.open(pages["every"])
    stops = tab.run(probes.STOPS)
    assert len(stops) > 60
    for stop in stops:
        tab.press_tab()
        assert tab.run(probes.FOCUS) == [stop, True, True], tab.run(
            "document.activeElement.outerHTML.slice(0, 200)"
        )


def test_a_fold_out_opens_by_keyboard_and_by_a_link_into_it(tab, pages):
    tab.open(pages["every"])
    assert tab.run("document.querySelector('#C010').checkVisibility()") is False
    tab.run("document.querySelector('a[href=\"#C010\"]').click()")
    assert tab.run("document.querySelector('#C010').checkVisibility()") is True
    tab.run("document.querySelector('.count summary').focus()")
    for kind in ("keyDown", "keyUp"):
        tab.ask(
            "Input.dispatchKeyEvent",
            type=kind,
            key="Enter",
            code="Enter",
            windowsVirtualKeyCode=13,
            text="\r",
        )
    assert tab.run("document.querySelector('.count').open") is True


def test_a_print_shows_what_is_folded_and_cuts_nothing(tab, pages):
    tab.size(700)
    tab.open(pages["every"])
    assert len(tab.run(probes.HIDDEN)) > 10
    tab.media("print")
    assert tab.run(probes.HIDDEN) == []
    assert tab.run(probes.CUT) == []
    boxes = "[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
    assert tab.run(boxes) == 0
    assert tab.run("document.querySelector('.bar').checkVisibility()") is False
    assert tab.run(probes.FAINT)["faint"] == []
    drawn = "[...document.querySelectorAll('svg.interval *')].filter(one => getComputedStyle(one).display === 'none')"
    assert set(tab.run(f"{drawn}.map(one => one.tagName)")) <= {"title"}
    assert tab.ask("Page.printToPDF", printBackground=False)["data"]


def test_small_pictures_are_named_and_drawn(tab, pages):
    tab.open(pages["every"])
    tree = tab.ask("Accessibility.getFullAXTree")["nodes"]
    names = [one["name"]["value"] for one in tree if one.get("role", {}).get("value") == "image"]
    assert any("99.21 % interval -0.95 to 0.2" in name for name in names)
    tab.run(probes.OPEN_ALL)
    empty = "[...document.querySelectorAll('svg.interval')].filter(one => one.getBoundingClientRect().width < 150).length"
    assert tab.run("document.querySelectorAll('svg.interval').length") > 20
    assert tab.run(empty) == 0


def test_the_probes_find_what_they_look_for(tab, tmp_path):
    faulty = tmp_path / "faulty.html"
    faulty.write_text(
        "<!doctype html><body style='margin:0'><p style='color:#999'>faint</p><div style='width:3000px'>wide</div>"
        "<div style='width:50px; overflow:hidden; white-space:nowrap'>cut off at the side</div>"
        "<p style='opacity:.5'>half</p><svg><text y='20' fill='#aaa'>grey</text></svg>"
        "<details><summary>more</summary><p>folded</p></details><a href='#' style='outline:none'>link</a>"
        "<img src='http://127.0.0.1:9/x.png' alt=''><script>undefined.x</script>"
    )
    tab.open(faulty.as_uri())
    assert [one[0] for one in tab.run(probes.FAINT)["faint"]] == ["faint", "half", "grey"]
    assert len(tab.run(probes.CUT)) == 2
    assert len(tab.run(probes.HIDDEN)) == 1
    assert tab.run(probes.STOPS) == [0, 1]
    tab.press_tab()
    assert tab.run(probes.FOCUS) == [0, False, True]
    assert tab.named("Runtime.exceptionThrown")
    asked = [one["request"]["url"] for one in tab.named("Network.requestWillBeSent")]
    assert "http://127.0.0.1:9/x.png" in asked
