"""What people call: cost, verify, sweep, pack, export; and the parser of the command line."""
