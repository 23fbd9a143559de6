"""What no code may break about runs: a result is whole or absent, and the files beside it stay as they are."""

from __future__ import annotations

from approvals.governance.triggers import Trigger, register
from projects.core.trigger_conditions import changed

_OF_RUN = "EXISTS (SELECT 1 FROM processing_runtable t WHERE t.run_id = NEW.id{which})"

register(
    Trigger(
        "run_succeeds_with_every_result",
        "processing_run",
        ("INSERT", "UPDATE"),
        "a run succeeds with the results of all its tables",
        f"NEW.status = 'succeeded' AND (NOT {_OF_RUN.format(which='')} "
        f"OR {_OF_RUN.format(which=' AND t.result_id IS NULL')})",
    ),
    Trigger(
        "run_without_success_has_no_result",
        "processing_run",
        ("UPDATE",),
        "a run that did not succeed has no result, not even a part of one",
        f"NEW.status IN ('failed', 'cancelled') AND {_OF_RUN.format(which=' AND t.result_id IS NOT NULL')}",
    ),
    # While a run is under way its results may come in: the transaction that ends it writes them first.
    Trigger(
        "run_table_has_what_its_run_has",
        "processing_runtable",
        ("INSERT", "UPDATE"),
        "a table of a run has a result exactly when the run succeeded",
        "EXISTS (SELECT 1 FROM processing_run r WHERE r.id = NEW.run_id AND ("
        "(r.status = 'succeeded' AND NEW.result_id IS NULL) "
        "OR (r.status IN ('failed', 'cancelled') AND NEW.result_id IS NOT NULL)))",
    ),
    Trigger(
        "share_file_is_final",
        "processing_sharefile",
        ("UPDATE",),
        "the file of a holder of shares is never exchanged",
        changed("id", "project_id", "run_id", "number", "stored_id", "sha256", '"table"', "made_at"),
    ),
    Trigger("share_file_stays", "processing_sharefile", ("DELETE",), "a file of shares is never deleted"),
    Trigger(
        "mapping_table_is_final",
        "processing_mappingtable",
        ("UPDATE",),
        "a mapping table is never exchanged",
        changed(
            "id", "project_id", "run_id", '"table"', "step", '"column"', "stored_id", "key_id", "made_at"
        ),
    ),
    Trigger(
        "mapping_table_stays", "processing_mappingtable", ("DELETE",), "a mapping table is never deleted"
    ),
)
