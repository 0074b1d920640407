"""Every product of a study: its plan, the digest of its code, its stamp, and what a job of it costs."""
