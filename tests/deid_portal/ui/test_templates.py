"""Templates can be read and reviewed: one element a line, and no name that only hands a text or an address to a tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.template.base import Lexer, Token, TokenType
from django.utils.text import smart_split

from approvals.passages import gaps
from tests.conftest import ROOT

from .in_chinese import in_chinese, translations

TEMPLATES = ROOT / "templates"
FILES = sorted(TEMPLATES.rglob("*.html"))
LONGEST_LINE = 160
BLOCKS = "article|aside|dd|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|li|main|nav|ol|p|section|table|tbody|td|tfoot|th|thead|tr|ul"
TWO_BLOCKS = re.compile(rf"</({BLOCKS})>\s*(\{{%[^%]*%\}}\s*)*</?({BLOCKS})\b")
NO_TAGS_OF_COMPONENTS = {
    "if",
    "elif",
    "for",
    "url",
    "translate",
    "firstof",
    "block",
    "with",
    "blocktranslate",
}


def assigned(token: Token) -> tuple[str, str]:
    """(tag, name) of ``{% translate … as name %}`` and the like; the name is empty where nothing is assigned."""
    if token.token_type != TokenType.BLOCK:
        return "", ""
    bits = token.split_contents()
    if bits[0] in {"blocktranslate", "blocktrans"} and "asvar" in bits:
        return bits[0], bits[bits.index("asvar") + 1]
    return (bits[0], bits[-1]) if len(bits) > 2 and bits[-2] == "as" else ("", "")


def reads(token: Token, name: str) -> bool:
    """Whether a tag or ``{{ … }}`` uses the variable; texts in quotes are no use."""
    if token.token_type not in {TokenType.BLOCK, TokenType.VAR} or assigned(token)[1] == name:
        return False
    bits = list(smart_split(token.contents))[token.token_type == TokenType.BLOCK :]
    if token.token_type == TokenType.BLOCK and token.contents.split()[0] in {"block", "load"}:
        return False
    unquoted = " ".join(re.sub(r'"[^"]*"|\'[^\']*\'', '""', bit) for bit in bits)
    return re.search(rf"(?<![\w.]){name}(?![\w=])", unquoted) is not None


def is_whole_argument(token: Token, name: str) -> bool:
    """Whether a component or an include takes the variable as it is."""
    if token.token_type != TokenType.BLOCK:
        return False
    tag, *bits = token.split_contents()
    return tag not in NO_TAGS_OF_COMPONENTS and any(bit == name or bit.endswith(f"={name}") for bit in bits)


def needless(text: str) -> Iterator[str]:
    """Names given by ``translate`` or ``url`` that are used once, as an argument, with no branch between."""
    tokens = Lexer(text).tokenize()
    for start, token in enumerate(tokens):
        tag, name = assigned(token)
        if tag not in {"translate", "trans", "url"}:
            continue
        uses, depth, in_branch = [], 0, True
        for later in tokens[start + 1 :]:
            if assigned(later)[1] == name:
                break
            if reads(later, name):
                uses.append((later, in_branch))
            first = (
                later.contents.split()[0] if later.token_type == TokenType.BLOCK and later.contents else ""
            )
            depth += (first in {"if", "for"}) - (first in {"endif", "endfor"})
            in_branch &= depth >= 0 and not (depth == 0 and first in {"elif", "else", "empty"})
        if len(uses) == 1 and uses[0][1] and is_whole_argument(uses[0][0], name):
            yield f"line {token.lineno}: {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_a_template_can_be_read(path):
    text = path.read_text()
    lines = list(enumerate(text.splitlines(), start=1))
    assert [number for number, line in lines if len(line) > LONGEST_LINE] == []
    assert [number for number, line in lines if TWO_BLOCKS.search(line)] == []
    assert list(needless(text)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{% translate "Save" as save %}{% button save %}', ["line 1: save"]),
        ('{% url "core:projects" as back %}{% link_button _("Back") url=back %}', ["line 1: back"]),
        ('{% translate "a" as word %}{% status_badge "ok" word %}{% translate "b" as word %}{{ word }}', ["line 1: word"]),
        ('{% if x %}{% translate "a" as go %}{% else %}{% translate "b" as go %}{% endif %}{% button go %}', []),
        ('{% translate "Title" as title %}{% card title=title %}{% data_table caption=title %}', []),
        ('{% url "core:projects" as back %}{% if back %}<a href="{{ back }}">x</a>{% endif %}', []),
        ('{% blocktranslate trimmed asvar lead %}A long text{% endblocktranslate %}{% card lead=lead %}', []),
    ],
)  # fmt: skip
def test_a_name_without_need_is_found(text, found):
    assert list(needless(text)) == found


@pytest.mark.parametrize("line", ["<p>a</p><p>b</p>", "<dt>a</dt> <dd>b</dd>", "<td>a</td>{% endif %}</tr>"])
def test_two_elements_on_a_line_are_found(line):
    assert TWO_BLOCKS.search(line)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(TEMPLATES).as_posix())
def test_a_form_tells_all_its_errors_at_once(path):
    """The browser's own bubble would come before the summary, one field at a time."""
    text = path.read_text(encoding="utf-8")
    forms = re.findall(r"<form(?:\{%.*?%\}|\{\{.*?\}\}|[^>])*>", text, re.DOTALL)
    filled = [one for one in forms if 'method="post"' in one and re.search(r'class="form\b', one)]
    assert [one for one in filled if "novalidate" not in one and "data-upload" not in one] == []


