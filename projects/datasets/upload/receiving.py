"""Endpoints to which a file is sent: who asks is known before a byte of the body is read."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.views import APIView

from approvals.governance.person import Person

from .uploading import Upload


class ReceivingView(APIView):
    """``POST`` receives a file into the encrypted store; in its handler ``upload`` is there.

    Who comes with a session is known before the CSRF token, which travels in the body, is read; who comes
    with a token is known without the body.
    """

    upload: Upload | None = None

    def receiving(self, request: HttpRequest) -> Upload:
        """What receives the body; with a purpose and a limit of its own where a package has them."""
        return Upload(request)

    def admit(self, user: Person, **arguments: Any) -> None:
        """Refuse who may not send; ``arguments`` are those of the address."""
        raise NotImplementedError

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        self.received = request
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if request.method == "POST":
            self.upload = self.receiving(self.received)
            if self.received.user.is_authenticated:
                self.admit(self.received.user, **kwargs)
        super().initial(request, *args, **kwargs)
        if self.upload is not None:
            self.admit(request.user, **kwargs)
            self.upload.refuse_too_large()

    def handle_exception(self, exc: Exception) -> Any:
        """What a request left that breaks off in a way nobody foresaw does not stay either."""
        if self.upload is not None:
            self.upload.__exit__()
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """What nobody took over does not stay in the store."""
        if self.upload is not None:
            self.upload.__exit__()
        return super().finalize_response(request, response, *args, **kwargs)
