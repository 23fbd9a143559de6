"""Closed lists that values are compared with: surnames, ethnic groups and other categories."""

from __future__ import annotations

from techniques.core.kinds import MINORITIES


def _words(text: str) -> list[str]:
    return text.split()


# The surnames that nearly all bearers of a Chinese name have, by the household registers' counts.
SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩邓冯曹彭曾萧肖田董潘袁蔡蒋余于杜叶程魏苏吕"
    "丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫阎雷段龙黎史陶贺毛郝顾龚邵万覃武钱"
    "戴严莫孔向常汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮"
    "柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解牟艾尤阳时穆农司卓古吉"
    "缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边卞姬师和仇栾隋商刁沙荣巫寇桑郎"
    "甄丛仲虞敖巩明佘池查麻苑迟邝官封谈匡鞠惠荆乐冀郁胥南班储原栗燕楚鄢劳谌奚皮粟冼蔺楼盘满闻位厉伊仝区"
)
COMPOUND_SURNAMES = _words(
    "欧阳 上官 司马 诸葛 司徒 慕容 皇甫 尉迟 公孙 令狐 夏侯 端木 长孙 宇文 东方 南宫 独孤 轩辕 "
    "呼延 淳于 澹台 公冶 申屠 太史 闻人"
)

TRADITIONAL_SURNAMES = (
    "張劉陳楊黃趙吳孫馬羅鄭謝韓馮鄧許蕭葉蘇呂盧薑鐘譚陸範廖賈韋鄒閻薛龍陶賀顧龔邵萬錢嚴賴莊湯溫尹黎齊喬龐顏聶魯岳關蘭欒應畢單"
    "駱紀費寧紅湛塗苗簡車項連蘆婁竇黨宮衛憲時鮑華屈饒遊藍靳陽農緝駐於閔邊師榮鞏邁鄺談楚諶滿遲歐陰蔣樓"
)
"""The same as traditional writing has them, where that differs."""
GIVEN_NAME_SIGNS = (
    "英秀玉兰珍华桂明荣文金凤国云德芳淑春香林梅清成永志花美福平连兴祥学芬芝素忠海光爱元贵新庆莲琴翠正建红军丽艳霞玲娟燕强敏辉"
    "波涛伟杰俊勇静利超娜亮晓小宇佳雨子欣鑫浩嘉怡婷龙豪思梦慧鹏博涵泽琪阳家雪瑞晨辰天乐雅凯洋轩丹龄洁颖倩莹琳璐瑶彤萱妍悦馨琦"
    "诗欢晶晴雯婧薇蕾蓉菲菊萍菁莉娇媛娥仙珠银惠彩宝富义发昌喜友才胜刚斌锋峰磊飞东松柏江河山川岩岭钢铁钧铭钰锦镇宁安康健壮祖耀"
    "煌炳焕炎烨烁煜熙晖旭昊昕晟晗曦昱景智睿哲聪颂诚信仁礼廉孝贤良善恩恒毅坚勤勉奋进达远航帆舟翔鸣鹤鸿雁鹰虎彪骏驰骥威武卫彬斐"
    "雄豹毛根树森楠桐桦梓柳杨枫竹兵民全贞顺来有长世绍继宏洪振启绪维纪宗承先厚朴培育立奇一三五少叔伯仲冬秋夏月星霖霆震雷雳露霜"
    "冰凌冲涌淼湘沁沛泓涓润滨渊洲浦滔源溪潇琼瑛瑾珊珂玥玮珏琛琨璇璟璞丰盛茂莎茜荷莺菡萌葵蓓蔚薪若芷芸苗芮依伊俪偲佩侠保俏仪亿"
    "京亭奕宸沐皓祺婉妮婵嫣煊琰懿澈"
)
"""The signs that given names are mostly made of: by them names are known, more than made-up ones are made of."""
WORDS_LIKE_NAMES = _words(
    "齐全 齐备 齐整 安全 安宁 安静 安康 安保 高兴 高铁 高达 高远 文学 文明 成立 成长 宁波 华东 华林 金银 金山 连云 全家 全国 全民 "
    "全天 全新 方正 时光 明明 明天 明月 江河 江山 江东 石英 石林 石铁 马来 马虎 马达 路东 向东 向阳 向来 向全 向家 "
    "向有 向先 向新 于东 于三 于一 何有 何来 应有 应先 应立 任一 任有 曾先 曾有 单一 单元 和平 包有 毛发 常有 常德 "
    "常发 常来 白天 白金 白银 黄金 商家 麻利 谷雨 冷静 古来 查明 查有 查全 房山 武林 武山 万一 万有 万全 万山 万家 "
    "于明 方才 农民 项强 安乐 时长 时有 和顺 班长 连长 师长 师生 成年 成人 成因 全程 明细 明晨 "
    "连日 向量 常住 常见 应邀 应急 通常 平时 平日 黄连"
)
"""Words that are made as names are: a surname and one of these signs."""
PINYIN_SURNAMES = _words(
    "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Song Tang Han "
    "Feng Deng Cao Peng Zeng Xiao Tian Dong Pan Yuan Cai Jiang Yu Du Ye Cheng Wei Su Lu Ding Ren Shen Yao Cui Zhong Tan "
    "Fan Jin Shi Liao Jia Xia Fu Bai Zou Meng Qin Qiu Hou Yin Xue Yan Lei Long Shao Qian Dai Mo Kong Xiang Ouyang Zhuge "
    "Situ Shangguan Chan Wong Cheung Lau Leung Kwok Chow Ng Ho Lam Cheng Tsang Hsu Tsai Hsieh Chiang Yeh Lai Kuo"
)
ENGLISH_GIVEN_NAMES = _words(
    "James John Robert Michael William David Richard Joseph Thomas Charles Christopher Daniel Matthew Anthony Mark Donald "
    "Steven Paul Andrew Joshua Kenneth Kevin Brian George Edward Ronald Timothy Jason Jeffrey Ryan Jacob Gary Nicholas Eric "
    "Jonathan Stephen Larry Justin Scott Brandon Benjamin Samuel Gregory Frank Alexander Raymond Patrick Jack Dennis Jerry "
    "Peter Henry Adam Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Lisa Nancy Betty Margaret "
    "Sandra Ashley Kimberly Emily Donna Michelle Carol Amanda Dorothy Melissa Deborah Stephanie Rebecca Sharon Laura "
    "Cynthia Kathleen Amy Angela Shirley Anna Brenda Pamela Emma Nicole Helen Samantha Katherine Christine Rachel Alice "
    "Maria Julia Grace Olivia Sophia Hannah Victoria Diana Jane"
)

