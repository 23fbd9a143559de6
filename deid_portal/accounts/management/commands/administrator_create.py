"""``manage.py administrator_create USERNAME "Full name"``: the first administrator of a new portal."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from deid_portal.accounts.services import one_time_password, user_create
from projects.workflow.posts import Post


class Command(BaseCommand):
    help = "Create an administrator and print a one-time password; the first sign-in asks for a new one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("full_name")

    def handle(self, *args: Any, username: str, full_name: str, **options: Any) -> None:
        password = one_time_password()
        user_create(
            username=username,
            password=password,
            full_name=full_name,
            post=Post.ADMINISTRATOR,
            must_change_password=True,
            by=None,
        )
        self.stdout.write(f"{username}: {password}")
