"""What the code of an error is called in the audit log, which keeps codes and never a message.

The full sentence, with column and number, stands where the work failed; here is its kind in a few words, the same for
codes that ask the same of the reader.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from approvals.governance.verdict import Reason

# words → the codes of :class:`techniques.core.messages.EngineError` that they stand for
_NAMED: dict[Any, str] = {
    _("internal fault"): "internal job.internal",
    _("cancelled"): "cancelled",
    _("too little memory"): "job.memory",
    _("the worker kept stopping"): "job.stalled",
    _("a process of the run ended too early"): "process_ended",
    _("rejected by a rule"): "refused",
    # Files that were uploaded.
    _("the file is empty or has no rows"): "table.empty table.rows.none no_rows",
    _("column names are missing, repeated or invalid"): (
        "table.columns.none table.name.empty table.name.duplicate table.name.control table.name.long "
        "table.name.personal column_name_invalid column_name_twice"
    ),
    _("too many columns, rows or values"): (
        "composition_too_large releases.too_large table.columns.many table.xlsx.rows table.code.many too_many_columns too_many_values too_many_categories "
        "too_many_distinct too_many_masks table_too_large joined_too_large"
    ),
    _("bytes or characters of another encoding"): (
        "table.bytes.undecodable table.encoding.mixed table.encoding.unknown table.nul table.write.encoding "
        "hierarchy_file_encoding"
    ),
    _("rows or quotation marks do not match"): (
        "table.row.ragged table.quote.unclosed table.quote.stray table.lines.blank table.write.columns"
    ),
    _("cells, rows or texts too long"): "table.field.long table.row.long table.xlsx.text table.xlsx.cell",
    _("the file cannot be read as a table"): (
        "table.unreadable table.kind.refused table.xlsx.encrypted table.xlsx.bomb table.xlsx.strings "
        "table.xlsx.large table.xlsx.sheet table.parquet.bomb table.parquet.type dataset.format column_not_plain "
        "data_unknown file_format_invalid file_missing table.arrow.cut table.json.digits table.json.line table.json.mixed "
        "table.json.twice table.packed.bomb table.packed.broken table.typed.type format_differs"
    ),
    _("parts of a table do not go together"): (
        "table.parts.columns table.parts.form table.parts.key_twice table.parts.keys table.parts.none table.parts.type"
    ),
    _("a database cannot be read or written"): (
        "database_address database_failed database_table_exists database_table_missing database_unreachable"
    ),
    _("a table of a catalogue cannot be read"): (
        "catalog_address catalog_elsewhere catalog_failed catalog_form catalog_mixed catalog_on_spark catalog_partitions catalog_read_only "
        "catalog_table_missing catalog_type catalog_view iceberg_deletes iceberg_equality_deletes iceberg_unnumbered spark_no_hive"
    ),
    _("an optional part of the engine is not installed"): "extra_missing",
    _(
        "an object store cannot be read or written"
    ): "store_driver_missing store_failed store_missing store_unknown",
    _("the recipe or the files do not fit a Spark cluster"): (
        "spark_driver_full spark_output spark_output_exists spark_persons_many spark_whole_table"
    ),
    _("the Spark cluster cannot be used or stopped"): (
        "run.no_cluster spark_environment spark_fault spark_given_up spark_java spark_traffic spark_unencrypted spark_unreachable store.unseen"
    ),
    _("the upload is missing, cut off or too large"): "upload.none upload.cut upload.too_large",
    _("this kind of file is not accepted"): "agreement.scan_type notice.kind",
    _("the stored file is damaged"): "store.damaged",
    _("the stored file was destroyed"): "store.destroyed",
    _("encrypted files could not be removed"): "disposal.left",
    _("no storage space left for files"): "store.full",
    _("the file changed while it was read"): "source_changed",
    _("the output file cannot be written to that location"): (
        "output_folder_closed output_folder_missing output_is_folder output_is_input output_twice"
    ),
    # Tables and their links.
    _("the name or number of tables is not valid"): "table.name table.name_twice table.too_many",
    _("a link between tables does not hold"): (
        "link.incomplete link.no_column link.no_table link.same_table reference_differs reference_not_joinable "
        "reference_orphans reference_removed reference_unknown references_declared joined_link_unused"
    ),
    _("tables that are not linked could be joined"): "joinable_undeclared",
    _("the main table has no recipe"): "main_table_first",
    _(
        "tables do not belong together"
    ): "label_unknown release_without_columns releases_few keys_differ pseudonyms_differ tables_differ rows_differ run.table_missing",
    # Looking for identifiers.
    _("the scan did not reach every row"): "identification.coverage identification.order",
    _("a form of values cannot be read or says nothing"): "value_form",
    _("nobody has stated whose rows they are"): (
        "several_rows_of_nobody subject_unsaid verification.nobody_said verification.subjects_unknown subject_decided subjects_differ"
    ),
    # The recipe.
    _("the recipe is not valid"): (
        "recipe_invalid recipe_place recipe_too_long recipe_unreadable variable_missing variable_unclear variable_unknown objective_invalid dimension_invalid scene_unknown "
        "saved_recipe_unknown table_empty reason_too_short combination_columns"
    ),
    _("a technique or treatment that does not exist"): (
        "technique_unknown treatment_unknown kind_unknown level_unknown item_unknown"
    ),
    _("a column is missing"): "column_missing columns_missing unknown_column not_in_step within_not_in_step",
    _(
        "columns named twice or in two roles"
    ): "group_twice column_twice column_exists levels_twice quasi_and_sensitive counts_overlap",
    _("columns without treatment"): "columns_untreated key_untreated",
    _("a direct identifier is not treated"): "direct_identifier_untreated",
    _("no column is left"): "columns_none_left",
    _("columns that a table of groups cannot contain"): "aggregation_leaves_columns",
    _("cryptography other than the national algorithms"): "algorithm_not_national",
    _("the data set is not ready"): "dataset_not_ready",
    _("nothing is prepared, and no reason is given"): "preparation_not_stated",
    _("a technique without a preview"): "no_preview",
    _("columns were treated before the model"): "treated_before",
    _("no model in the recipe"): "no_model",
    # Values that a technique cannot read.
    _("values that are not numbers"): "values_not_numbers not_numeric not_a_number",
    _("values that are not dates"): "values_not_dates values_not_days",
    _("values that are not positions"): "values_not_positions",
    _("values that are not administrative divisions"): "values_not_divisions",
    _("values that are not in the list"): "values_not_listed value_outside",
    _("values missing from the hierarchy"): "values_not_in_hierarchy value_not_in_hierarchy",
    _("values that were not encrypted with this key"): "values_not_decryptable",
    _("characters outside the alphabet"): "values_not_in_alphabet",
    _("identifiers without a valid check digit"): "values_not_identifiers",
    _("values that are not IP addresses"): "values_not_ip_addresses",
    _("values outside the range"): "values_out_of_range values_not_levels level_unreadable values_below_zero",
    _("values that are all rare"): "values_all_rare",
    # Hierarchies, models, tables of statistics, synthesis.
    _("a hierarchy is missing or not valid"): (
        "hierarchy_file_invalid hierarchy_file_missing hierarchy_files_many hierarchy_folder_missing "
        "hierarchy_missing hierarchy_no_tree hierarchy_unused"
    ),
    _("the sample was too small for the recipe"): "load.sample_too_small",
    _("k greater than the number of rows"): "k_too_large",
    _("no quasi-identifier"): "no_quasi_identifier",
    _("no solution meets all conditions"): "no_solution",
    _("the search went beyond its limit"): "effort_used_up lattice_too_large",
    _("more suppressed than the limit allows"): "suppression_over_limit",
    _("an estimate that is valid for one result only"): "local_estimate",
    _("too few persons, rows or values"): (
        "people_too_few persons_too_few rows_too_few too_few_rows identifiers_too_few names_too_few "
        "pseudonyms_too_few"
    ),
    _("pseudonyms too short"): "pseudonym_too_short",
    _("made-up rows are too close to real ones"): "synthesis_too_close",
    _("the noise outweighs the figures"): "noise_too_great",
    _("values or thresholds without a range"): "domain_empty threshold_none",
    _("cells that do not form a table of statistics"): (
        "cells_columns cells_encoding cells_impossible cells_label_unknown cells_not_additive cells_not_numbers cells_twice "
        "labels_repeat"
    ),
    _("cells that cannot be protected"): "cannot_be_hidden cannot_be_rounded rules_of_amounts",
    _("the ledger of the privacy budget is missing, used up or does not match"): (
        "ledger_broken ledger_exists ledger_missing ledger_of_another budget_spent"
    ),
    # Keys, shares, mapping tables, ways back.
    _("a key, salt or seed is missing"): "key_missing purpose_key_missing salt_missing seed_missing",
    _("the key is too short"): "key_too_short",
    _("the key was destroyed"): "vault.destroyed",
    _("the store of the keys did not answer"): "vault.unreachable",
    _("the key is missing from its store"): "vault.missing",
    _("the key cannot be opened with this master key"): "vault.unwrap",
    _("shares do not match or are too few"): "shares_differ shares_do_not_fit shares_too_few",
    _("no share for this recipient"): "release.no_share",
    _("the stored file is not the sealed one"): "release.not_sealed",
    _("the release was ended or suspended meanwhile"): "release.overtaken",
    _("the mapping table was altered"): "mapping.altered",
    _("the values cannot be recovered"): "not_reversible reversal.no_mapping",
    _("values to recover: none, too many or too long"): (
        "reversal.no_values reversal.too_long reversal.too_many"
    ),
    _("other data were uploaded meanwhile"): "levels.data_replaced",
    # Measuring.
    _("the result is not that of the run"): "run.another_result workspace_of_another_run item_too_early",
    _("no longer the result that was to be measured"): "verification.outdated",
    _("a table of the result was removed"): "verification.table_removed",
    _("nobody can be searched for in these releases"): (
        "releases.no_persons releases.no_pseudonyms releases.nothing_common releases.subjects_unsaid"
    ),
    _("a population table that does not match"): (
        "population_lacks_classes population_of_groups population_of_made_values population_smaller_than_sample "
        "population_without_columns sampling_fraction_out_of_range"
    ),
    _("a column or table cannot be compared"): (
        "column_constant column_empty column_untold mean_zero result_empty source_empty"
    ),
    _("a column is given both as known and as a secret"): "secret_known",
    _("a figure is outside its range"): (
        "confidence_range noise_no_number noise_not_positive error_too_small acquaintances_out_of_range prevalence_out_of_range threshold_out_of_range coefficient_not_positive "
        "public_context survey_bounds survey_choices level_range"
    ),
    _("answers or their sources are missing"): (
        "answers_missing delta_missing prevalence_source_missing breach_source_missing checklist_incomplete environment_incomplete safeguards_source_missing recovery_source_missing"
    ),
}
# What a job's code may be: an error of the engine or the portal, or the reason for which a rule refused.
ERROR_NAMES: dict[str, Any] = {code: words for words, codes in _NAMED.items() for code in codes.split()}


def error_name(code: str) -> str | None:
    """What ``code`` is called, a reason of a rule by its own sentence; ``None`` for a code that there is not."""
    if code in ERROR_NAMES:
        return str(ERROR_NAMES[code])
    for kind in Reason.__subclasses__():
        if code in kind.values:
            label = str(kind(code).label)
            # What fills a sentence's gaps is not kept in the log.
            return str(ERROR_NAMES["refused"]) if "%(" in label else label
    return None
