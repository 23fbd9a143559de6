"""Data: brought in by the executor after the plan is approved; others see it masked."""

from django.core.files.uploadedfile import SimpleUploadedFile

from projects.workflow import State

from ..checkpoints import at
from ..language import Table, acts, reads

IDENTIFYING = at(State.IDENTIFICATION)
REASON = {"reason": "to see how the remarks are written"}
FORMAT = {"encoding": "gb18030", "delimiter": ",", "quote": '"', "header": "on"}


def _file(world):
    return {"file": SimpleUploadedFile("more.csv", world.data[:20000])}


UPLOAD = acts(("executor", IDENTIFYING), body=_file, media="multipart")
# The table in which persons could be looked for: brought in by whom the data are.
POPULATION = "population=1"
# Also after the release, when others' data become known.
UPLOAD_POPULATION = acts(
    ("executor", IDENTIFYING | at("monitoring")), body=_file, media="multipart", query=POPULATION
)
READ, READ_POPULATION = reads(), reads(query=POPULATION)
CONFIRM = acts(("executor", at("identification+uploaded")), body=lambda world: FORMAT)
# Some rows as they are, for the executor alone, with a reason, and an event in the log.
RAW = acts(
    ("executor", at(State.IDENTIFICATION, State.PROCESSING)),
    body=lambda world: REASON,
    shows_raw=frozenset({"executor"}),
)
DECLARE = acts(("executor", IDENTIFYING), body=lambda world: {"do": "declare", "names": "patients\nvisits"})
DECLARE_API = acts(("executor", IDENTIFYING), body=lambda world: {"tables": ["patients", "visits"]})
LINKS_API = acts(("executor", IDENTIFYING), body=lambda world: {"links": []})
CHECK_API = acts(("executor", frozenset()), never="a project with a single table has no links to check")
TABLE: Table = {
    "datasets:page": {"GET": [READ, READ_POPULATION]},
    "datasets:upload": {"GET": reads(redirects=True), "POST": [UPLOAD, UPLOAD_POPULATION]},
    "datasets:tables": {"POST": DECLARE},
    "datasets:confirm": {"POST": CONFIRM},
    "datasets:raw_look": {"POST": RAW},
    "api:dataset-list": {"GET": [READ, READ_POPULATION], "POST": [UPLOAD, UPLOAD_POPULATION]},
    "api:dataset-tables": {"GET": reads(), "PUT": DECLARE_API},
    "api:dataset-links": {"PUT": LINKS_API},
    "api:dataset-links-check": {"POST": CHECK_API},
    "api:dataset-detail": {"GET": reads()},
    "api:dataset-preview": {"GET": reads()},
    "api:dataset-confirm": {"POST": acts(("executor", at("identification+uploaded")))},
    "api:dataset-raw-look": {"POST": RAW},
}
