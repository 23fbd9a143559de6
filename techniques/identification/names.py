"""How names of persons are written: whole values, after a label, and within sentences."""

from __future__ import annotations

from techniques.identification.vocabulary import (
    COMPOUND_SURNAMES,
    ENGLISH_GIVEN_NAMES,
    GIVEN_NAME_SIGNS,
    PINYIN_SURNAMES,
    SURNAMES,
    TRADITIONAL_SURNAMES,
    WORDS_LIKE_NAMES,
)

HAN = "[\u4e00-\u9fff]"
_ANY_HAN = "[〇\u3400-\u9fff\U00020000-\U0003134f]"
"""With the rare characters that only names have."""
SURNAME = f"(?:{'|'.join(COMPOUND_SURNAMES)}|[{SURNAMES}{TRADITIONAL_SURNAMES}])"
_NOT_IN_NAME = "某病症炎患者院市区县省科室族的了是在有无不及等一二三四五六七八九十两几"
GIVEN = f"(?:(?![{_NOT_IN_NAME}])[\u4e00-\u9fff])"
LABEL_OF_NAME = "(?:姓名|联系人|收件人|监护人|经办人|委托人|陪护人|(?<![A-Za-z])[Nn]ame)"
SAID_FOR_NONE = "(?:不详|不明|未知|不便|保密|同上|同前|暂无|拒绝|匿名|本人|患者|家属|无)"
IN_NAME = f"(?:(?!某){_ANY_HAN})"
LABEL = "(?:姓名|联系人|紧急联系人|收件人|监护人|经办人|陪护人|家属|本人|父亲|母亲|丈夫|妻子|儿子|女儿|配偶|患者姓名|委托人|经办|签名|签字)"
LATIN_NAME = "[A-Z][A-Za-z'-]{0,19}(?:[ ·][A-Z][A-Za-z'.-]{0,19}){1,3}"
SPACED_NAME = f"{SURNAME} {{1,2}}{IN_NAME}{{1,2}}(?: {IN_NAME})?(?!{_ANY_HAN})"
AFTER_NAME = "(?=[^〇\u3400-\u9fff\U00020000-\U0003134f]|先生|女士|小姐|电话|手机|身份|住址|联系|$)"
FIRST_SIGNS = SURNAMES + TRADITIONAL_SURNAMES + "".join(dict.fromkeys(one[0] for one in COMPOUND_SURNAMES))
BORNE = (
    f"(?:(?=[{FIRST_SIGNS}])(?!{'|'.join(WORDS_LIKE_NAMES)})(?:(?:{'|'.join(COMPOUND_SURNAMES)}) {{0,2}}|[{SURNAMES}{TRADITIONAL_SURNAMES}])"
    f"[{GIVEN_NAME_SIGNS}]{{1,2}}?)"
)
"""A name without a label beside it: of signs that names are made of, and no word."""
BORNE_WHOLE = BORNE.replace("{1,2}?)", "{2})")
"""The same of three signs, as seven of ten names are: enough to be known in the middle of a sentence."""
PROFESSION = "(?:医师|医生|大夫|护士长|护士|主任|教授|老师|同志|先生|女士|小姐)"
WRITES = (
    "(?:记录|录入|登记|填写|书写|提供|陈述|代述|代诉|转述|陪同|陪护|护送|送来|送至|送入|代签|签字|签名|签署|代领|领取|代办|办理"
    "|接诊|主刀|查房|会诊|审核|审阅|复核|核对|核实|执行|操作|随访|转介)"
)
"""What persons do in a record; systems and departments do it too, so that before it a name has to be one."""
SIGNS = "(?:代?签(?:字|名|署))"
"""What persons alone do: before it a name needs nothing in front."""
LABEL_OF_STAFF = "(?:主诊|主治|术者|责任护士|经治|签到人|记录人|录入人|审核人|操作人|报告人|检验者|审核者)"
ADDRESSED = "(?:联系|告知|通知|询问|见到|叮嘱|劝说|致电|电告|转告|提醒|建议)(?:了|过|到)?"
"""What is done to a person whose name comes next; to places and things too, so that the name has to be whole or end there."""
SPEAKS_WITH = "(?:进行|再次|详细|充分|反复|当面)?(?:沟通|谈话|交谈|面谈|说明|解释|商量|商议|协商|讨论|联系|核实|确认|交代|交待|宣教|了解|约定|见面|会面)"
RELATIVE = "(?:的(?:女儿|儿子|妻子|丈夫|爱人|父亲|母亲|父母|家属|家人|配偶|监护人|[姐妹哥弟孙])|家属|本人)"
SPEAKS = "(?:要求|表示|拒绝|同意|主诉|自?诉|自述|声称|承认|否认)"
CERTAIN_SURNAMES = [
    one for one in COMPOUND_SURNAMES if one not in {"东方", "南宫", "长孙", "公孙", "轩辕", "太史", "闻人"}
]
"""Surnames of two signs that hardly anything else begins with: a name wherever they stand."""
TODAY = "(?:今日|昨日|今天|昨天|今晨|昨晚|今早|上午|下午)"
"""Between a name and what the person did; a word that only begins like a name has no such word after it."""
NAME_WHOLE = (
    f"({'|'.join(COMPOUND_SURNAMES)}|[{SURNAMES}{TRADITIONAL_SURNAMES}]) ?[\u3400-\u9fff]{{1,2}}"
    "|[\u4e00-\u9fff]{1,10}([·•‧・][\u4e00-\u9fff]{1,10}){1,3}"
)
_PINYIN = "|".join(PINYIN_SURNAMES)
_WORD = "[A-Z][a-z]{1,11}"
LATIN_NAME_WHOLE = (
    f"({_PINYIN}|{_PINYIN.upper()}),? {_WORD}([ -]?{_WORD.replace('[A-Z]', '[A-Za-z]')})?|{_WORD}([ -]{_WORD})? ({_PINYIN}|{_PINYIN.upper()})"
    f"|({'|'.join(ENGLISH_GIVEN_NAMES)}) ([A-Z][.]? )?{_WORD}"
)
"""Chinese names in Latin letters, either part first, and English names by their given names."""
NOT_A_NAME = r"[科病炎症院市区县省路部室族业性型类员生师长厂局某]$|某|[*×]"
_BEGINS_NO_NAME = f"{PROFESSION}|[某氏院市区县镇村路街乡家科]"
_ENDS = f"{AFTER_NAME}|{PROFESSION}|{WRITES}|{SIGNS}|{TODAY}|{SPEAKS}|{SPEAKS_WITH}|{RELATIVE}|[来入出]院|[来复就]诊"
CERTAIN_NAME = (
    f"(?:{'|'.join(CERTAIN_SURNAMES)}) {{0,2}}(?!{_BEGINS_NO_NAME}){GIVEN}"
    f"(?:(?!来|有|先|全|明[天日晨显]|长期)[{GIVEN_NAME_SIGNS}]|{GIVEN}(?={_ENDS}))?"
)
"""With a second sign of the given name where names have it, or where the name ends behind it."""
SINGLE_SURNAME = f"[{SURNAMES}{TRADITIONAL_SURNAMES}]"
NAME_WITH_BLANK = f"{SINGLE_SURNAME} {{1,2}}[{GIVEN_NAME_SIGNS}]{{1,2}}"
"""A name of one surname sign set apart, as after the label of who treats."""
