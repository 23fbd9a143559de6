"""Passwords that are guessed first are refused, and the reason is said in the reader's language."""

from __future__ import annotations

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import translation

from deid_portal.accounts.models import User

WANG = User(username="wang.test", full_name="王测试")


@pytest.mark.parametrize(
    "password",
    ["short", "123456789012", "passwordpassword", "王测试王测试王测试王测试", "wang.test2026", "aaaaaaaaaaaa",
     "abcdefghijkl", "Password2026!", "qwertyuiop12"],
)  # fmt: skip
def test_it_is_refused_in_chinese(password):
    with translation.override("zh-hans"), pytest.raises(ValidationError) as refused:
        validate_password(password, WANG)
    assert all(any("\u4e00" <= c <= "\u9fff" for c in text) for text in refused.value.messages)


@pytest.mark.parametrize("password", ["correct-horse-battery", "Xk9#mPq2vL8w", "河水流过平原与山丘之间吧"])
def test_it_passes(password):
    validate_password(password, WANG)
