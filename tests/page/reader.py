"""Reads a page as a browser would: what it fetches, what it links to, and whether its elements nest."""

from html.parser import HTMLParser

_VOID = {"img", "meta", "link"}
_BLOCKS = {"p", "ul", "div", "table", "details", "section", "article", "figure", "h2", "h3", "h4", "nav"}
_PARENTS = {
    "li": {"ul"},
    "summary": {"details"},
    "tr": {"thead", "tbody"},
    "th": {"tr"},
    "td": {"tr"},
    "caption": {"table"},
    "figcaption": {"figure"},
}
_CHILDREN = {"ul": {"li"}, "table": {"caption", "thead", "tbody"}, "thead": {"tr"}, "tbody": {"tr"}}


class Reader(HTMLParser):
    """Collects links, sources, ids and texts; refuses elements that HTML does not allow where they stand."""

    def __init__(self, text):
        super().__init__()
        self.fetched, self.followed, self.ids, self.open, self.texts = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        above = self.open[-1] if self.open else None
        assert len(found) == len(attributes), f"{tag} has an attribute twice"
        assert above in _PARENTS.get(tag, {above}), f"{tag} in {above}"
        assert tag in _CHILDREN.get(above, {tag}), f"{tag} in {above}"
        if tag in _BLOCKS:
            assert not {"p", "span", "a", "summary", "h2", "h3", "h4"} & set(self.open), (
                f"{tag} in {self.open}"
            )
        if tag == "a":
            assert not {"a", "summary"} & set(self.open)
            self.followed.append(found["href"])
        if tag == "img":
            assert "alt" in found
        if tag not in _VOID:
            self.open.append(tag)
        if "src" in found:
            self.fetched.append(found["src"])
        if tag == "link":
            self.fetched.append(found["href"])
        if "id" in found:
            self.ids.append(found["id"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def words(self):
        """All text of the page, with single spaces."""
        return " ".join("".join(self.texts).split())
