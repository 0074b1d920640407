"""Scripts that tests put into the page to see it as a browser does; the page itself has none."""

OPEN_ALL = "for (const one of document.querySelectorAll('details')) one.open = true"

SHOWN = "(one => one.checkVisibility({checkOpacity: true, visibilityProperty: true}))"

# Everything that sticks out of the window, or out of a box that cuts it off or makes it scroll.
CUT = """
(() => {
  const width = document.documentElement.clientWidth, found = [];
  for (const one of document.querySelectorAll('body *')) {
    if (!one.checkVisibility() || one.closest('svg.patterns')) continue;
    const box = one.getBoundingClientRect();
    const scrolls = one.closest('.bar, .scroll');
    if (!scrolls && box.width && (box.right > width + 1 || box.left < -1)) found.push(one.outerHTML.slice(0, 120));
    const cuts = getComputedStyle(one).overflowX !== 'visible' && one.tagName !== 'IMG' && one.tagName !== 'svg';
    if (cuts && !one.matches('.bar, .scroll') && one.scrollWidth > one.clientWidth + 1)
      found.push(one.outerHTML.slice(0, 120));
  }
  return found;
})()
"""

# Text whose contrast to what is behind it is below 4.5:1.
FAINT = """
(() => {
  const parts = color => {
    const found = color.match(/rgba?\\(([^)]*)\\)/);
    if (!found) throw new Error('a colour that the test cannot read: ' + color);
    const [r, g, b, a = 1] = found[1].split(/[ ,/]+/).map(Number);
    return [r, g, b, a];
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = color => {
    const [r, g, b] = color.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = one => {
    if (!one) return [255, 255, 255, 1];
    const own = parts(getComputedStyle(one).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(one.parentElement));
  };
  const faint = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), one = walker.currentNode.parentElement;
    if (!text || one.tagName === 'title' || !one.checkVisibility()) continue;
    const style = getComputedStyle(one), ground = behind(one);
    const ink = parts(one.tagName === 'text' ? style.fill : style.color);
    for (let up = one; up; up = up.parentElement) ink[3] *= Number(getComputedStyle(up).opacity);
    const [low, high] = [light(over(ink, ground)), light(ground)].sort((x, y) => x - y);
    count += 1;
    if ((high + 0.05) / (low + 0.05) < 4.5) faint.push([text.slice(0, 40), one.className.toString(), ink, ground]);
  }
  return {count, faint: faint.slice(0, 10)};
})()
"""

# The links and fold-outs that can be seen, in the order of the page; each gets a number.
STOPS = f"""
[...document.querySelectorAll('a[href], summary')].filter({SHOWN}).map((one, index) => (one.dataset.stop = index))
"""

# What has the focus: its number, whether it has a frame, and whether something covers it.
FOCUS = """
(() => {
  const one = document.activeElement;
  if (!one || !one.dataset.stop) return [one && one.outerHTML.slice(0, 80), false, false];
  const style = getComputedStyle(one), box = one.getClientRects()[0];
  const there = document.elementFromPoint(box.left + Math.min(box.width / 2, 20), box.top + box.height / 2);
  const framed = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  return [Number(one.dataset.stop), framed, Boolean(there) && (one.contains(there) || there.contains(one))];
})()
"""

# Fold-outs whose summary, or whose folded content, does not show.
HIDDEN = """
[...document.querySelectorAll('details')].filter(one =>
  [...one.children].some(part => !part.checkVisibility() || !part.getBoundingClientRect().height)
).map(one => one.outerHTML.slice(0, 120))
"""
