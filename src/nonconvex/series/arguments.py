"""The options of `nonconvex recover`; importing this loads nothing heavy."""

import argparse
import re


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `recover` to a parser."""
    # Up to Python 3.13 argparse takes -1e37 for an option, though not -9999.
    parser._negative_number_matcher = re.compile(r"-(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$")
    parser.add_argument("file", help="a .csv, .h5 or .hdf5 file; empty cells and NaN are lost values")
    parser.add_argument(
        "--rank",
        help="rank of the Hankel matrix (two per real oscillation), or auto: chosen by samples that are "
        "hidden and recovered; only svt goes without",
    )
    parser.add_argument(
        "--n1",
        type=int,
        help="time blocks of the Hankel matrix (default: half the samples, or the better of that and 20 with "
        "--rank auto)",
    )
    parser.add_argument(
        "--method",
        default="am_fiht",
        help="am_fiht (default); ram_fiht, which trims rows that stand out; fiht, each channel from its own "
        "samples; svt, which takes no rank; or sap, which also finds outliers among the observed values",
    )
    parser.add_argument("--beta", help="heavy-ball weight: squared (default), linear, or a number")
    parser.add_argument("--incoherence", type=float, help="of ram_fiht (default: estimated from the data)")
    parser.add_argument(
        "--threshold-scale", type=float, help="of sap: the larger, the fewer values are outliers (default: 1)"
    )
    parser.add_argument(
        "--stage-tolerance",
        type=float,
        help="of sap: singular value, in the data's units, that counts as 0 (default: 1e-3 of their size)",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        help="relative change at which to stop (default: 1e-6; 1e-4 for svt, 1e-3 for sap)",
    )
    parser.add_argument(
        "--max-iterations", type=int, help="default: 300; 500 for svt, 200 in each stage for sap"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="of the samples hidden for the check (default: 1)"
    )
    parser.add_argument(
        "--output", help="default: the input's name with _recovered, in the working directory"
    )
    parser.add_argument("--dataset", help="array of an HDF5 file (default: series)")
    parser.add_argument(
        "--missing",
        action="append",
        default=[],
        metavar="MARK",
        help="a number or a word that stands for a lost value, such as 0 or -9999; may be repeated",
    )
    parser.add_argument(
        "--scale-channels",
        action="store_true",
        help="divide each channel by its root mean square for the recovery and the relative error",
    )
    parser.add_argument(
        "--replace-all", action="store_true", help="write the estimate at observed places too"
    )
    parser.add_argument(
        "--force", action="store_true", help="write the files even when the answer is refused"
    )
