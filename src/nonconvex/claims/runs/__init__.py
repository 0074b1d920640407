"""What runs the kinds of tests: from tables and settings to the arrays that quantities take."""
