"""``python -m nonconvex.claims.calibration`` prints how often the tests err, as a Markdown table."""

import argparse

from nonconvex.claims.calibration.table import table

SIMULATIONS = 1000


def _main() -> None:
    parser = argparse.ArgumentParser(description="Print the calibration of the tests as a Markdown table.")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS, help="per state")
    print(table(parser.parse_args().simulations))


if __name__ == "__main__":
    _main()
