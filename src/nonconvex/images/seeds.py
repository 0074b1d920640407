"""Random streams by what they are for, so that none depends on what was drawn before."""

import numpy as np


def stream(*key: int) -> np.random.Generator:
    """Return the generator of this key."""
    return np.random.default_rng(np.random.SeedSequence(key))


def derived(*key: int) -> int:
    """Return a seed, from 0 to below 2^63, that follows from this key."""
    return int(np.random.SeedSequence(key).generate_state(1, np.uint64)[0] >> 1)


def torch_seed(seed: int) -> int:
    """Return a number that torch takes as a seed for any integer from 0 on."""
    return derived(seed)
