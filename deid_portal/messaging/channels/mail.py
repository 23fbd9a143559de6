"""Mail, over one connection for as many messages as go out together."""

from __future__ import annotations

import uuid
from email.utils import parseaddr
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection

from .failures import Busy, Refused, Unreachable

PERMANENT = 500


class Mail:
    """The mail server that ``DEID_EMAIL_URL`` names."""

    def __init__(self) -> None:
        self._connection: Any = None

    def send(self, address: str, subject: str, text: str, number: uuid.UUID) -> None:
        """Raises a ``Failure``. ``number`` is the message's own: the same message sent again bears it again."""
        sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
        headers = {
            "Message-ID": f"<{number}@{sender.rpartition('@')[2] or 'localhost'}>",
            # Nobody's holiday note answers it.
            "Auto-Submitted": "auto-generated",
        }
        # A title may hold a line break, a header none.
        line = " ".join(subject.split())
        try:
            if self._connection is None:
                opened = get_connection()
                opened.open()
                self._connection = opened
            EmailMessage(line, text, None, [address], connection=self._connection, headers=headers).send()
        except SMTPRecipientsRefused as error:
            codes = [code for code, _said in error.recipients.values()]
            raise (Refused if all(code >= PERMANENT for code in codes) else Busy) from None
        except SMTPDataError as error:
            raise (Refused if error.smtp_code >= PERMANENT else Busy) from None
        except (OSError, SMTPException):
            # Half a conversation is not gone on with.
            self.close()
            raise Unreachable from None
        except ValueError:
            # An address that no header can hold.
            raise Refused from None

    def close(self) -> None:
        opened, self._connection = self._connection, None
        if opened is not None:
            try:
                opened.close()
            except (OSError, SMTPException):
                return
