"""One word for one thing in Chinese: the check of words finds what gave way, and people stand by the reading of their names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from django import forms

from approvals.governance.person import by_reading
from projects.core.forms import PersonChoiceField

sys.path.append(str(Path(__file__).resolve().parents[3] / "scripts"))
import check_translations
import check_words

GONE = check_words.words()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("账户已锁定。", 0),
        ("账号已锁定。", 1),
        ("即时通信账号", 0),
        ("审核未通过", 2),
        ("第%(number)s版", 0),
        ("第 %(number)s版", 1),
        ("执行者, 监督者", 1),
        ("执行者、监督者", 0),
        ("k ≥ 5", 0),
    ],
)
def test_a_fault_is_found_and_nothing_else(text, faults):
    assert len(check_words.faults_in(text, GONE)) == faults


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("第 %(number)s 版", "第%(number)s版"),
        ("k 为 5 时", "k为5时"),
        ("文件大于 2 MB。", "文件大于2 MB。"),
        ("共 {count} 行", "共{count}行"),
        ("请用 --by 与列名", "请用 --by 与列名"),
        ("ε = %(epsilon)s，δ = 0", "ε = %(epsilon)s，δ = 0"),
    ],
)
def test_a_translation_is_taken_over_without_blanks_beside_figures(text, closed):
    assert check_translations.without_blanks(text) == closed
    assert check_translations.blanks(closed) == []


def test_catalogue_templates_and_documents_have_none(capsys):
    assert check_words.main() == 0, capsys.readouterr().out


def test_names_stand_by_their_reading():
    names = ["赵执行", "周审计", "林规划", "钱监督", "Zoe", "adam", "孙院长", "安全员", "堃"]
    by_pinyin = ["adam", "Zoe", "安全员", "林规划", "钱监督", "孙院长", "赵执行", "周审计", "堃"]
    assert sorted(names, key=by_reading) == by_pinyin


@pytest.mark.django_db
def test_people_to_choose_from_stand_by_their_reading_below_the_word_to_choose(people):
    chosen = type(people.planner).objects.all()

    class Form(forms.Form):
        who = PersonChoiceField(queryset=chosen, empty_label="Choose")

    labels = [str(label) for _value, label in Form().fields["who"].choices]
    assert labels[0] == "Choose"
    assert labels[1:] == sorted(labels[1:], key=by_reading)
    assert len(labels) == chosen.count() + 1