ETHNIC_GROUPS = frozenset({"汉", *MINORITIES})
"""The 56 groups of GB/T 3304, without the character 族."""

_GENDERS = _words("男 女 男性 女性 男士 女士 M F Male Female male female m f MALE FEMALE")
_MARITAL = _words("未婚 已婚 离异 离婚 丧偶 初婚 再婚 复婚 已婚有子女 已婚无子女 分居 同居")
_EDUCATION = _words(
    "文盲 半文盲 小学 初中 高中 中专 职高 技校 中技 大专 专科 本科 大学 大学本科 大学专科 硕士 "
    "博士 研究生 硕士研究生 博士研究生 "
    "博士后 学龄前 高职 专科及以下 初中及以下 高中及以下 本科及以上"
)
_RELIGIONS = _words("佛教 道教 伊斯兰教 基督教 天主教 无宗教 无宗教信仰 东正教")

CATEGORIES: dict[str, frozenset[str]] = {
    "gender": frozenset(_GENDERS),
    "ethnic_group": ETHNIC_GROUPS
    | {f"{group}族" for group in ETHNIC_GROUPS}
    | {"外国血统", "穿青人", "革家人", "其他民族"},
    "marital_status": frozenset(_MARITAL),
    "education": frozenset(_EDUCATION),
    "religion": frozenset(_RELIGIONS),
}
"""A kind and the values that a column of that kind is made of."""
