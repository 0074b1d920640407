"""The source in the place of MNIST."""

from nonconvex.problems.images.source import image_source

SOURCE = image_source("mnist")
