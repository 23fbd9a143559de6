"""Risk across releases in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from techniques.core.messages import _
from techniques.core.settings import Statement
from techniques.disclosure_risk.releases.composition import MOST_TOGETHER
from techniques.disclosure_risk.releases.differencing import Differences
from techniques.disclosure_risk.releases.findings import (
    LONGEST,
    Composed,
    Course,
    DateInference,
    Dimensions,
    Increment,
    Joined,
    Linkage,
)
from techniques.disclosure_risk.releases.linked import Dependency, Groups
from techniques.disclosure_risk.sizes import MANY_COLUMNS


def composition_statements(found: Sequence[Composed], quasi: Sequence[str], k: int) -> list[Statement]:
    """What each release leaves, then each set of several, in the order of ``found``, and what is not counted."""
    said = []
    for one in found:
        said += _together(one, quasi, k) if len(one.releases) > 1 else [_alone(one, k)]
    releases = max((len(one.releases) for one in found), default=0)
    if releases > MOST_TOGETHER:
        text = _(
            "Of these %(releases)d releases each by itself, every two and all together were looked at, and no other combination."
        )
        said.append(Statement.of("sets_left_out", text, releases=releases))
    said.append(
        Statement.of(
            "not_counted",
            _(
                "Not counted are other knowledge of a person, and rows that are recognised by values near each other or by "
                "their place in the file."
            ),
        )
    )
    return said


def _alone(one: Composed, k: int) -> Statement:
    text = _(
        "%(release)s by itself fits %(persons)d persons of the source and leaves each at least %(k)d candidates; %(below)d of them "
        "are left with fewer than %(asked)d."
    )
    return Statement.of(
        "alone", text, release=one.releases[0], persons=one.persons, k=one.k, below=one.below, asked=k
    )


def _together(one: Composed, quasi: Sequence[str], k: int) -> list[Statement]:
    names = {"releases": ", ".join(one.releases)}
    if one.persons == 0:
        text = _("%(releases)s: nobody of the source fits all of them, so there is nothing to put together.")
        return [Statement.of("nobody", text, **names)]
    text = _(
        "%(releases)s fit %(persons)d persons together: who knows %(columns)s of one of them is left with at least %(k)d candidates, "
        "and with one of these releases alone with at least %(alone)d."
    )
    figures = {"persons": one.persons, "k": one.k, "alone": one.alone}
    said = [
        Statement(code="together", message=text, params={**names, **figures, "columns": ", ".join(quasi)})
    ]
    if one.below:
        text = _(
            "%(below)d of %(persons)d persons are left with fewer than %(asked)d; %(new)d of them have enough in each "
            "release alone."
        )
        said.append(Statement.of("below", text, below=one.below, persons=one.persons, asked=k, new=one.new))
    for column, inferred in one.sensitive.items():
        if inferred.certain:
            text = _(
                "Of %(certain)d persons only one value of %(column)s is left; of %(new)d of them no release alone tells it."
            )
            said.append(
                Statement.of("inferred", text, certain=inferred.certain, column=column, new=inferred.new)
            )
    if one.by:
        text = _("Rows of these releases are recognised by %(by)s, taken to be unchanged in all of them.")
        said.append(Statement.of("linked_by", text, by=", ".join(one.by)))
    if one.unlinked:
        text = _("For %(unlinked)d persons no rows agree there; they are counted by the releases one by one.")
        said.append(Statement.of("unlinked", text, unlinked=one.unlinked))
    return said


def joined_statements(found: Joined, k: int) -> list[Statement]:
    """What the rows of several releases tell that one pseudonym joins, and what is not counted."""
    names = {"releases": ", ".join(found.releases), "key": ", ".join(found.key)}
    if found.persons == 0:
        text = _("%(releases)s: no pseudonym of %(key)s is in all of them, so no rows can be joined by it.")
        return [Statement.of("nobody_joined", text, **names)]
    text = _(
        "%(releases)s are joined by the pseudonyms of %(key)s: %(persons)d of %(held)d persons of the first are in all of them."
    )
    said = [Statement.of("joined", text, **names, persons=found.persons, held=found.held[0])]
    text = _(
        "Who knows of one of them what all releases say in quasi-identifiers may be left with as few as %(k)d, and with one "
        "release alone with as few as %(alone)d."
    )
    said.append(Statement.of("joined_left", text, k=found.k, alone=found.alone))
    if found.new:
        text = _(
            "%(below)d of %(persons)d persons are left with fewer than %(asked)d; %(new)d of them have enough in each "
            "release alone."
        )
        said.append(
            Statement.of("below", text, below=found.below, persons=found.persons, asked=k, new=found.new)
        )
    if found.single:
        text = _("%(single)d of %(persons)d persons are like nobody else in the joined rows.")
        said.append(Statement.of("single", text, single=found.single, persons=found.persons))
    for column, inferred in found.sensitive.items():
        if inferred.certain:
            text = _(
                "Of %(certain)d persons the joined rows leave only one value of %(column)s; of %(new)d of them no release alone tells it."
            )
            said.append(
                Statement.of("inferred", text, certain=inferred.certain, column=column, new=inferred.new)
            )
    said += dimension_statements(found.dimensions)
    text = _(
        "Not counted are other knowledge of a person, and rows without a pseudonym: they are joined to none."
    )
    return [*said, Statement.of("not_counted", text)]


def dimension_statements(found: Dimensions) -> list[Statement]:
    """D.2: where releases have many columns only together, and how few of many tell nearly everything."""
    said = []
    if found.together >= MANY_COLUMNS > found.alone:
        text = _(
            "Only together these releases have many columns (D.2): %(together)d quasi-identifiers, and the one with the most has "
            "%(alone)d by itself."
        )
        said.append(Statement.of("many_together", text, together=found.together, alone=found.alone))
    if found.few:
        text = _(
            "With %(few)d of the %(together)d quasi-identifiers of the joined rows %(share).1f %% of what singles somebody out is known, with "
            "all of them %(all).1f %%."
        )
        said.append(
            Statement.of(
                "few_tell",
                text,
                few=found.few,
                together=found.together,
                share=100 * found.share,
                all=100 * found.all,
            )
        )
    return said


def difference_statements(found: Differences) -> list[Statement]:
    """Each group that tells of few people, with what it tells, or that none does."""
    said = []
    for one in found.found:
        group = ", ".join(one.group)
        if one.people > 0:
            text = _(
                "%(group)s: %(people)d more than before, on balance. Who knows of a person that they joined may learn that it is here."
            )
        elif one.people < 0:
            text = _(
                "%(group)s: %(people)d fewer than before, on balance. Who knows of a person that they left may learn that it was here."
            )
        else:
            text = _(
                "%(group)s: as many people as before, but a figure has changed: of somebody who is in it, or who took another's place."
            )
        said.append(Statement.of("few", text, group=group, people=abs(one.people)))
        for brought in one.contributions:
            if brought.low == brought.high:
                text = _(
                    "The difference of %(column)s is %(low)s: what those who came contributed, less what those who left did."
                )
            else:
                text = _(
                    "The difference of %(column)s is between %(low)s and %(high)s: what those who came contributed, less what those who left did."
                )
            said.append(
                Statement.of(
                    "contributed",
                    text,
                    column=brought.column,
                    low=f"{brought.low:g}",
                    high=f"{brought.high:g}",
                )
            )
    if not found.found:
        text = _(
            "Of %(compared)d groups compared %(unchanged)d say the same, and each other one has at least %(least)d people more or fewer than before, on balance."
        )
        said.append(
            Statement.of("none", text, compared=found.compared, unchanged=found.unchanged, least=found.least)
        )
    if found.hidden:
        text = _("Not compared, because one of the versions hides them: %(hidden)d groups.")
        said.append(Statement.of("hidden", text, hidden=found.hidden))
    return said


def increment_statements(found: Increment) -> list[Statement]:
    """What is new, how much alike, and whether the rest reads as before."""
    if found.new == 0:
        said = [Statement.of("nothing_new", _("The later release has no row that the earlier one lacks."))]
    else:
        text = _(
            "Who has both releases sees %(new)d new rows: the smallest group of persons that are alike is %(k_new)d among them, and "
            "%(k_all)d among all rows of the later release."
        )
        said = [Statement.of("new", text, new=found.new, k_new=found.k_new, k_all=found.k_all)]
    if found.below:
        text = _(
            "%(below)d of the new persons have fewer than %(k)d like them in the later release, themselves included."
        )
        said.append(Statement.of("below", text, below=found.below, k=found.k))
    for column, number in found.outside.items():
        text = _("In %(column)s, %(number)d of the new persons lie beyond everybody of the earlier release.")
        said.append(Statement.of("outside", text, column=column, number=number))
    if found.gone:
        text = _(
            "%(gone)d of %(before)d earlier rows are not in the later release as they were: if they read otherwise now, two "
            "forms of them are at hand."
        )
        said.append(Statement.of("gone", text, gone=found.gone, before=found.gone + found.kept))
    return said


def differences_limits() -> Statement:
    """What a comparison of two versions of a table of statistics leaves out."""
    text = _(
        "Not counted are other knowledge of a person, what several groups or other tables tell together, and persons who took "
        "another's place in a group whose figures did not change."
    )
    return Statement.of("not_counted", text)


def increment_limits() -> Statement:
    """What a comparison of two releases of a growing data set leaves out."""
    text = _(
        "Not counted are other knowledge of a person, sensitive values that the new rows have in common, and what two forms of "
        "an earlier row tell together."
    )
    return Statement.of("not_counted", text)


def linked_limits(longest: int) -> Statement:
    """What was not looked at in rows that hang together: ``longest`` rows in a row were, at most."""
    text = _(
        "Not counted are other knowledge of a person, rows that do not follow each other, more than %(longest)d rows in a row, "
        "and values that are only near to what is known."
    )
    return Statement.of("not_counted", text, longest=longest)


def linked_statements(
    found: Sequence[Course],
    groups: Sequence[Groups],
    dependent: Sequence[Dependency],
    k: int,
    *,
    dates: bool = True,
) -> list[Statement]:
    """What courses, shared keys and dates that depend on each other tell; ``dates``: whether dates were looked at."""
    said = course_statements(found, k)
    for group in groups:
        text = _(
            "Counted by %(column)s the smallest class has %(least)d; %(below)d persons are in classes of fewer than %(k)d."
        )
        said.append(Statement.of("group", text, column=group.column, least=group.k, below=group.below, k=k))
    for one in dependent:
        text = _(
            "In %(share).1f %% of the rows that have both, %(second)s is %(least)d to %(most)d days after %(first)s: who has one of them knows the "
            "other nearly."
        )
        said.append(
            Statement.of(
                "dependent",
                text,
                share=100 * one.share,
                first=one.first,
                second=one.second,
                least=one.least,
                most=one.most,
            )
        )
    if dates and not dependent:
        said.append(
            Statement.of(
                "independent", _("No date was found that tells another one by a fixed time between them.")
            )
        )
    return said


def course_statements(found: Sequence[Course], k: int) -> list[Statement]:
    """How many persons a stretch of each length tells apart."""
    text = _(
        "Who knows %(length)d rows of a person in a row: %(unique)d of %(persons)d persons have some that nobody else has, and "
        "%(below)d some that fewer than %(k)d have."
    )
    return [
        Statement.of(
            "course",
            text,
            length=one.length,
            unique=one.unique,
            persons=one.persons,
            below=one.below,
            k=k,
        )
        for one in found
    ]


def linkage_statements(found: Linkage) -> list[Statement]:
    """Whom courses and shared keys tell apart whom nothing alone does, and which hidden dates others tell (D.3)."""
    several = len(found.releases) > 1
    said = []
    if found.most_rows < 2:
        text = (
            _("Nobody has more than one row in these releases, so there is no course of anybody to follow.")
            if several
            else _("Nobody has more than one row, so there is no course of anybody to follow.")
        )
        said.append(Statement.of("no_course", text))
    elif not found.ordered:
        text = _(
            "Persons have up to %(most)d rows, and no column of dates puts them in order: courses were not looked at."
        )
        said.append(Statement.of("no_order", text, most=found.most_rows))
    else:
        said += course_statements(found.courses, found.k)
        said.append(_new(found, several))
    for one in found.shared:
        text = (
            _(
                "Counted by %(column)s, which fewer than %(k)d persons share each, the smallest class of %(release)s has %(least)d; "
                "%(new)d persons are in classes of at least %(k)d persons that have fewer so counted."
            )
            if one.new
            else _(
                "Counted by %(column)s, which fewer than %(k)d persons share each, no class of %(release)s of at least %(k)d persons "
                "has fewer."
            )
        )
        given = {"column": f"{one.release}/{one.column}", "release": one.classes}
        said.append(Statement.of("shared", text, **given, least=one.k, new=one.new, k=found.k))
    return said + inference_statements(found.inferred)


def _new(found: Linkage, several: bool) -> Statement:
    if several and found.new:
        text = _(
            "%(new)d of %(persons)d persons have a course of up to %(longest)d rows over these releases that fewer than %(k)d have, and "
            "none in one of them alone."
        )
    elif several:
        text = _(
            "Whoever has a course over these releases that fewer than %(k)d have, has one in one of them alone."
        )
    elif found.new:
        text = _(
            "%(new)d of %(persons)d persons share each of their rows with at least %(k)d, themselves included, and a course of up to "
            "%(longest)d rows with fewer."
        )
    else:
        text = _(
            "Whoever has a course of up to %(longest)d rows that fewer than %(k)d have, has a single row that fewer have."
        )
    return Statement.of("course_new", text, new=found.new, persons=found.persons, longest=LONGEST, k=found.k)


def inference_statements(found: Sequence[DateInference]) -> list[Statement]:
    """Which dates that no release tells follow from dates that one does."""
    return [_inference(one) for one in found]


def _inference(one: DateInference) -> Statement:
    column, share = f"{one.release}/{one.column}", 100 * one.share
    if one.least >= 0:
        text = _(
            "No release tells %(hidden)s to the day. But in %(share).1f %% of %(rows)d rows of the source it is %(least)d to %(most)d days after "
            "%(column)s, which can be read: who reads it knows the hidden date nearly."
        )
        least, most = one.least, one.most
    elif one.most <= 0:
        text = _(
            "No release tells %(hidden)s to the day. But in %(share).1f %% of %(rows)d rows of the source it is %(least)d to %(most)d days before "
            "%(column)s, which can be read: who reads it knows the hidden date nearly."
        )
        least, most = -one.most, -one.least
    else:
        text = _(
            "No release tells %(hidden)s to the day. But in %(share).1f %% of %(rows)d rows of the source it lies between %(least)d days before "
            "and %(most)d days after %(column)s, which can be read: who reads it knows the hidden date nearly."
        )
        least, most = -one.least, one.most
    return Statement.of(
        "told", text, hidden=one.hidden, column=column, share=share, rows=one.rows, least=least, most=most
    )
