"""The only writer of accounts."""

from __future__ import annotations

from datetime import date
from typing import Any

from approvals.governance import Subject, recording

from . import events
from .enums import Post
from .models import User


def user_create(
    *,
    username: str,
    password: str | None,
    full_name: str,
    post: Post = Post.STAFF,
    department: str = "",
    email: str = "",
    access_until: date | None = None,
    by: Any,
) -> User:
    """Create an account. What its post allows is asked of the account each time, never copied."""
    with recording(events.USER_CREATED, by=by, subject=Subject("user", username, full_name), post=str(post)):
        user = User(
            username=username,
            full_name=full_name,
            post=post,
            department=department,
            email=email,
            access_until=access_until,
        )
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save()
        return user
