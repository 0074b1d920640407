"""What a model makes of images that it is not trained on."""

import numpy as np
import torch
from torch import nn

from nonconvex.images.image_set import LabelledImages
from nonconvex.images.standardise import Standard

# Fixed: products of other sizes may differ in their last bits.
TOGETHER = 100


def predict(model: nn.Module, images: np.ndarray, standard: Standard) -> np.ndarray:
    """Return the most probable class of each image, int64 (n,); the first of equal ones."""
    model.eval()
    found = np.empty(len(images), dtype=np.int64)
    with torch.inference_mode():
        for start in range(0, len(images), TOGETHER):
            part = torch.from_numpy(images[start : start + TOGETHER].copy()).to(standard.device)
            found[start : start + TOGETHER] = model(standard(part)).argmax(1).cpu().numpy()
    return found


def accuracy(model: nn.Module, data: LabelledImages, standard: Standard) -> float:
    """Return the share of images whose class is predicted rightly."""
    return float(np.mean(predict(model, data.images, standard) == data.labels))
