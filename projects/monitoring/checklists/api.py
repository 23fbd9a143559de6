"""Checklists in the API of reviews: what is asked, what is answered, and what was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from approvals.decisions.models import ItemAnswer

from .forms import LONGEST_REASON
from .items import Answers, answers_read


class _ItemSerializer(serializers.Serializer[Any]):
    """Its text in both languages, its clause, and whether a stage passes only when it holds or is not applicable."""

    zh = serializers.CharField()
    en = serializers.CharField()
    clause = serializers.CharField()
    obligatory = serializers.BooleanField()


class ChecklistSerializer(serializers.Serializer[Any]):
    """The checklist in force for a stage; its items are answered in this order."""

    version = serializers.IntegerField()
    hash = serializers.CharField()
    items = _ItemSerializer(many=True)


class _AnswerSerializer(serializers.Serializer[Any]):
    """``answer`` empty: none yet; what does not hold or is not applicable needs a reason."""

    answer = serializers.ChoiceField(choices=ItemAnswer.choices, allow_blank=True)
    reason = serializers.CharField(max_length=LONGEST_REASON, allow_blank=True, default="")


class ChecklistAnswersSerializer(serializers.Serializer[Any]):
    """Answers to the checklist of this ``hash``, one for each of its items in order."""

    hash = serializers.CharField(max_length=64)
    answers = _AnswerSerializer(many=True)


class _AnsweredSerializer(_ItemSerializer):
    answer = serializers.ChoiceField(choices=ItemAnswer.choices, allow_blank=True)
    reason = serializers.CharField()


class ChecklistRecordSerializer(serializers.Serializer[Any]):
    """A checklist as it was answered with a review, with the items as they were then."""

    version = serializers.IntegerField()
    hash = serializers.CharField(source="checklist_hash")
    items = _AnsweredSerializer(many=True, source="rows")


def answers_sent(sent: Mapping[str, Any] | None) -> Answers | None:
    return None if sent is None else answers_read(sent["answers"], sent["hash"])
