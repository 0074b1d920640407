"""``python -m nonconvex.claims.calibration`` prints how often intervals miss and decide, as a table."""

import argparse
import sys

from nonconvex.claims.calibration.table import table
from nonconvex.ending import ended

SIMULATIONS = 2000


def _main() -> None:
    parser = argparse.ArgumentParser(description="Print the calibration of the quantities (Markdown).")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="per state and look")
    print(table(parser.parse_args().simulations))


if __name__ == "__main__":
    sys.exit(ended(_main, sys.argv))
