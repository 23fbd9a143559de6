"""Vocabulary of verification (GB/T 37964 5.5)."""

# Kinds of jobs: a result is measured, and the approval report about it written.
MEASURE_JOB = "verification.measure"
APPROVAL_JOB = "verification.approval_pdf"
TRIAL_JOB = "verification.try"
SIGNED_JOB = "verification.signed_pdf"
# What the signed approval report is about, as documents know it.
SIGNED_SUBJECT = "signoff"
