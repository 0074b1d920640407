"""The kinds of tests: what settings each one takes. Light: nothing here loads numpy or pandas."""
