"""The words of claims files: quantities with their settings, and conditions. Light: no numpy, no pandas."""
