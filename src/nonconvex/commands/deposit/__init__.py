"""What archives and checkers read: a manifest of CODECHECK, and an RO-Crate."""
