"""The options of every kind of figure, checked before anything runs."""
