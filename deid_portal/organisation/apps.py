from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OrganisationConfig(AppConfig):
    name = "deid_portal.organisation"
    label = "organisation"
    verbose_name = _("Organisation")

    def ready(self) -> None:
        from approvals.documents.letterhead import set_letterhead_source
        from projects.core.executing.source import set_executing_source
        from projects.disposal.terms import set_terms_source
        from projects.identification.lookup import set_metadata_source
        from projects.impact.selectors import set_house_source
        from projects.monitoring.checklists.items import set_checklist_source
        from projects.objective.surroundings.coefficients import set_coefficients_source
        from projects.objective.targets.grounds import set_grounds_source
        from projects.processing.recipes.policy import set_national_source
        from projects.releases.agreements.clauses import set_clauses_source
        from projects.releases.agreements.parties import set_register
        from projects.statistics.rule_sets import set_rule_source
        from projects.verification.sign_off.quorum import set_quorum_source

        from .agreements.clauses import clauses_now
        from .checklists.lists import checklist_now
        from .cryptography.policy import national_only
        from .disclosure.rule_sets import Sets
        from .environment.coefficients import coefficients_now
        from .grading.demands import house_of
        from .grading.policy import any_version
        from .letterhead.versions import letterhead_now
        from .parties import triggers as party_triggers  # noqa: F401  register triggers
        from .parties.executing import events as executing_events  # noqa: F401  register the sentence
        from .parties.executing import triggers as executing_triggers  # noqa: F401  register triggers
        from .parties.executing.selectors import Parties as ExecutingParties
        from .parties.linking import Parties
        from .policies.grounds import SOME, grounds_for
        from .retention.terms import terms_now
        from .selectors import metadata_table
        from .signers.quorum import asks_of
        from .talks import events, triggers  # noqa: F401  register sentences and triggers
        from .team import events as team_events  # noqa: F401  register the sentences
        from .team import triggers as team_triggers  # noqa: F401  register triggers

        set_checklist_source(checklist_now)
        set_clauses_source(clauses_now)
        set_register(Parties())
        set_executing_source(ExecutingParties)
        set_metadata_source(metadata_table)
        set_grounds_source(grounds_for, SOME)
        set_terms_source(terms_now)
        set_quorum_source(asks_of)
        set_house_source(house_of, any_rules=any_version())
        set_national_source(national_only)
        set_coefficients_source(coefficients_now)
        set_rule_source(Sets())
        set_letterhead_source(letterhead_now)
