"""torch in a state in which the same call gives the same bytes, and back in its own afterwards."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
import torch.utils.deterministic


@contextmanager
def reproducible() -> Iterator[None]:
    """One thread, deterministic algorithms, single precision, gradients; afterwards all is as before."""
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    strict = torch.are_deterministic_algorithms_enabled()
    warns = torch.is_deterministic_algorithms_warn_only_enabled()
    search, fill = torch.backends.cudnn.benchmark, torch.utils.deterministic.fill_uninitialized_memory
    try:
        torch.set_num_threads(1)
        torch.set_default_dtype(torch.float32)
        torch.use_deterministic_algorithms(True)
        # Filling fresh memory costs a tenth of the time, and finds mistakes of kernels only.
        torch.utils.deterministic.fill_uninitialized_memory = False
        # The search for the fastest kernel picks another one now and then.
        torch.backends.cudnn.benchmark = False
        with torch.inference_mode(False), torch.enable_grad():
            yield
    finally:
        torch.backends.cudnn.benchmark = search
        torch.utils.deterministic.fill_uninitialized_memory = fill
        torch.use_deterministic_algorithms(strict, warn_only=warns)
        torch.set_default_dtype(dtype)
        torch.set_num_threads(threads)
