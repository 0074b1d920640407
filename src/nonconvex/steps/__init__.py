"""What rules call: draw a dataset, run an algorithm, tabulate outcomes; block files, seeds, provenance."""
