"""What nobody breaks in the store of the keys: no key is exchanged for another, and what was done with keys stays written."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register

register(
    Trigger(
        "kept_key_stays", "custody_keptkey", ("UPDATE",), "a key in custody is destroyed or stays as it is"
    ),
    Trigger(
        "key_access_append_only",
        "custody_keyaccess",
        ("UPDATE", "DELETE"),
        "what was done with keys is append-only",
    ),
)