# What is short, secret or a file: nothing is lost there that would have to be thought of again.
NOT_GUARDED = {
    "accounts/password.html", "accounts/second_step.html", "accounts/sign_in.html", "accounts/two_step.html",
    "accounts/two_step_manage.html", "audit/verify.html", "datasets/_format.html", "datasets/_preview.html", "datasets/_upload.html",
    "objective/notice.html", "organisation/metadata_import.html", "records/scan.html", "releases/recipient_detail.html",
    "search/page.html",
}  # fmt: skip
FORM = re.compile(r"<form\b(?:[^>{]|\{%.*?%\}|\{\{.*?\}\})*>", re.DOTALL)


def test_a_form_with_words_of_ones_own_warns_before_they_are_lost():
    """By a draft that keeps itself or by the question whether one really wants to leave."""
    unguarded = set()
    for path in TEMPLATES.rglob("*.html"):
        text = path.read_text()
        for form in FORM.finditer(text):
            body = text[form.end() : text.find("</form>", form.end())]
            is_written_in = any(
                one in body for one in ("form_fields", "<textarea", "{% field ", 'type="text"')
            )
            is_guarded = "data-guard" in form[0] or "data-draft" in form[0]
            if 'method="post"' in form[0] and is_written_in and not is_guarded:
                unguarded.add(path.relative_to(TEMPLATES).as_posix())
    assert unguarded == NOT_GUARDED


def test_no_white_space_stands_behind_a_full_width_mark():
    """Where sentences are put together in a template, ``{% passage %}`` takes the gap out in Chinese."""
    known = translations()
    assert gaps(in_chinese('<p>{% translate "One per line." %}\n {{ more }}</p>', known)), (
        "the check finds one"
    )
    found = [
        f"{path.relative_to(TEMPLATES)}: {' '.join(gap.split())}"
        for path in FILES
        for gap in gaps(in_chinese(path.read_text(encoding="utf-8"), known))
    ]
    assert found == []


NOT_READ = re.compile(
    r"\{% blocktrans(?:late)?\b.*?\{% endblocktrans(?:late)? %\}|\{% comment %\}.*?\{% endcomment %\}"
    r"|<(script|style)\b.*?</\1>|\bstyle=\"[^\"]*\"",
    re.DOTALL,
)
LATIN_JOINT = re.compile(r"\}\}(?:</\w+>)*(?:[,:;](?=\s|<|$)| *(?:<span[^>]*>)?\((?=\{\{))", re.MULTILINE)


LATIN_LIST = re.compile(r"""\|join:["'][,;:]""")


def latin_joints(text: str) -> list[str]:
    """Latin marks that join what is shown, outside a text that can be translated: they would stand in Chinese."""
    joints = [found[0] for found in LATIN_JOINT.finditer(NOT_READ.sub("", text))]
    return joints + LATIN_LIST.findall(text)


@pytest.mark.parametrize(
    "text",
    [
        "<li>{{ role }}: {{ text }}</li>",
        "{{ by }}, {{ at }}",
        "<b>{{ kind }}</b>:\n",
        "{{ a }} <span>({{ b }})</span>",
        '{{ names|join:", " }}',
        '{% blocktranslate with names=one.names|join:", " %}{{ names }}{% endblocktranslate %}',
    ],
)
def test_a_latin_mark_between_two_values_is_found(text):
    assert latin_joints(text)


def test_what_joins_two_values_can_be_translated():
    """``{% translate ": " %}`` or a sentence in ``{% blocktranslate %}``."""
    assert latin_joints("{% blocktranslate %}{{ who }}: {{ answer }}{% endblocktranslate %}") == []
    found = {
        path.relative_to(TEMPLATES).as_posix()
        for path in FILES
        if latin_joints(path.read_text(encoding="utf-8"))
    }
    assert found == set()


# What stands where nothing is there is one sign, “–”. The longer dash is for English sentences and, doubled, for Chinese ones.
WRONG_FOR_NOTHING = re.compile(r"""(["'])—\1|(?:^|[>}])\s*—\s*(?=[<{]|$)""", re.MULTILINE)
PACKAGES = ("approvals", "deid_portal", "projects", "techniques")


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ('{{ reason|default:"—" }}', True),
        ('<span class="muted">—</span>', True),
        ("{% if value is None %}—{% else %}{{ value }}{% endif %}", True),
        ("{% else %}\n  —\n{% endif %}", True),
        ('return "—" if time is None else str(time)', True),
        ('{{ reason|default:"–" }}', False),
        ("<p>It waits — and nobody sees it.</p>", False),
        ("<p>等待中——无人知晓。</p>", False),
    ],
)
def test_another_sign_for_nothing_is_found(text, is_wrong):
    assert bool(WRONG_FOR_NOTHING.search(text)) is is_wrong


def test_nothing_there_has_one_sign():
    code = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    found = {
        path.relative_to(ROOT).as_posix()
        for path in (*FILES, *code)
        if WRONG_FOR_NOTHING.search(path.read_text(encoding="utf-8"))
    }
    assert found == set()
