"""What the reference run, at the thesis's sizes, says beside the run at hand, and what of it is stale."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nonconvex.page.answer import answer
from nonconvex.page.html import Html, element
from nonconvex.page.ledger import Claim
from nonconvex.page.outcome import badge
from nonconvex.page.text import counted, text_of, trials_said


@dataclass(frozen=True)
class ReferenceRun:
    """The claims of the reference run.

    Attributes
    ----------
    claims : dict
        Its claims by name.
    stale : dict
        What has changed since about experiments, by name, as clauses.
    changed : tuple of str
        Chapters whose claims file has changed since.
    own : bool
        Whether the page is that of the reference run itself.
    """

    claims: Mapping[str, Claim]
    stale: Mapping[str, Sequence[str]] = field(default_factory=dict)
    changed: Sequence[str] = ()
    own: bool = False

    def beside(self, claim: Claim) -> Html | None:
        """Say how a claim came out at the thesis's sizes, and whether that is stale."""
        found = self.claims.get(claim.name)
        if found is None or claim.kind == "context":
            return None
        old = self._old(found)
        if self.own:
            return element("p", old, class_="why") if old else None
        after = trials_said(found.overall or found.head)
        return element(
            "p",
            "At the thesis's sizes: ",
            badge(found.summary),
            f" {after}" if after else "",
            f". {old}" if old else "",
            class_="beside",
        )

    def signs(self, claims: Sequence[Claim]) -> str:
        """Count how some claims came out, each outcome by its sign and words."""
        found = Counter(self.claims[one.name].summary for one in claims if one.name in self.claims)
        judged = {one: number for one, number in found.items() if one.judged and not self.own}
        return ", ".join(f"{number} {one.sign} {one.words}" for one, number in judged.items())

    def answers(self, claims: Sequence[Claim], scale: str) -> Html | None:
        """Answer first by the reference run, as far as it is about the claims of this page."""
        here = [self.claims[claim.name] for claim in claims if claim.name in self.claims]
        if self.own or not here:
            return self._stale_here(claims) if self.own else None
        return element(
            "section",
            element("h2", "At the thesis's sizes"),
            answer(here, "thesis", name="reference-answer"),
            self._stale_here(here),
            element(
                "p",
                "By the reference run that is kept with the project; ",
                element("code", "make reference"),
                f" draws it. Below: this run, at the {scale} scale.",
                class_="mute",
            ),
            id="reference",
        )

    def _old(self, claim: Claim) -> str:
        used = [name for name in text_of(claim.overall or claim.head, "experiments").split("; ") if name]
        told = [f"{name} ({', '.join(self.stale[name])})" for name in used if name in self.stale]
        if claim.chapter in self.changed:
            told.append(f"the claims of chapter {claim.chapter}")
        return f"Stale: since then, changes to {'; '.join(told)}." if told else ""

    def _stale_here(self, claims: Sequence[Claim]) -> Html | None:
        """Name the claims whose verdicts are older than the code, the protocol or their own words."""
        old = [claim for claim in claims if claim.name in self.claims and self._old(self.claims[claim.name])]
        if not old:
            return None
        names = ", ".join(claim.name for claim in old)
        return element(
            "p",
            element("b", "Stale: "),
            f"code, protocol or claims have changed since {counted(old, 'verdict')} "
            f"{'was' if len(old) == 1 else 'were'} reached: {names}.",
            class_="why",
        )
