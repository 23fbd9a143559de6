"""``{% load ui %}``: every component of the portal. ``docs/reference/components.md`` lists the arguments."""

from django.template import Library

from approvals.documents.templatetags import passages
from deid_portal.ui.tags import actions, blocks, charts, data, evidence, forms, process

register = Library()

for _family in (blocks, actions, forms, process, evidence, data, charts, passages):
    register.tags.update(_family.register.tags)
    register.filters.update(_family.register.filters)
