"""The claims step: judge a chapter's claims from its tables, and join the chapters' ledgers."""

from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

import pandas as pd

from nonconvex.canonical import sha256
from nonconvex.claims.check import read_claims
from nonconvex.claims.ledger import judge, write_ledger
from nonconvex.errors import UserError
from nonconvex.files import file_sha256
from nonconvex.validation import read_yaml


def judge_chapter(
    plan: Mapping, digest: str, tables: Mapping[str, pd.DataFrame], inputs: Sequence[str], path: str | Path
) -> None:
    """Judge the claims about the plan's figures and write their ledger to `path`."""
    write_ledger(chapter_ledger(plan, digest, tables, inputs), path)


def chapter_ledger(
    plan: Mapping, digest: str, tables: Mapping[str, pd.DataFrame], inputs: Sequence[str]
) -> pd.DataFrame:
    """Judge the claims about the plan's figures by the tables that there are, in the files `inputs`."""
    if sha256(read_yaml(plan["file"])) != plan["claims"]:
        raise UserError(f"{plan['file']} was changed while the run was going on; start the run again")
    wanted = set(plan["figures"])
    claims = [claim for claim in read_claims([plan["file"]]) if wanted.intersection(claim["figures"])]
    digests = {
        "plan": sha256(plan)[:16],
        "code": digest,
        "tables": {Path(name).stem: file_sha256(name)[:16] for name in inputs},
    }
    return judge({**plan, "claims": claims, "digests": digests}, tables)


def join_ledger(inputs: Sequence[str | StringIO], path: str | Path) -> None:
    """Write the ledgers of all chapters as one."""
    parts = [pd.read_csv(name, dtype=str, keep_default_na=False) for name in inputs]
    write_ledger(pd.concat(parts, ignore_index=True), path)
