"""The reference run: what came out at the thesis's sizes, kept in the repository, and checked."""
