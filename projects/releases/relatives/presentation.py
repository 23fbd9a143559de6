"""Relatives and what was measured with them, as rows and sentences that page, signer and API share."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from approvals.governance.person import Person
from approvals.passages import passage
from projects.core.models import Project
from projects.core.numbers import count, moment
from projects.processing.models import Run
from techniques.catalogue import bases
from techniques.core.messages import filled
from techniques.disclosure_risk.releases.findings import LONGEST

from ..models import RelativesMeasurement, Release
from .outside.kinship import OutsideKin, outside_of
from .outside.presentation import kin_row, unmeasurable_text
from .outside.rules import may_read_outside
from .report import OWN, Changed, Finding, findings_of
from .selectors import (
    MOST_RELATIVES,
    Relative,
    Relatives,
    apart,
    has_courses,
    holders_of,
    measured_now,
    names_for,
    relatives_of,
    run_shown,
    sets_left_out,
)

if TYPE_CHECKING:
    from techniques.core.settings import Statement

SHOWN_GROUPS = 5
NOT_MEASURED = ("warn", gettext_lazy("Not measured"))
FOUND = ("fail", gettext_lazy("Reveals more together"))
NOTHING = ("ok", gettext_lazy("Nobody else was found"))


def relative_row(one: Relative, release: Release, name: str, known: bool) -> dict[str, Any]:
    """A relative, why it is one, and whether it can still be fetched."""
    why = []
    if one.same_source:
        why.append(_("made from the same file"))
    if one.versions:
        why.append(_("made from another file with the same columns"))
    if one.same_key:
        columns = {"columns": _(", ").join(one.same_key)}
        why.append(_("pseudonyms of %(columns)s under the same key") % columns)
    return {
        "id": str(one.release_id) if known else None,
        "name": name,
        "why": _("; ").join(why),
        "released_at": release.released_at,
        "is_in_force": release.in_force,
    }


def finding_row(
    one: Finding,
    k: int,
    names: Mapping[str, str],
    known: Container[str],
    holders: Mapping[Any, Sequence[str]],
) -> dict[str, Any]:
    """A set of releases with what it tells in words, and in whose hands it is."""
    others = [name for name in one.releases if name != OWN]
    people = [str(person) for person, held in holders.items() if {*others} <= {*held}]
    tone, word = NOT_MEASURED if one.is_open else FOUND if one.is_risky else NOTHING
    return {
        "kind": one.kind,
        "basis": bases.RELEASES % {"clauses": one.clause},
        "k": k,
        "table": one.table,
        "releases": [name for name in others if name in known],
        "names": [names.get(name, _("A release that no longer exists")) for name in others],
        "tone": tone,
        "word": word,
        "is_measured": not one.is_open,
        "is_risky": one.is_risky,
        "holders": people,
        "sentences": _sentences(one, k, names, known),
    }


def _sentences(one: Finding, k: int, names: Mapping[str, str], known: Container[str]) -> list[str]:
    from techniques.disclosure_risk.releases.explain import (
        composition_statements,
        differences_limits,
        dimension_statements,
        increment_limits,
        increment_statements,
        inference_statements,
        joined_statements,
        linkage_statements,
        linked_limits,
    )

    called = {OWN: _("This result"), **names}
    if one.problem:
        params = {name: called.get(str(value), value) for name, value in one.params.items() if name != "file"}
        if one.kind == "keyed" and "column" in params:
            whose = one.params.get("release")
            releases = one.releases if whose is None else (str(whose),)
            if not all(release == OWN or release in known for release in releases):
                params["column"] = _attribute_of(releases, called, known)
        return [
            _("It could not be measured: %(why)s") % {"why": filled(_(one.problem), {"file": "", **params})}
        ]
    found: list[str] = []
    lists = {"releases": [called.get(name, name) for name in one.releases], "columns": one.quasi}
    if one.composed is not None:
        found += _listed(composition_statements([one.composed], one.quasi, k), lists)
    if one.dimensions is not None:
        found += [filled(_(said.message), said.params) for said in dimension_statements(one.dimensions)]
    if one.joined is not None:
        said = joined_statements(one.joined, k)
        found += _listed([_without_names(one, text, called, known) for text in said], lists)
    together = () if one.linkage is None else linkage_statements(one.linkage)
    found += [_of_release(text, called, known) for text in (*together, *inference_statements(one.inferred))]
    limits = [] if one.linkage is None or one.is_open else [linked_limits(LONGEST)]
    if one.increment is not None:
        earlier = {"earlier": called.get(one.earlier, one.earlier)}
        found.append(_("The earlier version is: %(earlier)s.") % earlier)
        found += [filled(_(said.message), said.params) for said in increment_statements(one.increment)]
        found += _changed(one.changed)
        limits += [increment_limits(), *([] if one.changed is None else [differences_limits()])]
    found += [filled(_(said.message), said.params) for said in limits]
    for release, columns in one.left_out.items():
        left = {"release": called.get(release, release), "columns": _(", ").join(columns)}
        found.append(
            _(
                "%(release)s: values of %(columns)s were replaced, so they were not used to look for anyone there."
            )
            % left
        )
    return found


def _without_names(
    one: Finding, said: Statement, called: Mapping[str, str], known: Container[str]
) -> Statement:
    """A column's name is told where the reader may know a release that has it."""
    column = str(said.params.get("column", ""))
    releases = one.releases_of(column)
    # Where it was not written down which release has it, it may be any.
    wanted = any if column in {name for names in one.attributes.values() for name in names} else all
    if not column or wanted(release == OWN or release in known for release in releases):
        return said
    return said.model_copy(
        update={"params": {**said.params, "column": _attribute_of(releases, called, known)}}
    )


