"""Vocabulary about jobs."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class JobStatus(models.TextChoices):
    """The state of a job; the last three are final."""

    QUEUED = "queued", pgettext_lazy("job", "Queued")
    RUNNING = "running", pgettext_lazy("job", "Running")
    SUCCEEDED = "succeeded", _("Finished")
    FAILED = "failed", pgettext_lazy("job", "Failed")
    CANCELLED = "cancelled", pgettext_lazy("job", "Cancelled")


class ItemStatus(models.TextChoices):
    """The state of one item of a job. A lost worker's started item is started again."""

    WAITING = "waiting", pgettext_lazy("job", "Waiting")
    STARTED = "started", pgettext_lazy("job", "Running")
    DONE = "done", _("Finished")


class JobName(models.TextChoices):
    """What each kind of job is called where a reader meets it, as in the audit log."""

    DETECT = "datasets.detect", _("Detecting the format of the file")
    CHECK = "datasets.check", _("Checking every row of the data set")
    PLAN = "objective.plan_pdf", _("Write the implementation plan as PDF")
    PLAN_APPROVED = "objective.approval_pdf", _("Write the approved plan as PDF")
    SCAN = "identification.scan", _("Scan for identifiers")
    COUNT_PERSONS = "identification.count_persons", _("Count the rows of each person")
    IDENTIFICATION_REPORT = "identification.report_pdf", _("Print the identification report")
    RUN = "processing.run", _("Run the recipe")
    PROCESSING_REPORT = "processing.report_pdf", _("Print the processing report")
    MEASURE = "verification.measure", _("Measure the result")
    TRIAL = "verification.try", _("Measure the result as a trial")
    APPROVAL_REPORT = "verification.approval_pdf", _("Write the approval report as PDF")
    SIGNED_REPORT = "verification.signed_pdf", _("Write the approval report with its decision as PDF")
    VERIFY_SEAL = "releases.verify_seal", _("Verify the seal")
    AGREEMENT = "releases.agreement_pdf", _("Print the text of the agreement")
    SLIP = "releases.slip_pdf", _("Print the delivery slip")
    RELATIVES = "releases.relatives", _("Measure a result with related releases")
    JOIN_CHECK = "datasets.join_check", _("Checking the links between the tables")
    EXPLORE = "processing.explore", _("Look at the solutions")
    PROPOSE = "processing.propose", _("Try the suggestion on the data")
    FORECAST = "processing.forecast", _("Measure the planned steps")
    LOAD = "processing.load", _("Measure the load on samples")
    WHOLE_PREVIEW = "processing.preview", _("Work out the preview of the whole result")
    JOIN_LEVELS = "processing.join_levels", _("Join the protection levels")
    COUNT_LEVELS = "processing.count_levels", _("Count the protection levels")
    COMPARE = "verification.compare", _("Compare candidate runs")
    REVERSE = "reversal.reverse", _("Get values back")
    ANSWER = "queries.answer", _("Answer a question")
    ENCLAVE_QUERY = "enclave.query", _("Run the query")
    RESULT_SAMPLE = "findings.result_sample", _("Read the records that were drawn")
    RECEIVED_SAMPLE = "findings.received_sample", _("Read the records that were drawn")
    ACCOUNT = "queries.account_pdf", _("Print the statement of the budget of answers")
    ESTIMATE = "queries.local_estimate", _("Estimate from randomised answers")
    TABULATE = "statistics.tabulate", _("Make a table of statistics")
    MEASURE_AGAIN = "monitoring.measure", _("Measure the release again")
    MEASURE_LATER = "monitoring.measure_later", _("Measure a release that has ended again")
    REASSESSMENT_REPORT = "monitoring.report_pdf", _("Print the re-assessment report")
    IMPACT = "impact.report_pdf", _("Print the impact assessment")
    INCIDENT = "incidents.report_pdf", _("Print the report on an incident")
    INTRUDER_TEST = "intrusion.report_pdf", _("Print the report of the intruder test")
    CERTIFICATE = "vault.certificate_pdf", _("Print the certificate of destruction")
    DESTROY = "disposal.destroy", _("Remove encrypted files")
    PUBLISH = "releases.publish", _("Verify the seal and publish")
    DISPOSAL_CERTIFICATE = "disposal.certificate_pdf", _("Print the certificate of destruction")


ACTIVE = (JobStatus.QUEUED, JobStatus.RUNNING)
