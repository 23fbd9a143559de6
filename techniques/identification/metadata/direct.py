"""The direct identifiers of the shipped metadata table (GB/T 37964 3.7 and 5.3.2)."""

from __future__ import annotations

from techniques.core.messages import _
from techniques.identification.metadata.row import MetadataRow

DIRECT_ROWS: tuple[MetadataRow, ...] = (
    MetadataRow(
        "person_name", _("The name of a natural person"), _("2 to 4 Chinese characters, or Latin words")
    ).called(
        "姓名 名字 患者姓名 病人姓名 客户姓名 用户姓名 员工姓名 学生姓名 持卡人姓名 户主姓名 联系人 "
        "联系人姓名 真实姓名 姓氏 监护人 紧急联系人 收件人 法定代表人 name full_name person_name "
        "patient_name real_name customer_name first_name last_name surname given_name contact_name "
        "cardholder xingming xm hzxm khxm"
    ),
    MetadataRow(
        "id_number",
        _("The citizen identity number by GB 11643"),
        _("18 characters: 6 region, 8 birth date, 3 sequence, 1 check; older: 15 digits"),
    ).called(
        "身份证 身份证号 身份证号码 公民身份号码 公民身份证号 居民身份证 证件号 证件号码 身份号码 "
        "身份证件号码 id_card id_number idcard id_no idno identity_number identity_card citizen_id "
        "national_id cert_no certificate_no sfz sfzh sfzhm zjhm shenfenzheng shenfenzhenghao"
    ),
    MetadataRow("passport", _("Number of a passport"), _("1 or 2 letters and 7 or 8 digits")).called(
        "护照 护照号 护照号码 passport passport_no passport_number huzhao hzhm"
    ),
    MetadataRow(
        "driving_licence",
        _("Number of a driving licence"),
        _("18 characters, the same as the identity number, or a 12-digit file number"),
    ).called(
        "驾照 驾照号 驾驶证 驾驶证号 驾驶证号码 驾驶证档案编号 driver_license driving_licence "
        "driving_license license_no jiazhao jszh jsz"
    ),
    MetadataRow(
        "hk_mo_tw_permit",
        _("Travel or residence permit for Hong Kong, Macao or Taiwan residents"),
        _("H or M and 8 or 10 digits; 8 digits; 18 characters beginning with 81, 82 or 83"),
    ).called(
        "港澳通行证 台胞证 回乡证 港澳居民来往内地通行证 台湾居民来往大陆通行证 往来港澳通行证 "
        "港澳台居民居住证 通行证号 通行证号码 permit_no travel_permit txzh"
    ),
    MetadataRow(
        "address",
        _("Where a person lives, works or receives post"),
        _("Province, city, county, street, number"),
    ).called(
        "住址 地址 家庭住址 家庭地址 居住地址 现住址 户籍地址 户口地址 户口所在地 通讯地址 通信地址 "
        "联系地址 详细地址 收货地址 单位地址 门牌号 address home_address addr mailing_address "
        "street_address residence dizhi zhuzhi dz jtzz xzz txdz"
    ),
    MetadataRow("email", _("E-mail address"), _("name@domain")).called(
        "邮箱 电子邮箱 电子邮件 电子邮件地址 邮件地址 邮箱地址 email e_mail mail email_address youxiang dzyx"
    ),
    MetadataRow(
        "phone",
        _("Mobile or fixed telephone number"),
        _("Mobile: 11 digits from 13 to 19; fixed: area code and 7 or 8 digits"),
    ).called(
        "手机 手机号 手机号码 电话 电话号码 联系电话 联系方式 移动电话 固定电话 座机 家庭电话 "
        "办公电话 本人电话 phone mobile tel telephone cellphone cell_phone mobile_phone phone_number "
        "phone_no mobile_no contact_phone shouji sjh sjhm dianhua dh lxdh lxfs"
    ),
    MetadataRow("fax", _("Fax number"), _("Area code and 7 or 8 digits")).called(
        "传真 传真号 传真号码 fax fax_no chuanzhen"
    ),
    MetadataRow(
        "messenger",
        _("Account of a messenger"),
        _("WeChat: letter and 5 to 19 characters; QQ: 5 to 11 digits"),
    ).called("微信 微信号 QQ QQ号 qq号码 微博 wechat weixin wxid openid open_id unionid union_id weibo"),
    MetadataRow("bank_card", _("Number of a bank card or account"), _("16 to 19 digits")).called(
        "银行卡 银行卡号 银行账号 银行账户 卡号 信用卡号 借记卡号 储蓄卡号 结算账号 bank_card "
        "card_no card_number bank_account account_no account_number credit_card debit_card yhkh yhzh "
        "kahao yinhangka"
    ),
    MetadataRow(
        "licence_plate", _("Licence plate of a vehicle"), _("Province character, letter, 5 or 6 characters")
    ).called(
        "车牌 车牌号 车牌号码 号牌 号牌号码 plate plate_no plate_number license_plate licence_plate "
        "chepai cph hphm"
    ),
    MetadataRow(
        "vin", _("Vehicle identification number by GB 16735"), _("17 characters without I, O, Q")
    ).called(
        "车架号 车辆识别代号 车辆识别号 车辆识别号码 发动机号 vin vehicle_id chassis_no frame_no cjh clsbdh"
    ),
    MetadataRow(
        "social_security", _("Social insurance number"), _("Digits, often the identity number")
    ).called(
        "社保号 社保卡号 社会保险号 社会保险号码 社会保障号 社会保障号码 社保编号 个人社保编号 "
        "公积金账号 ssn social_security social_security_no shebao sbh sbkh shbzh"
    ),
    MetadataRow("insurance_number", _("Medical insurance number"), _("Digits and letters")).called(
        "医保号 医保卡号 医疗保险号 医保编号 参保号 个人医保编号 新农合号 insurance_no medicare_no "
        "yibao ybh ybkh"
    ),
    MetadataRow("health_card", _("Number of a health card"), _("Digits and letters")).called(
        "健康卡号 居民健康卡号 电子健康卡号 就诊卡号 诊疗卡号 磁卡号 health_card health_card_no jkkh "
        "jzkh zlkh"
    ),
    MetadataRow(
        "medical_record",
        _("Number of a patient's record"),
        _("Digits and letters, by the hospital's own rule"),
    ).called(
        "病历号 病案号 住院号 门诊号 患者编号 患者ID 病人ID 病人编号 就诊号 就诊流水号 档案号 "
        "健康档案号 体检号 检查号 medical_record medical_record_no mrn patient_id patient_no "
        "record_no case_no admission_no visit_no inpatient_no outpatient_no binglihao blh bah zyh "
        "mzh hzbh"
    ),
    MetadataRow("student_number", _("Number of a student"), _("Digits and letters")).called(
        "学号 学籍号 学生编号 考生号 准考证号 student_id student_no xuehao xh xjh zkzh"
    ),
    MetadataRow("staff_number", _("Number of an employee"), _("Digits and letters")).called(
        "工号 员工号 员工编号 职工号 警号 人员编号 employee_id employee_no staff_id staff_no gonghao "
        "gh yggh zgh"
    ),
    MetadataRow("account_name", _("Name or number of a user account"), _("Letters and digits")).called(
        "用户名 用户ID 用户编号 账号 帐号 登录名 会员号 会员ID 客户号 客户编号 客户ID 昵称 uid "
        "user_id userid username user_name login account customer_id customer_no member_id member_no "
        "nickname yhm hyh khh khbh"
    ),
    MetadataRow("device_id", _("Identifier of a device"), _("IMEI 15 digits, MAC 6 bytes, UUID")).called(
        "设备号 设备标识 设备标识符 设备ID 设备编号 序列号 MAC地址 imei imsi iccid idfa oaid "
        "android_id mac mac_address device_id device_no serial_no shebeihao sbbs"
    ),
    MetadataRow(
        "biometric", _("Code made from a body's features"), _("Binary or encoded text"), ("BLOB", "VARCHAR")
    ).called(
        "指纹 人脸 虹膜 声纹 掌纹 指纹特征 人脸特征 人脸特征码 生物识别 生物特征 fingerprint face_id "
        "face_feature iris voiceprint biometric zhiwen renlian"
    ),
    MetadataRow("photo", _("Photograph of a person"), _("Image or path"), ("BLOB", "VARCHAR")).called(
        "照片 头像 证件照 photo avatar zhaopian"
    ),
    MetadataRow("ip_address", _("Internet address"), _("IPv4 or IPv6")).called(
        "IP IP地址 登录IP ip ip_address ip_addr client_ip login_ip"
    ),
    MetadataRow("url", _("Web address"), _("scheme://host/path")).called(
        "网址 链接 个人主页 主页 url link homepage website web_url"
    ),
    MetadataRow("credit_code", _("Unified social credit code by GB 32100"), _("18 characters")).called(
        "统一社会信用代码 社会信用代码 信用代码 组织机构代码 营业执照号 credit_code uscc org_code "
        "tyshxydm zzjgdm"
    ),
)
