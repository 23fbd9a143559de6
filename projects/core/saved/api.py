"""What a program reads of content that is saved under a name."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SavedContentSerializer(serializers.ModelSerializer[Any]):
    """Base: the name, for whom, and the content, which nobody sends."""

    saved_by = serializers.CharField(source="saved_by.full_name", read_only=True)

    class Meta:
        fields = ("id", "name", "of_organisation", "content", "content_hash", "saved_by", "saved_at")
        read_only_fields = ("id", "content", "content_hash", "saved_at")
