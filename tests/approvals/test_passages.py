"""Sentences put together: with a space in English, without one behind a full-width mark, and what was forgotten is found."""

from __future__ import annotations

import pytest
from django.template import engines
from django.utils import translation
from django.utils.translation import gettext_lazy

from approvals.passages import gaps, in_a_row, passage, without_gaps


@pytest.mark.parametrize(
    ("sentences", "whole"),
    [
        (["One.", "Two."], "One. Two."),
        (["第一句。", "第二句。"], "第一句。第二句。"),
        (["第一句。", "", "GB/T 37964"], "第一句。GB/T 37964"),
        (["甲（乙）", "丙"], "甲（乙）丙"),
        (["来源", "k = 5"], "来源 k = 5"),
        # Two blanks that a person wrote stay.
        (["好。  再见。", "完。"], "好。  再见。完。"),
        ([], ""),
    ],
)
def test_sentences_are_put_together(sentences, whole):
    assert passage(sentences) == whole


def test_the_language_of_the_reader_counts():
    sentences = [gettext_lazy("The organisation has not changed it."), gettext_lazy("One per line.")]
    with translation.override("zh-hans"):
        assert " " not in passage(map(str, sentences[1:] * 2))
    with translation.override("en"):
        assert passage(sentences[1:] * 2) == "One per line. One per line."


@pytest.mark.parametrize(
    ("markup", "closed"),
    [
        ("第一句。\n  第二句。", "第一句。第二句。"),
        ('当前状态：发布。 <a href="/">继续</a>', '当前状态：发布。<a href="/">继续</a>'),
        ("<code>a</code>、 <code>b</code>", "<code>a</code>、<code>b</code>"),
        ("<b>说明：</b> <em> 甲</em>", "<b>说明：</b><em> 甲</em>"),
        ("One. Two: three", "One. Two: three"),
        # A block ends the line, a bracket a name, and a sign stands between two blanks.
        ("<p>第一句。</p> <p>第二句。</p>", None),
        ("报告（已签批） 门诊", None),
        ("理由。 – 赵执行 · 今天", None),
    ],
)
def test_a_passage_has_no_gap(markup, closed):
    assert without_gaps(markup) == (closed or markup)
    assert bool(gaps(markup)) == (closed is not None and closed != markup)


def test_what_is_only_read_aloud_stands_beside_nothing():
    assert gaps('<span class="visually-hidden">提示：</span> 项目') == []


def test_templates_have_it_as_a_block_and_as_a_filter():
    source = "{% load passages %}{% passage %}\n {{ said|passage }} {{ kept|passage }} <b>{{ more }}</b>\n{% endpassage %}"
    shown = (
        engines["django"]
        .from_string(source)
        .render({"said": ["甲。", "乙&丙。"], "more": "<丁>", "kept": "戊。 己。"})
    )
    assert shown == "甲。乙&amp;丙。戊。己。<b>&lt;丁&gt;</b>"


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        ([], ""),
        (["A measurement of the result"], "A measurement of the result"),
        (
            ["The need has not been answered.", "No sharing type has been chosen."],
            "The need has not been answered. No sharing type has been chosen.",
        ),
        (["A passed stage review", "The approval"], "A passed stage review. The approval"),
        (["需求尚未答复", "类型尚未选定。"], "需求尚未答复。类型尚未选定。"),
        (["针对同一内容的审查（确定目标）", "批准"], "针对同一内容的审查（确定目标）。批准"),
    ],
)
def test_sentences_in_a_row_end_before_the_next_begins(sentences, said):
    assert in_a_row(sentences) == said
