"""HTML elements as functions: whatever is not an element is text, and text is escaped."""

import html
from collections.abc import Iterable, Sequence

_VOID = {"img", "meta", "link", "br"}


class Html(str):
    """Markup that is safe to place in a page as it is."""

    __slots__ = ()


def element(name: str, *children: object, **attributes: object) -> Html:
    """Make an element.

    Parameters
    ----------
    name : str
        The tag.
    *children : object
        Elements, texts, lists of both; None is left out.
    **attributes : object
        ``class_`` for class, ``data_label`` for data-label; True gives an attribute without value, None
        and False leave it out.

    Returns
    -------
    Html
    """
    head = name
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        key = key.rstrip("_").replace("_", "-")
        head += f" {key}" if value is True else f' {key}="{html.escape(str(value))}"'
    if name in _VOID:
        return Html(f"<{head}>")
    return Html(f"<{head}>{join(children)}</{name}>")


def join(children: Iterable[object]) -> Html:
    """Join elements and texts, escaping the texts."""
    parts: list[str] = []
    for child in children:
        if isinstance(child, Html):
            parts.append(child)
        elif isinstance(child, list | tuple):
            parts.append(join(child))
        elif child is not None:
            parts.append(html.escape(str(child)))
    return Html("".join(parts))


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[object] | Html],
    *,
    caption: object = None,
    class_: str | None = None,
) -> Html:
    """Make a table that scrolls by itself on a wide screen and turns into cards on a phone.

    Parameters
    ----------
    heads : list of str
    rows : list of (list or Html)
        A list holds one child per column; a ready-made row is taken as it is.
    caption : object
    class_ : str

    Returns
    -------
    Html
    """
    body = []
    for row in rows:
        if isinstance(row, Html):
            body.append(row)
            continue
        first, *rest = zip(heads, row, strict=True)
        cells = [element("td", value, data_label=head) for head, value in rest]
        body.append(element("tr", element("th", first[1], scope="row"), cells))
    content = element(
        "table",
        element("caption", caption) if caption is not None else None,
        element("thead", element("tr", [element("th", head, scope="col") for head in heads])),
        element("tbody", body),
        class_=class_,
    )
    return element("div", content, class_="scroll")
