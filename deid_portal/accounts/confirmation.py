"""Asking a signed-in person for their secrets again: a session alone changes no password and makes no token.

Wrong answers count towards the lock like those of a sign-in, and stand in the log.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from django.http import HttpRequest

from approvals.audit.recording import leave_note

from . import events
from .models import User
from .services import subject_of
from .two_step import has_second_step, second_step

CODE_DIGITS = 6


def password_is_right(request: HttpRequest, user: User, password: str) -> bool:
    """Whether ``password`` is that of ``user``, who is signed in; the request is answered with 429 once it is locked."""
    if authenticate(request, username=user.username, password=password) is not None:
        return True
    leave_note(events.CONFIRMATION_FAILED, by=user, subject=subject_of(user))
    return False


def signer_is_right(request: HttpRequest, secret: str) -> bool:
    """Whether ``secret`` is the password of who is signed in or, where the account has a second step, a code of it: asked at the
    moment of signing. Wrong ones count like those of a sign-in."""
    user: Any = request.user
    digits = secret.replace(" ", "")
    if len(digits) == CODE_DIGITS and digits.isdigit() and has_second_step(user):
        return second_step(user, digits) is not None
    return password_is_right(request, user, secret)


def person_is_right(request: HttpRequest, user: User, password: str, code: str) -> bool:
    """The password and, where the account has one, a code of the second step."""
    if not password_is_right(request, user, password):
        return False
    return not has_second_step(user) or second_step(user, code) is not None