def _of_release(said: Statement, called: Mapping[str, str], known: Container[str]) -> str:
    """A sentence about a column of one release, written release/column, and the classes of another."""
    params = dict(said.params)
    if "column" in params:
        release, _slash, column = str(params["column"]).partition("/")
        names = {"column": column, "release": called.get(release, release)}
        if release == OWN:
            params["column"] = column
        elif release in known:
            params["column"] = _("%(column)s of %(release)s") % names
        else:
            params["column"] = _attribute_of([release], called, known)
    if "release" in params:
        params["release"] = called.get(str(params["release"]), _("A release that no longer exists"))
    return filled(_(said.message), params)


def _attribute_of(releases: Sequence[str], called: Mapping[str, str], known: Container[str]) -> str:
    hidden = [
        called.get(one, _("A release that no longer exists"))
        for one in releases
        if one != OWN and one not in known
    ]
    return _("an attribute of %(release)s") % {"release": _(", ").join(hidden)}


def _listed(statements: Sequence[Statement], lists: Mapping[str, Sequence[str]]) -> list[str]:
    """Statements in the reader's language, lists as it writes them."""
    texts = {name: _(", ").join(given) for name, given in lists.items()}
    return [
        filled(_(one.message), {**one.params, **{name: texts[name] for name in texts if name in one.params}})
        for one in statements
    ]


def _changed(one: Changed | None) -> list[str]:
    if one is None:
        return [_("Too few groups are the same in both versions to compare their counts.")]
    counts = {
        "compared": one.compared, "unchanged": one.unchanged, "columns": _(", ").join(one.columns), "number": one.number,
        "least": one.least,
    }  # fmt: skip
    said = [
        _(
            "Of %(compared)d groups by %(columns)s, %(unchanged)d have the same number of persons in "
            "both versions, and %(number)d differ by fewer than %(least)d."
        )
        % counts
    ]
    if one.number:
        pairs = _(", ").join(f"{before} → {after}" for before, after in one.found[:SHOWN_GROUPS])
        said.append(
            _(
                "Persons in such groups, before and after: %(pairs)s. Someone who knows that a person"
                " joined or left may learn which group that person is in."
            )
            % {"pairs": pairs}
        )
    return said


def summary(
    project: Project,
    run: Run | None = None,
    relatives: Relatives | None = None,
    outside: Sequence[OutsideKin] | None = None,
) -> dict[str, Any] | None:
    """What a signer is told: whether the result of ``project`` has relatives, what they were measured to tell, and which of them were
    made outside the portal, so that nobody could measure them; None without any. ``open``: the ids of those that tell more together
    with the result, or of which that was not measured; of those made outside what they are compared by."""
    run = run or run_shown(project)
    relatives = relatives_of(run) if relatives is None else relatives
    outside = outside_of(run) if outside is None else outside
    to_measure = bool(relatives) or (run is not None and has_courses(run))
    if run is None or not (to_measure or outside):
        return None
    measured = measured_now(project, run, relatives)
    together = _together(findings_of(measured.findings)) if measured else []
    said = []
    if to_measure:
        said.append(_unmeasured(relatives) if measured is None else measured_text(measured))
    if outside:
        said.append(unmeasurable_text(outside))
    return {
        "measurement": measured,
        "number": len(relatives) + len(outside),
        "outside": len(outside),
        "text": passage(said),
        "is_risky": measured is not None and any(one.is_risky for one in findings_of(measured.findings)),
        "is_measuring": measured is None and relatives.is_measured,
        "open": frozenset(one.entry.facts_hash for one in outside)
        | (_open(measured, together) if measured else frozenset(str(one.release_id) for one in relatives)),
    }


