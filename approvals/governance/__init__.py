"""The grammar in which every rule and every write of the portal is spoken.

* A rule answers with a :class:`verdict.Verdict`: allowed, or denied with a typed reason.
* A governed model (:mod:`governed`) can be written only inside a recording (:mod:`approvals.audit.recording`), which opens the
  transaction and appends the audit event in it.
* Acts come one after the other (:mod:`serialization`), and what no code may break stands in :mod:`triggers` of the database.
"""
