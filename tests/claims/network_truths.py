"""What is true in the made-up worlds of Chapters 4 and 5."""

from dataclasses import dataclass


@dataclass
class Truth:
    """What is true in a world."""

    mixed: float = 1.0  # iterations with both signs over those with ones
    mixed_shift: float = 0.0  # samples
    starts: float = 0.95  # share of successes of the tensor starts; the random one has .95
    growth: float = 1.0  # power of K, or M, in the iterations of a decade
    by_km: float = 1.0  # power of K, or M, in GD's with a step like 1/(KM²); AGD's is half of it
    spread: float = 0.1  # of the iterations of a decade, between trials
    bend: float = 1.0  # how much longer each decade takes than the one before
    bent: float = 1.0  # share of the trials that bend
    by_size: str = "line"  # the law of the threshold in d
    by_neurons: float = 1.0  # power
    low_error: float = 0.3  # below the number of unknowns
    level: float = 1.0  # of the noise, in the error beyond
    drop: float = 1e7
    noisy_drop: float = 3.0
    decay: float = 0.0  # power of N in the noisy error
    by_noise: float = 0.3  # relative shift of the line from noise level to noise level
    by_patch: float = 1.0  # power of d in it
    gd_diverges: float = 0.4
    agd_ends: float = 1.0
    faster: float = 2.0  # GD's iterations over AGD's
    region: float = 0.12  # GD's threshold less AGD's
    third: float = 0.0
    rate: str = "inverse sqrt"
    labels: float = 2.2  # the last threshold over the first, in d, the degree and the average degree
    kinds: float = 0.0  # shift of the grid's curve
    sigma: float = 1.0
    edge: float = 4.0  # the average degree of a grid is 4 less this over the root of its nodes
    accurate: float = 1.0
    distance: float = -0.5  # power of N
    theorem: float = 0.0  # share that converges


THESIS = Truth()
OPPOSITE = Truth(
    mixed=2.0,
    mixed_shift=80,
    starts=0.2,
    growth=-1.0,
    by_km=4.0,
    spread=1.0,
    bend=2.0,
    by_size="kink",
    by_neurons=-0.5,
    low_error=0.01,
    level=6.0,
    drop=1.0,
    noisy_drop=1.0,
    decay=-0.5,
    by_noise=-0.2,
    by_patch=-0.3,
    gd_diverges=0.0,
    agd_ends=0.0,
    faster=0.5,
    region=-0.12,
    third=20.0,
    rate="inverse square",
    labels=0.5,
    kinds=60,
    sigma=1.1,
    edge=40,
    accurate=0.1,
    distance=0.3,
    theorem=1.0,
)
BETWEEN = Truth(
    mixed=1.2,
    mixed_shift=42,
    starts=0.7,
    growth=0.0,
    by_km=1.2,
    spread=0.42,
    bend=2.0,
    bent=0.3,
    by_size="censored",
    by_neurons=0.033,
    low_error=0.07,
    drop=5.0,
    noisy_drop=1.7,
    decay=-0.22,
    by_noise=0.03,
    by_patch=0.09,
    gd_diverges=0.0,
    agd_ends=0.96,
    faster=1.06,
    region=0.036,
    third=5.0,
    rate="noise",
    labels=1.08,
    kinds=27,
    sigma=1 + 1e-7,
    edge=15,
    accurate=0.7,
    distance=-0.03,
    theorem=0.3,
)
