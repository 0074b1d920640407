"""The study: experiments as data, seeds, block files, running, tables, digests, cost estimate."""
