"""Advice on techniques (GB/T 37964 5.4.3, T/ISC 0078 8.3): questions, a ranking, and why not."""

from __future__ import annotations

from techniques.advice.questions import QUESTIONS, Answers, ColumnAnswers, DatasetAnswers
from techniques.advice.ranking import Advice, Recommendation, advise

__all__ = ["QUESTIONS", "Advice", "Answers", "ColumnAnswers", "DatasetAnswers", "Recommendation", "advise"]
