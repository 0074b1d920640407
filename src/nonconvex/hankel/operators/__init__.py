"""Hankel matrices and matrices of their size: products, singular vectors, approximations of low rank."""
