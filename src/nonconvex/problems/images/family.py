"""The families of real images (thesis, Sections 6.4.3 and 7.4.2). Their solvers need PyTorch."""

from nonconvex.problems.contract import Family

_WORDS = {
    "n_samples": ("number of labelled images", "N"),
    "n_unlabelled": ("number of unlabelled images", "M"),
    "n_validation": ("validation images", ""),
    "n_pool": ("labelled images outside the test set", ""),
    "n_mined": ("unlabelled images of another origin", ""),
    "model": ("network", ""),
    "model=lenet_300_100": ("LeNet-300-100", ""),
    "model=lenet5": ("LeNet-5", ""),
    "model=resnet8": ("ResNet-8", ""),
    "model=resnet20": ("ResNet-20", ""),
    "model=resnet50": ("ResNet-50", ""),
    "model=wrn_10_2": ("WRN-10-2", ""),
    "model=wrn_16_4": ("WRN-16-4", ""),
    "model=wrn_28_10": ("WRN-28-10", ""),
    "augmentation": ("augmentation", ""),
    "learning_rate": ("step size", r"\eta"),
    "augmentation=shift": ("shifts", ""),
    "augmentation=crop_flip": ("crops and mirror images", ""),
    "height": ("height of the images", ""),
    "width": ("width of the images", ""),
    "epochs": ("epochs", ""),
    "batch_size": ("batch size", ""),
    "steps_per_epoch": ("batches in an epoch", ""),
    "rounds": ("rounds", ""),
    "round": ("round of pruning", ""),
    "pruning_ratio": ("pruning ratio", ""),
    "test_accuracy": ("test accuracy", ""),
    "test_error": ("test error", ""),
    "gain": ("gain in test accuracy in percentage points", ""),
    "rate": ("convergence rate of the test error", r"\nu"),
    "loss_rate": ("convergence rate of the training loss", r"\nu"),
}


def _trained(data: str, outcome: str, source: str) -> Family:
    return Family(
        data=f"{__package__}.{data}",
        outcome=f"{__package__}.{outcome}",
        solvers="nonconvex.images.solvers",
        source=source,
        requires=("torch", "images"),
        words=_WORDS,
    )


FAMILIES = {
    "mnist_pruning": _trained("data", "tickets", "mnist"),
    "cifar_pruning": _trained("data", "tickets", "cifar10"),
    "cifar_self_training": _trained("data", "students", "cifar10"),
}
