"""How often the tests err, on simulated data whose truth is known (docs/judging-calibration.md)."""
