"""Which weights of a network may be pruned, and pruning the smallest of them."""

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor, nn


def prunable(model: nn.Module, layers: str) -> dict[str, nn.Parameter]:
    """Return the weights that may be pruned, by their names: never biases, never batch normalisation.

    Parameters
    ----------
    model : torch.nn.Module
    layers : {"all", "convolutions"}
        All convolutions and matrices, or all convolutions but the first.
    """
    kinds = (nn.Conv2d, nn.Linear) if layers == "all" else nn.Conv2d
    found = {f"{name}.weight": part.weight for name, part in model.named_modules() if isinstance(part, kinds)}
    return found if layers == "all" else dict(list(found.items())[1:])


def counts(total: int, share: float, rounds: int) -> list[int]:
    """Return how many of `total` weights each round has, if `share` of those left goes after each."""
    left = [total]
    while len(left) < rounds:
        left.append(left[-1] - round(share * left[-1]))
    return left


def prune(weights: Mapping[str, Tensor], masks: Mapping[str, Tensor], keep: int) -> dict[str, Tensor]:
    """Return masks of the `keep` largest weights, by size, of those that the masks have; the first of equals.

    Parameters
    ----------
    weights : mapping of str to Tensor
        Finite.
    masks : mapping of str to Tensor of bool
        Of the same names and shapes, on the CPU.
    keep : int
        At most as many as the masks have.
    """
    size = np.concatenate([weights[name].detach().cpu().abs().numpy().ravel() for name in masks])
    size[~np.concatenate([mask.numpy().ravel() for mask in masks.values()])] = -1
    limit = np.partition(size, len(size) - keep)[len(size) - keep] if keep else np.inf
    kept = size > limit
    kept[np.flatnonzero(size == limit)[: keep - int(kept.sum())]] = True
    found, start = {}, 0
    for name, mask in masks.items():
        found[name] = torch.from_numpy(kept[start : start + mask.numel()].copy()).reshape(mask.shape)
        start += mask.numel()
    return found
