"""Gate a change on claims about it: prints the verdicts, exits with the frozen exit status.

Run it with OLLAMA_API_KEY in the environment: python examples/gate.py FILE CLAIM [CLAIM ...]
"""

from __future__ import annotations

import sys

from claimjury import ClaimjuryError, exit_status, verify_claims_sync


def main(path: str, claims: list[str]) -> int:
    try:
        result = verify_claims_sync(claims, source_paths=[path])
    except ClaimjuryError as error:
        print(error.code, error.message, error.hint, file=sys.stderr)
        return error.exit_status
    for claim in result.claims:
        print(f"{claim.verdict} ({claim.confirm_votes} for, {claim.refute_votes} against): {claim.statement}")
    return exit_status(result)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
