"""Where everything lies in an audit package: a ZIP file with what the portal keeps about a project, but its data.

::

    README.txt               what is in it, and how it is checked, in each language
    package.json             the same for programs: the project, the end of the log, every document
    documents/*.pdf          every document of the project
    attachments/*            what people brought as evidence
    log/events.jsonl         its rows of the audit log, as they were hashed
    log/events.csv           the same, to be read
    decisions.json           reviews, sign-offs, signatures and justifications
    content/*.json           what was judged: the SHA-256 of each is the content hash that a decision names
    SHA256SUMS               of all of these, as ``sha256sum -c`` takes it
"""

from __future__ import annotations

FORMAT = 1
"""Of ``package.json``."""
README, ABOUT, DECISIONS, SUMS = "README.txt", "package.json", "decisions.json", "SHA256SUMS"
DOCUMENTS, ATTACHMENTS, CONTENTS = "documents/", "attachments/", "content/"
ROWS, READABLE_ROWS = "log/events.jsonl", "log/events.csv"
