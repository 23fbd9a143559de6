"""The cluster that the deployment may name for runs: what people call it, and the session of one run on it."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING

from django.conf import settings

from techniques.core.messages import EngineError, gettext_noop

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

log = logging.getLogger(__name__)

# Spark's pages of a run would be open to whoever reaches the machine of the worker.
_SETTINGS = {"spark.ui.enabled": "false"}
# What else a portal's environment holds that nobody beside it is to know.
_HIDDEN = ("DATABASE_URL",)


def cluster_name() -> str:
    """What people call the cluster; empty where there is none."""
    return str(settings.DEID_SPARK_NAME) if settings.DEID_SPARK_MASTER else ""


class Connection:
    """The session of a run, which begins when it is first called for and ends by :meth:`close`."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._session: SparkSession | None = None

    def __call__(self) -> SparkSession:
        """EngineError ``run.no_cluster``, ``spark_…``."""
        from techniques.engines.spark.session import session

        if self._session is None:
            master = settings.DEID_SPARK_MASTER
            if not master:
                text = gettext_noop("The cluster that was to do this run is no longer set up for the portal.")
                raise EngineError("run.no_cluster", text)
            found = self._stack.enter_context(session(master, _SETTINGS, _HIDDEN))
            _require_protected(found)
            self._session = found
        return self._session

    def close(self) -> None:
        """End what began; a cluster that is gone keeps nobody."""
        self._session = None
        try:
            self._stack.close()
        except Exception as error:  # noqa: BLE001  whatever Java says
            log.warning("the session on the cluster did not end in order (%s)", type(error).__name__)


def _require_protected(session: SparkSession) -> None:
    """EngineError ``spark_traffic`` where keys and cells would travel between machines as they are."""
    conf = session.sparkContext.getConf()
    on_one_machine = conf.get("spark.master", "").startswith("local")
    if not on_one_machine and conf.get("spark.network.crypto.enabled", "false") != "true":
        text = gettext_noop(
            "The cluster would send keys and cells over the network unencrypted: an administrator has to set "
            "spark.authenticate and spark.network.crypto.enabled to true."
        )
        raise EngineError("spark_traffic", text)
