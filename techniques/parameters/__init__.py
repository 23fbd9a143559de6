"""The parameters of every technique, as classes light enough for the web process to import.

A class here says what may be set, within which bounds, and in plain words why; what is done with it
lives in the module of the technique's family (``techniques.suppression`` and its neighbours).
"""

from __future__ import annotations

from techniques.parameters.base import Parameters
from techniques.parameters.fields import ParameterField, describe

__all__ = ["ParameterField", "Parameters", "describe"]
