"""The demo's people: six who carry a data set through, and those who look on."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext

from deid_portal.accounts.models import User
from deid_portal.accounts.services import password_set, user_create
from projects.workflow.posts import AppointedPost, Post

APPOINTED = {
    "qian.supervisor": (AppointedPost.SUPERVISOR,),
    "sun.management": (AppointedPost.MANAGEMENT,),
}
"""Who was appointed to a post beside the one that their account was made for."""

# username, name, department, post
PEOPLE = (
    ("lin.planner", "林规划", "数据治理办公室", Post.PLANNER),
    ("zhao.executor", "赵执行", "信息中心", Post.STAFF),
    ("qian.supervisor", "钱监督", "内控审计部", Post.STAFF),
    ("sun.management", "孙院长", "院领导", Post.STAFF),
    ("li.recipient", "李研究", "医学院流行病学教研室", Post.RECIPIENT),
    ("zhou.auditor", "周审计", "集团审计中心", Post.AUDITOR),
    ("wu.assessor", "吴评估", "外部评估机构", Post.ASSESSOR),
    ("zheng.admin", "郑管理", "信息中心", Post.ADMINISTRATOR),
)


def ensure_people() -> dict[str, User]:
    """The demo's accounts by the part of the username after the dot; created once."""
    result = {}
    for username, name, department, post in PEOPLE:
        user = User.objects.filter(username=username).first() or user_create(
            username=username,
            password=None,
            full_name=name,
            department=department,
            post=post,
            access_until=timezone.localdate() + timedelta(days=90) if post == Post.ASSESSOR else None,
            appointed=APPOINTED.get(username, ()),
            by=None,
        )
        result[username.split(".")[1]] = user
    return result


def renew_passwords() -> list[tuple[str, str, str, str]]:
    """Give every demo account a new random password; returns (username, password, name, post)."""
    result = []
    for user in ensure_people().values():
        password = secrets.token_urlsafe(9)
        password_set(user, password=password, by=None)
        result.append((user.username, password, user.full_name, gettext(str(Post(user.post).label))))
    return result
