"""Asking for the head of an address alone is no opening of what it gives."""

from __future__ import annotations

import ast
import inspect
import textwrap

from .addresses import addresses


def acts_in_somebodys_name(method):
    """Whether the code of ``method`` hands on who acts (``by=``), as only what writes is asked to."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(keyword.arg == "by" for call in calls for keyword in call.keywords)


def test_where_reading_is_recorded_programs_are_refused_the_head():
    """Else the log would have an opening that was none, and an approval would be used up."""
    recorded, answering = [], []
    for name, address in addresses().items():
        if not address.is_api or "GET" not in address.methods:
            continue
        cls = getattr(address.view, "cls", None) or address.view.view_class
        if acts_in_somebodys_name(cls.get):
            recorded.append(name)
            if "head" in cls.http_method_names:
                answering.append(name)
    assert len(recorded) >= 10
    assert answering == []
