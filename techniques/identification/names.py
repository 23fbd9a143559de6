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
ADDRESSED = "(?:联系|告知|通知|询问|见到|叮嘱|劝说|致电|电告|转告|提醒)(?:了|过|到)?"
"""What is done to a person whose name comes next; to places and things too, so that the name has to be whole or end there."""
NO_PLACE = "(?!景?[省市区县镇乡村路街道山院科局厂店站所校园馆寺]|医院|公司|大学|学校|社区|集团)"
"""Behind a name that may begin the name of a place."""
ADVISED = (
    f"建议(?![向于应常时明全单成安平严高])(?P<it>{BORNE_WHOLE})"
    "(?=复查|复诊|就诊|随访|住院|[入来转出]院|转诊|手术|戒[烟酒]|到|去|前往|尽[快早]|下周|本人|家属)"
)
"""Whom is advised: verbs, drugs and places come there more often than persons, so that what a person does has to follow, and
the surname is none of the words that sentences go on with."""
SPEAKS_WITH = "(?:进行|再次|详细|充分|反复|当面)?(?:沟通|谈话|交谈|面谈|说明|解释|商量|商议|协商|讨论|联系|核实|确认|交代|交待|宣教|了解|约定|见面|会面)"
RELATIVE = "(?:的(?:女儿|儿子|妻子|丈夫|爱人|父亲|母亲|父母|家属|家人|配偶|监护人|[姐妹哥弟孙])|家属|本人)"
SPEAKS = "(?:要求|表示|拒绝|同意|主诉|自?诉|自述|声称|承认|否认)"
CERTAIN_SURNAMES = [
    one for one in COMPOUND_SURNAMES if one not in {"东方", "南宫", "长孙", "公孙", "轩辕", "太史", "闻人"}
]
"""Surnames of two signs that hardly anything else begins with: a name in the middle of a sentence too."""
_ENDS_A_WORD = {
    "上官": "以晚早线网马可身楼船路街床地会海台岸桌天加赶追跟爱看坐用得升同贴版",
    "司马": "公上官打寿祭",
    "司徒": "公上官",
    "欧阳": "东西南北中",
    "慕容": "羡爱仰思倾",
    "端木": "高低顶末两云尖前后上下异",
    "宇文": "庙楼殿屋寰气",
    "尉迟": "上少中大准",
    "呼延": "招称欢惊高",
    "独孤": "单唯惟不非",
}
"""Signs before a surname with which its first sign makes a word, such as 以上, 公司 and 高端."""
_BEGINS_A_WORD = {
    "上官": "方网员兵宣司能府职吏场微媒",
    "司马": "上路达力",
    "司徒": "手步劳",
    "端木": "耳门板质材瓜",
    "宇文": "化件字书本献物案",
    "诸葛": "根行",
    "呼延": "误长迟期缓续",
    "公冶": "炼金",
    "申屠": "宰杀",
    "慕容": "易量貌颜积",
    "欧阳": "性光台",
    "独孤": "单身立",
    "尉迟": "到缓疑早",
    "淳于": "是",
}
"""Signs behind a surname with which its second sign makes a word, such as 官方, 木耳 and 延误."""
_CERTAIN = "|".join(
    (f"(?<![{_ENDS_A_WORD[one]}])" if one in _ENDS_A_WORD else "")
    + one
    + (f"(?![{_BEGINS_A_WORD[one]}])" if one in _BEGINS_A_WORD else "")
    for one in CERTAIN_SURNAMES
)
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
_NOT_SECOND = "(?!来|家[属人里中]|有|先|全|说|讲|称|因|和|已|未|将|也|都|到|一[起同家直人]|明[天日晨显]|长期)"
CERTAIN_NAME = (
    f"(?:{_CERTAIN}) {{0,2}}(?!{_BEGINS_NO_NAME})(?:[{GIVEN_NAME_SIGNS}]{_NOT_SECOND}[{GIVEN_NAME_SIGNS}]"
    f"|{GIVEN}{_NOT_SECOND}{GIVEN}(?={_ENDS})|{GIVEN}(?={_ENDS})|[{GIVEN_NAME_SIGNS}])"
)
"""A given name of signs that names have, or one that ends behind it."""
SINGLE_SURNAME = f"[{SURNAMES}{TRADITIONAL_SURNAMES}]"
NAME_WITH_BLANK = f"{SINGLE_SURNAME} {{1,2}}[{GIVEN_NAME_SIGNS}]{{1,2}}"
"""A name of one surname sign set apart, as after the label of who treats."""
