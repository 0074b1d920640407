"""The evidence page: every figure with its claims, its parameters and where its numbers came from."""
