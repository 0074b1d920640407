"""The source in the place of CIFAR-10, and of the images that were mined for it."""

from nonconvex.problems.images.source import image_source

SOURCE = image_source("cifar10")
