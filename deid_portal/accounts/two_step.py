"""Two-step sign-in: time-based codes (RFC 6238) and recovery codes. The only writer of both.

The secret and the codes are shown once, on the page that makes them. The database holds the secret encrypted under
the master key, and of each code a digest under a key derived from it.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from typing import Any

import segno
from django.db import transaction
from django.utils.safestring import SafeString, mark_safe
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice

from approvals.audit.recording import leave_note, recording
from approvals.governance.person import Person
from approvals.governance.serialization import governed_act
from projects.vault.keys import master_key

from . import events, rules
from .models import SecondStep, User
from .services import subject_of

RECOVERY_CODES = 10
SECRET_BYTES = 20  # as long as the digest of HMAC-SHA-1, RFC 4226


def has_second_step(user: Person) -> bool:
    return bool(SecondStep.objects.filter(user=user, confirmed=True).exists())


def setup_start(user: User) -> SecondStep:
    """A fresh secret that counts only once a code made with it has been given."""
    SecondStep.objects.filter(user=user, confirmed=False).delete()
    key = SecondStep.sealed(secrets.token_bytes(SECRET_BYTES), user.pk)
    device: SecondStep = SecondStep.objects.create(user=user, name="totp", confirmed=False, key=key)
    return device


def setup_pending(user: User) -> SecondStep | None:
    pending: SecondStep | None = SecondStep.objects.filter(user=user, confirmed=False).first()
    return pending


def secret_of(device: SecondStep) -> str:
    """The secret in base 32, in groups of four, for typing it in by hand."""
    text = b32encode(device.bin_key).decode().rstrip("=")
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def qr_of(device: SecondStep) -> SafeString:
    """The QR code as inline SVG without styles, so that it passes the content security policy."""
    svg = segno.make(device.config_url, error="m").svg_inline(scale=5, border=2, omitsize=False)
    return mark_safe(svg)  # noqa: S308  made by segno from digits and commands only


def setup_confirm(user: User, code: str) -> tuple[SecondStep, list[str]] | None:
    """Switch two-step sign-in on if ``code`` fits; returns the device and the recovery codes."""
    with governed_act():
        device = SecondStep.objects.select_for_update().filter(user=user, confirmed=False).first()
        if device is None or not device.verify_token(_digits(code)):
            return None
        with recording(
            events.TOTP_CHANGED, by=user, subject=subject_of(user), change=events.Change.SWITCHED_ON.value
        ):
            SecondStep.objects.filter(user=user, confirmed=True).delete()
            device.confirmed = True
            device.save()
            return device, _codes_new(user)


def codes_renew(user: User) -> list[str]:
    """New recovery codes; the old ones stop working."""
    with recording(
        events.TOTP_CHANGED, by=user, subject=subject_of(user), change=events.Change.CODES_RENEWED.value
    ):
        return _codes_new(user)


def _codes_new(user: User) -> list[str]:
    # The device stays: a session that was opened with one of its codes goes on.
    holder, _created = StaticDevice.objects.get_or_create(user=user, name="recovery", confirmed=True)
    holder.token_set.all().delete()
    codes = [secrets.token_hex(5) for _index in range(RECOVERY_CODES)]
    for code in codes:
        holder.token_set.create(token=code_digest(user.pk, code))
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def code_digest(user_id: int, code: str) -> str:
    """What the database keeps of a recovery code: 16 hexadecimal digits that nobody makes without the master key."""
    key = hmac.digest(master_key(), b"recovery-codes", "sha256")
    return hmac.digest(key, f"{user_id}:{code}".encode(), "sha256").hex()[:16]


def codes_left(user: User) -> int:
    return sum(device.token_set.count() for device in StaticDevice.objects.filter(user=user, confirmed=True))


def second_step(user: User, code: str) -> Device | None:
    """The device that ``code`` belongs to, or None. A code works once; failures slow down further tries."""
    plain = code.replace("-", "").replace(" ", "").strip().lower()
    if not plain:
        return None
    is_timed = plain.isdigit() and len(plain) == 6
    model: Any = SecondStep if is_timed else StaticDevice
    given = plain if is_timed else code_digest(user.pk, plain)
    # The failure must be kept, so that it slows down the next try: no rollback here.
    with transaction.atomic():
        for device in model.objects.select_for_update().filter(user=user, confirmed=True):
            if device.verify_token(given):
                return device
    leave_note(events.SECOND_STEP_FAILED, by=user, subject=subject_of(user))
    return None


def switch_off(user: User) -> None:
    """A person's own choice; the caller has asked for password and code."""
    with recording(
        events.TOTP_CHANGED, by=user, subject=subject_of(user), change=events.Change.SWITCHED_OFF.value
    ):
        _remove(user)


def remove_for(account: User, *, by: Person, reason: str) -> None:
    """For who lost the phone and the recovery codes; the administrator says why."""
    rules.may_administer_other(by, account).require()
    with recording(events.TWO_STEP_REMOVED, by=by, subject=subject_of(account), reason=reason):
        _remove(account)


def _remove(user: User) -> None:
    SecondStep.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


def _digits(code: str) -> str:
    return code.replace(" ", "").strip()
