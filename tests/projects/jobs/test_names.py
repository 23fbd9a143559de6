"""Every kind of job has a name for readers, and no other has one."""

from django.utils.module_loading import autodiscover_modules

from projects.jobs.enums import JobName
from projects.jobs.registry import _kinds


def test_each_kind_is_named():
    autodiscover_modules("kinds")
    of_the_portal = {name for name, kind in _kinds.items() if type(kind).__module__.startswith("projects.")}
    assert of_the_portal == set(JobName)
