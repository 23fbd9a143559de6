"""``README.txt`` of an audit package: what was put in, and how it is checked, in each language of the portal."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from approvals.documents.render import LANGUAGES

from ..numbers import count, moment
from .contents import Package
from .layout import ABOUT, ATTACHMENTS, CONTENTS, DECISIONS, DOCUMENTS, READABLE_ROWS, ROWS


def readme_of(package: Package) -> str:
    parts = []
    for language in LANGUAGES:
        with translation.override(language):
            parts.append("\n".join(_lines(package)))
    return ("\n" + "-" * 72 + "\n\n").join(parts)


def _lines(package: Package) -> list[str]:
    """In the active language."""
    project = package.project
    said = [
        _("Audit package of project %(number)s “%(title)s”")
        % {"number": project.number, "title": project.title},
        "",
        _("Taken by %(name)s, %(time)s") % {"name": package.by, "time": moment(package.at)},
        _("State of the project: %(state)s") % {"state": project.get_state_display()},
        _("Documents: %(count)s") % {"count": count(len(package.documents))},
        _("Attachments: %(count)s") % {"count": count(len(package.attachments))},
    ]
    if package.end is not None:
        said.append(
            _("The whole audit log ended with row %(seq)s, hash %(hash)s")
            % {"seq": package.end.seq, "hash": package.end.hash}
        )
    if package.lost:
        names = _(", ").join(package.lost)
        said += ["", _("Cannot be read any more, so they are missing here: %(names)s") % {"names": names}]
    return [
        *said,
        "",
        _("What is in it"),
        *(f"- {path}  {text}" for path, text in _places()),
        "",
        _(
            "What is not in it: source data, results, keys, and rows of the log that are not about this project."
        ),
        "",
        _("How it is checked"),
        _("1. No file was damaged on its way: sha256sum -c SHA256SUMS"),
        _("2. Rows, documents and decisions fit each other: manage.py audit_package_verify PACKAGE.zip"),
        _(
            "3. The rows stand in the log: manage.py audit_package_verify PACKAGE.zip --log CHAIN.jsonl (the exported chain)"
        ),
        "",
    ]


def _places() -> list[tuple[str, str]]:
    """Each place in the file with what lies there."""
    return [
        (DOCUMENTS, _("every document of the project that can be read")),
        (ATTACHMENTS, _("files that people brought: signed agreements, privacy notices")),
        (ROWS, _("the rows of the audit log about the project, as they were hashed")),
        (READABLE_ROWS, _("the same rows as sentences")),
        (
            DECISIONS,
            _("reviews, sign-offs and signatures of its steps, each with the hash of what it is about"),
        ),
        (
            CONTENTS,
            _(
                "plans and measurements, as far as they still are what was judged; the SHA-256 of each file is the hash in the decision"
            ),
        ),
        (ABOUT, _("the list of the documents, for programs")),
    ]
