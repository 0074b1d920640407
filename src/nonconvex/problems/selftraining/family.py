"""The families of self-training (thesis, Section 7.4)."""

from nonconvex.problems.contract import Family

_DATA = f"{__package__}.data"
_SOLVERS = "nonconvex.networks.self_training"
_WORDS = {
    "n_features": ("dimension of the inputs", "d"),
    "n_labelled": ("number of labelled data", "N"),
    "labelled_ratio": ("labelled data per unknown weight", "N/Kd"),
    "n_unlabelled": ("number of unlabelled data", "M"),
    "deviation": ("standard deviation of the unlabelled inputs", r"\widetilde{\delta}"),
    "weight": ("weight of the labelled data", r"\lambda=\hat{\lambda}"),
    "distance": ("relative radius of the ball of starts", r"\|W^{(0)}-W^*\|_F/\|W^*\|_F"),
}
_GENERALISATION_WORDS = {
    "n_features": ("dimension of the inputs", "d"),
    "n_layers": ("number of hidden layers", ""),
    "distance": ("relative distance", r"\|W-W^*\|_F/\|W^*\|_F"),
    "largest": ("relative distance at which the divisor is taken", ""),
    "n_inputs": ("number of inputs that means are over", ""),
}

FAMILIES = {
    "selftraining": Family(data=_DATA, outcome=f"{__package__}.outcome", solvers=_SOLVERS, words=_WORDS),
    "selftraining_path": Family(data=_DATA, outcome=f"{__package__}.path", solvers=_SOLVERS, words=_WORDS),
    "selftraining_landscape": Family(data=_DATA, table=f"{__package__}.landscape", words=_WORDS),
    "generalisation": Family(
        data=f"{__package__}.generalisation",
        table=f"{__package__}.generalisation",
        words=_GENERALISATION_WORDS,
    ),
}
