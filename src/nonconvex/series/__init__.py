"""Multichannel series with lost samples: reading, recovering, and saying how far to trust the answer.

`nonconvex.series.read.read_series` reads a file, `nonconvex.series.recover.recover` is the command.
"""
