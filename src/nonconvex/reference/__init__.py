"""The reference run, at the thesis's sizes: its folder, read and checked."""
