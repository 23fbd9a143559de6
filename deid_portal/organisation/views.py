"""Pages of the organisation: the metadata table with its versions, and the rule library."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from approvals.governance.verdict import Refused
from projects.core.drafts.pages import draft_answer, draft_begin, draft_end
from projects.identification.enums import ColumnRole
from techniques.identification.patterns import rules_version

from . import exchange, rules, selectors, services
from .cryptography.policy import national_only
from .environment.coefficients import coefficients_now
from .forms import EntryForm, ImportForm, ReasonForm
from .library import library, own_rules
from .models import MetadataEntry
from .parties.rules import may_read_parties
from .talks.rules import may_read_talks

# So many lines are less than four screens of a phone.
PAGE_ROWS = 12


@require_GET
def page(request: HttpRequest) -> HttpResponse:
    """Everybody inside. What outlives a project: tables, rules, people."""
    rules.may_read_organisation(request.user).require()
    entries = selectors.metadata_entries()
    context = {
        "entry_count": len(entries),
        "alias_count": sum(len(entry.field_names) for entry in entries),
        "version": selectors.versions().first(),
        "rule_count": len(library()) + sum(1 for entry in entries if entry.value_form),
        "national": national_only(),
        "coefficients": coefficients_now().version,
        "may_read_talks": bool(may_read_talks(request.user)),
        "may_read_parties": bool(may_read_parties(request.user)),
        "may_manage_messages": bool(rules.may_set_letterhead(request.user)),
    }
    return render(request, "organisation/page.html", context)


@require_GET
def metadata(request: HttpRequest) -> HttpResponse:
    """Everybody inside. The metadata table, by name, kind, field name and role; of any version."""
    rules.may_read_organisation(request.user).require()
    current = selectors.current_version()
    shown = _number(request.GET.get("version"), current)
    wanted = request.GET.get("q", "").strip().casefold()
    role = request.GET.get("role", "")
    entries = [
        entry
        for entry in selectors.metadata_entries(shown)
        if (not role or entry.role == role) and (not wanted or wanted in _searchable(entry))
    ]
    context = {
        "entries": Paginator(entries, PAGE_ROWS).get_page(request.GET.get("page")),
        "roles": ColumnRole.choices,
        "role": role,
        "q": request.GET.get("q", ""),
        "shown": shown,
        "version_text": str(shown),
        "current": current,
        "is_current": shown == current,
        "may_edit": rules.may_edit_metadata(request.user),
    }
    return render(request, "organisation/metadata.html", context)


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 9 else default


def _searchable(entry: Any) -> str:
    parts = [entry.kind, entry.name, _(entry.name), *entry.field_names]
    return " ".join(parts).casefold()


@require_http_methods(["GET", "POST"])
def metadata_add(request: HttpRequest) -> HttpResponse:
    """Planning managers and administrators. Add an identifier."""
    may_edit = rules.may_edit_metadata(request.user)
    may_edit.require()
    form = EntryForm(request.POST or None)
    if (answer := draft_answer(request, form, may_edit)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        values = form.values()
        try:
            entry = services.entry_add(**values, reason=form.cleaned_data["reason"], by=request.user)
        except ValidationError as error:
            _onto(form, error)
        else:
            draft_end(request, form)
            messages.success(request, _("“%(name)s” was added.") % {"name": _(entry.name)})
            return redirect("organisation:metadata")
    status = 422 if form.is_bound else 200
    return render(request, "organisation/metadata_form.html", {"form": form}, status=status)


@require_http_methods(["GET", "POST"])
def metadata_edit(request: HttpRequest, kind: str) -> HttpResponse:
    """Planning managers and administrators. Change an identifier; its former row stays in the history."""
    may_edit = rules.may_edit_metadata(request.user)
    may_edit.require()
    entry = selectors.metadata_entry(kind)
    form = EntryForm(request.POST or None, entry=entry)
    if (answer := draft_answer(request, form, may_edit, about=entry.pk)) is not None:
        return answer
    if request.method == "POST" and form.is_valid():
        try:
            services.entry_edit(kind, reason=form.cleaned_data["reason"], by=request.user, **form.values())
        except ValidationError as error:
            _onto(form, error)
        except Refused as refusal:
            if refusal.verdict.reason != rules.OrganisationReason.NOTHING_CHANGED:
                raise
            form.add_error(None, refusal.verdict.text)
        else:
            draft_end(request, form)
            messages.success(request, _("“%(name)s” was changed.") % {"name": _(entry.name)})
            return redirect("organisation:metadata")
    return _entry_page(request, entry, form, ReasonForm(prefix="remove"))


def _entry_page(
    request: HttpRequest, entry: MetadataEntry, form: EntryForm, removal: ReasonForm
) -> HttpResponse:
    context = {"form": form, "entry": entry, "remove_form": removal}
    status = 422 if form.is_bound or removal.is_bound else 200
    return render(request, "organisation/metadata_form.html", context, status=status)


@require_POST
def metadata_remove(request: HttpRequest, kind: str) -> HttpResponse:
    """Planning managers and administrators. Take an identifier out of the table."""
    rules.may_edit_metadata(request.user).require()
    entry = selectors.metadata_entry(kind)
    form = ReasonForm(request.POST, prefix="remove")
    if not form.is_valid():
        editing = EntryForm(entry=entry)
        editing.address = reverse("organisation:metadata_edit", args=[kind])
        draft_begin(request, editing, rules.may_edit_metadata(request.user), about=entry.pk)
        return _entry_page(request, entry, editing, form)
    services.entry_remove(kind, reason=form.cleaned_data["reason"], by=request.user)
    messages.success(request, _("“%(name)s” was removed.") % {"name": _(entry.name)})
    return redirect("organisation:metadata")


@require_GET
def metadata_export(request: HttpRequest) -> HttpResponse:
    """Everybody inside. A version of the table as CSV."""
    rules.may_read_organisation(request.user).require()
    version = _number(request.GET.get("version"), selectors.current_version())
    text = exchange.table_write(selectors.metadata_entries(version))
    response = HttpResponse("\ufeff" + text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="identifier-metadata-{version}.csv"'
    return response


@require_http_methods(["GET", "POST"])
def metadata_import(request: HttpRequest) -> HttpResponse:
    """Planning managers and administrators. Replace the whole table by a CSV file, or nothing of it."""
    rules.may_edit_metadata(request.user).require()
    form = ImportForm(request.POST or None, request.FILES or None)
    problems: list[exchange.Problem] = []
    if request.method == "POST" and form.is_valid():
        try:
            version = services.table_replace(
                exchange.table_read(form.cleaned_data["file"]),
                reason=form.cleaned_data["reason"],
                by=request.user,
            )
        except exchange.BadTable as error:
            problems = error.problems
        except Refused as refusal:
            if refusal.verdict.reason != rules.OrganisationReason.NOTHING_CHANGED:
                raise
            form.add_error("file", refusal.verdict.text)
        except ValidationError as error:
            _onto(form, error)
        else:
            text = _("The table was imported as version %(number)s.") % {"number": version.number}
            messages.success(request, text)
            return redirect("organisation:metadata_versions")
    context = {"form": form, "problems": problems[:200], "problem_count": len(problems)}
    return render(request, "organisation/metadata_import.html", context, status=422 if form.is_bound else 200)


def _onto(form: Any, error: ValidationError) -> None:
    for text in error.messages:
        form.add_error(None, text)


@require_GET
def metadata_versions(request: HttpRequest) -> HttpResponse:
    """Everybody inside. Every version of the table: who, when, why, and its hash."""
    rules.may_read_organisation(request.user).require()
    return render(request, "organisation/metadata_versions.html", {"versions": selectors.versions()})


@require_GET
def metadata_version(request: HttpRequest, number: int) -> HttpResponse:
    """Everybody inside. What one version changed, entry by entry."""
    rules.may_read_organisation(request.user).require()
    version = selectors.versions().get(pk=number)
    context = {"version": version, "changes": selectors.version_changes(number) if number > 1 else []}
    return render(request, "organisation/metadata_version.html", context)


@require_GET
def rule_library(request: HttpRequest) -> HttpResponse:
    """Everybody inside. The rules that the rule judgement method applies."""
    rules.may_read_organisation(request.user).require()
    return render(
        request, "organisation/rules.html", {"lines": [*library(), *own_rules()], "version": rules_version()}
    )
