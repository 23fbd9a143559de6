"""An Airflow DAG: each day's visits are released, or the task fails and nothing behind it starts (Airflow 3)."""

from __future__ import annotations

from typing import Any

from airflow.sdk import DAG, BaseOperator
from deid_step import release


class DeidOperator(BaseOperator):
    """:func:`deid_step.release` as a task. Its arguments are templates, so that a day may stand in a name; keys are in the
    environment of the worker, never among them."""

    template_fields = ("recipe", "source", "target", "policy", "report", "values")

    def __init__(
        self,
        *,
        recipe: str,
        source: str,
        target: str,
        policy: str,
        report: str,
        values: dict[str, str],
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self.recipe, self.source, self.target = recipe, source, target
        self.policy, self.report, self.values = policy, report, values

    def execute(self, context: Any) -> dict[str, Any]:
        return release(
            self.recipe, self.source, self.target, policy=self.policy, report=self.report, values=self.values
        )


with DAG("release_visits", schedule="@daily"):
    DeidOperator(
        task_id="release",
        recipe="/etc/deid/visits.yaml",
        source="s3://raw/visits/{{ ds }}/",
        target="s3://released/visits/{{ ds }}.parquet",
        policy="/etc/deid/policy.yaml",
        report="/var/log/deid/visits-{{ ds }}.json",
        values={"base": "5"},
    )
