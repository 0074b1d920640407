"""The entries of a claim under one of its readings: its parts, and the settings of each.

The Snakemake main process imports this module: neither it nor what it imports may load numpy or pandas.
"""

from collections.abc import Mapping
from typing import Any

from nonconvex.claims.words.catalogue import QUANTITIES

Claim = Mapping[str, Any]


def parts_of(claim: Claim, reading: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the parts of a claim under one reading: the reading's own where it has some."""
    return claim["readings"][reading].get("parts", claim["parts"])


def experiments_of(entry: Mapping[str, Any]) -> list[str]:
    """Return the one or two experiments that a part of a claim is about."""
    return [entry[key] for key in ("experiment", "beside") if key in entry]


def judged_settings(claim: Claim, part: str, reading: str) -> dict[str, Any]:
    """Return what `judge` says of one part under one reading: the reading's, before the part's, the claim's.

    A part or a reading with a quantity of its own does not take the settings of what stands above it, which
    are those of another one. Of the reading's a part with a quantity of its own takes those that its
    quantity knows, but for the regions.
    """
    own, chosen = parts_of(claim, reading)[part].get("judge", {}), claim["readings"][reading].get("judge", {})
    if "quantity" in own:
        more = _known(chosen, own["quantity"])
        return {
            **own,
            **{key: value for key, value in more.items() if key not in ("quantity", "holds", "fails")},
        }
    if "quantity" in chosen:
        return {**chosen, **_known(own, chosen["quantity"])}
    return {**claim["judge"], **own, **chosen}


def _known(settings: Mapping[str, Any], quantity: str) -> dict[str, Any]:
    known = QUANTITIES[quantity].settings if quantity in QUANTITIES else settings
    return {key: value for key, value in settings.items() if key in known}
