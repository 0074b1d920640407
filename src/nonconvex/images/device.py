"""Where training runs, and by which build of torch."""

import os

import torch

from nonconvex.images.arguments import choice

DEVICES = ("auto", "cpu", "cuda")


def choose_device(name: str) -> torch.device:
    """Return the device: "auto" is the GPU where torch has one, else the CPU.

    Raises
    ------
    ValueError
        For another word, and for "cuda" where torch has no GPU.
    """
    choice("device", name, DEVICES)
    there = name != "cpu" and torch.cuda.is_available()
    if name == "cuda" and not there:
        raise ValueError(
            f'device "cuda" needs a GPU, and torch {torch.__version__} finds none: take "cpu" or "auto", or '
            "install a CUDA build of torch on a machine that has one (docs/own-images.md)"
        )
    if there:
        # cuBLAS reads it at its first call; without it its results differ from run to run.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    return torch.device("cuda" if there else "cpu")


def torch_build(device: torch.device) -> str:
    """Return the build of torch and the kind of device, which results depend on in their last bits."""
    build = f"torch {torch.__version__}"
    return f"{build}, {torch.cuda.get_device_name(device)}" if device.type == "cuda" else f"{build}, cpu"