def _together(findings: Sequence[Finding]) -> list[Finding]:
    """Those of the result with other releases."""
    return [one for one in findings if one.kind != "linked"]


def _compared(findings: Sequence[Finding]) -> set[str]:
    return {name for one in findings for name in one.releases if name != OWN}


def _open(measured: RelativesMeasurement, together: Sequence[Finding]) -> frozenset[str]:
    """Of the relatives those that tell more in some combination, or that were not measured in each."""
    every = frozenset(measured.relatives)
    if sets_left_out(measured.sets) or apart(measured.sets):
        return every
    doubtful = {name for one in together if one.is_risky or one.problem for name in one.releases}
    return (every & doubtful) | (every - _compared(together))


def _unmeasured(relatives: Relatives) -> str:
    number = len(relatives)
    if relatives.is_measured:
        return _(
            "What this result reveals together with related releases, or its own rows in sequence, is being measured."
        )
    if not number:
        return _(
            "Persons have several rows in this result; what the rows of a person reveal in sequence was not measured."
        )
    return ngettext(
        "%(n)s other release may concern the same persons; what it reveals together with this result was not measured.",
        "%(n)s other releases may concern the same persons; what they reveal together with this result was not measured.",
        number,
    ) % {"n": number}


def measured_text(measurement: RelativesMeasurement) -> str:
    """What a measurement found, in sentences that fit a signature."""
    every = findings_of(measurement.findings)
    found = _together(every)
    counts = {
        "number": str(measurement), "when": moment(measurement.measured_at), "sets": len(found),
        "risky": sum(one.is_risky for one in found), "failed": sum(bool(one.problem) for one in found),
        "relatives": len(measurement.relatives),
    }  # fmt: skip
    said = [
        _(
            "Measured as %(number)s, %(when)s. Other releases: %(relatives)s; combinations: %(sets)s; of these, combinations that reveal more than one release alone: %(risky)s."
        )
        % counts
    ]
    alone = [one for one in every if one.kind == "linked"]
    if any(one.is_risky for one in alone):
        said.append(_("Rows of this result that are related tell more together than each of them alone."))
    if any(one.is_open for one in alone):
        said.append(_("What related rows of this result reveal together could not be measured."))
    if counts["failed"]:
        said.append(_("%(failed)s of them could not be measured.") % counts)
    if not _compared(found).issuperset(measurement.relatives[:MOST_RELATIVES]):
        said.append(
            _(
                "Releases connected with this result only through pseudonyms under the same key were not compared."
            )
        )
    if len(measurement.relatives) > MOST_RELATIVES:
        said.append(
            _("Only the %(most)s most recent of these releases were measured.") % {"most": MOST_RELATIVES}
        )
    if apart(measurement.sets):
        said.append(_("Some releases of the same file were not put together with releases of other files."))
    if left_out := sets_left_out(measurement.sets):
        text = _(
            "%(number)s further combinations of these releases were not measured: with many releases, only each of them, all "
            "together, and what each recipient holds."
        )
        said.append(text % {"number": count(left_out)})
    return passage(said)


def overview(project: Project, user: Person) -> dict[str, Any]:
    """All that the page and the API say of the relatives of a project's result."""
    run = run_shown(project)
    relatives = relatives_of(run)
    rows_of = Release.objects.filter(pk__in=[one.release_id for one in relatives]).select_related("project")
    releases = {one.pk: one for one in rows_of} if relatives else {}
    names, known = names_for(user, releases.values())
    holders = holders_of(relatives, run) if run is not None and relatives else {}
    outside = outside_of(run)
    signed = summary(project, run, relatives, outside)
    measured = signed["measurement"] if signed else None
    rows = []
    if measured is not None:
        found = sorted(findings_of(measured.findings), key=lambda one: one.rank)
        rows = [finding_row(one, measured.k, names, known, holders) for one in found]
    return {
        "run": run,
        "relatives": [
            relative_row(
                one, releases[one.release_id], names[str(one.release_id)], str(one.release_id) in known
            )
            for one in relatives
        ],
        "outside": [kin_row(one, may_read=bool(outside and may_read_outside(user))) for one in outside],
        "several": [
            {"person": str(person), "names": [names[one] for one in held]} for person, held in holders.items()
        ],
        "is_related": signed is not None,
        "summary": signed,
        "measurement": measured,
        "findings": rows,
    }
