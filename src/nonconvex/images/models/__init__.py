"""The networks that are trained on images; `nonconvex.images.models.build` makes each by its name."""
