"""The families of pruned networks (thesis, Chapter 6)."""

from nonconvex.problems.contract import Family

_SOLVERS = "nonconvex.networks.solvers"
_WORDS = {
    "n_samples": ("number of samples", "N"),
    "noise": ("noise level", r"\sigma/E_y"),
    "kept": ("weights kept in a neuron", r"\widetilde{r}"),
    "effective_size": ("effective number of weights", r"\widetilde{r}"),
    "distance": ("relative distance of the start", r"\lambda"),
    "distance, briefly": ("start distance", r"\lambda"),
    "spread": ("spread of the numbers of weights", ""),
    "supports": ("supports of the neurons", ""),
    "supports=shared_index": ("one index shared", ""),
    "pruning_ratio": ("pruning ratio", r"1-r_{ave}/d"),
    "truth_seed": ("seed of the one truth", ""),
    "start_on": ("weights in which the start differs", ""),
    "mask_accuracy": ("mask accuracy", ""),
    "test_error": ("test error", ""),
    "meeting": ("share of pairs of supports that meet", ""),
    "round": ("round of pruning", ""),
}


def _trained(outcome: str) -> Family:
    return Family(
        data=f"{__package__}.data", outcome=f"{__package__}.{outcome}", solvers=_SOLVERS, words=_WORDS
    )


FAMILIES = {
    "pruned": _trained("outcome"),
    "pruned_curves": _trained("curves"),
    "pruned_masks": _trained("masks"),
    "pruned_imp": _trained("imp"),
}
