"""The identifier metadata table that the product ships (GB/T 37964 5.3.2).

The organisation keeps its own, versioned copy, which starts from this one. Field names stand in
Chinese, English and pinyin, because that is how Chinese databases name their columns.
"""

from __future__ import annotations

from techniques.core.messages import _
from techniques.identification.metadata.direct import DIRECT_ROWS
from techniques.identification.metadata.row import DATE, NUMBER, MetadataRow

DEFAULT_METADATA_TABLE: tuple[MetadataRow, ...] = (
    *DIRECT_ROWS,
    MetadataRow("gender", _("Gender"), _("Male, female; 1, 2"), ("CHAR", "INTEGER")).called(
        "性别 sex gender xingbie xb"
    ),
    MetadataRow("birth_date", _("Date of birth"), _("Date"), DATE).called(
        "出生日期 出生年月 出生年月日 出生时间 生日 出生年份 birthday birth_date birthdate "
        "date_of_birth dob birth_year birth csrq csny csrq"
    ),
    MetadataRow("age", _("Age in years"), _("0 to 120"), NUMBER).called(
        "年龄 岁数 周岁 年龄段 age age_group nianling nl"
    ),
    MetadataRow("event_date", _("When something happened to the person"), _("Date or time"), DATE).called(
        "就诊日期 就诊时间 入院日期 入院时间 出院日期 出院时间 手术日期 手术时间 检查日期 检验日期 "
        "死亡日期 死亡时间 挂号时间 入职日期 离职日期 入学日期 毕业日期 开户日期 交易日期 交易时间 "
        "登记日期 发病日期 确诊日期 访问时间 结婚日期 visit_date admission_date discharge_date "
        "surgery_date event_date death_date transaction_date hire_date jzrq ryrq cyrq ssrq jysj"
    ),
    MetadataRow("region", _("Region, place or building"), _("Name or code of a division")).called(
        "省份 省 城市 市 区县 县 地区 籍贯 出生地 户籍 户籍地 所在地 行政区划 行政区划代码 居住地 "
        "街道 乡镇 社区 归属地 城区 province city county district region area town location "
        "birthplace native_place hometown jiguan csd xzqh diqu"
    ),
    MetadataRow("postal_code", _("Postal code"), _("6 digits")).called(
        "邮编 邮政编码 邮政编号 zip zipcode zip_code postcode postal_code youbian yzbm yb"
    ),
    MetadataRow(
        "coordinates", _("Longitude and latitude"), _("Decimal degrees"), ("DECIMAL", "VARCHAR")
    ).called("经度 纬度 经纬度 坐标 longitude latitude lng lat lon coordinate coordinates gps jingdu weidu"),
    MetadataRow("ancestry", _("Ancestry"), _("Category")).called("血统 族裔 祖籍 种族 race ancestry zuji"),
    MetadataRow("birth_country", _("Country of birth or nationality"), _("Country name or code")).called(
        "国籍 出生国 出生国家 国家 country nationality native_country birth_country citizenship guoji"
    ),
    MetadataRow("language", _("Language"), _("Category")).called(
        "语言 母语 方言 language mother_tongue yuyan"
    ),
    MetadataRow("indigenous", _("Indigenous identity"), _("Yes or no")).called(
        "原住民 原住民身份 indigenous aboriginal"
    ),
    MetadataRow("ethnic_group", _("Ethnic group by GB/T 3304"), _("Name or code of one of 56 groups")).called(
        "民族 少数民族 民族代码 ethnicity ethnic ethnic_group nation minzu mz"
    ),
    MetadataRow("occupation", _("Occupation or post"), _("Category")).called(
        "职业 职务 职位 岗位 职称 工种 职业类别 occupation job job_title position profession title "
        "zhiye zy zw zc"
    ),
    MetadataRow("workplace", _("Employer or school"), _("Name")).called(
        "工作单位 单位 单位名称 公司 公司名称 就职单位 学校 毕业院校 就读学校 company employer "
        "workplace school university workclass gzdw dwmc"
    ),
    MetadataRow("marital_status", _("Marital status"), _("Category")).called(
        "婚姻 婚姻状况 婚姻状态 婚否 marital marital_status marriage hunyin hyzk hyzt"
    ),
    MetadataRow("education", _("Level of education"), _("Category")).called(
        "学历 文化程度 教育程度 教育水平 受教育程度 受教育水平 学位 education education_level degree "
        "xueli xl whcd"
    ),
    MetadataRow("school_years", _("Years of schooling"), _("Number"), NUMBER).called(
        "上学年限 受教育年限 教育年限 school_years education_num years_of_education"
    ),
    MetadataRow("household_type", _("Type of household registration"), _("Category")).called(
        "户口性质 户籍类型 户口类型 户籍性质 hukou hukou_type"
    ),
    MetadataRow("criminal_record", _("Criminal record"), _("Yes or no, or text")).called(
        "犯罪历史 犯罪记录 前科 违法记录 criminal criminal_record"
    ),
    MetadataRow("income", _("Income"), _("Number or band"), NUMBER).called(
        "收入 年收入 月收入 总收入 工资 薪资 薪酬 税前收入 家庭收入 income salary wage annual_income "
        "monthly_income shouru gz"
    ),
    MetadataRow("religion", _("Religion"), _("Category")).called("宗教 宗教信仰 信仰 religion zongjiao zjxy"),
    MetadataRow("diagnosis", _("Diagnosis or disease"), _("Text or ICD code")).called(
        "诊断 诊断名称 诊断结果 疾病 疾病名称 病名 主诊断 主要诊断 出院诊断 入院诊断 疾病编码 既往史 "
        "病史 主诉 症状 手术名称 diagnosis disease icd icd10 icd_code zhenduan zd zdmc jbmc"
    ),
    MetadataRow("medication", _("Medication or treatment"), _("Text")).called(
        "用药 药品 药品名称 处方 治疗方案 medication drug prescription treatment yongyao ypmc"
    ),
    MetadataRow("lab_result", _("Result of a test"), _("Number or text")).called(
        "检验结果 检查结果 化验结果 血型 血压 血糖 身高 体重 lab_result test_result blood_type"
    ),
    MetadataRow("genetic", _("Genetic data"), _("Text")).called("基因 基因型 基因序列 DNA gene genotype dna"),
    MetadataRow("fee", _("Fee or amount paid"), _("Number with two decimals"), NUMBER).called(
        "费用 总费用 金额 医疗费用 住院费用 自付金额 药费 fee cost amount charge total_fee feiyong fy je"
    ),
    MetadataRow("account_balance", _("Balance, debt or credit"), _("Number"), NUMBER).called(
        "余额 账户余额 存款 贷款金额 负债 交易金额 授信额度 balance deposit loan_amount credit_limit yue"
    ),
    MetadataRow("credit_rating", _("Credit rating"), _("Number or class")).called(
        "信用评分 信用等级 征信 信用分 credit_score credit_rating"
    ),
    MetadataRow("political_status", _("Political status"), _("Category")).called(
        "政治面貌 党派 political_status zzmm"
    ),
    MetadataRow("sexual_orientation", _("Sexual orientation"), _("Category")).called(
        "性取向 sexual_orientation"
    ),
    MetadataRow("trajectory", _("Movements"), _("Text or coordinates")).called(
        "轨迹 行程 行踪 行动轨迹 trajectory track"
    ),
    MetadataRow("password", _("Password or secret"), _("Text")).called(
        "密码 口令 支付密码 password passwd pwd secret mima"
    ),
    MetadataRow("row_number", _("Number of the row"), _("1, 2, 3 …"), NUMBER).called(
        "序号 行号 编号 流水号 id row_id row_no rowid seq serial xuhao"
    ),
    MetadataRow("department", _("Department or ward"), _("Category")).called(
        "科室 科别 就诊科室 部门 病区 department dept ward keshi ks bm"
    ),
    MetadataRow("free_text", _("Text that may hold anything"), _("Free text"), ("VARCHAR", "TEXT")).called(
        "备注 说明 描述 摘要 附言 留言 内容 意见 病程记录 现病史 remark remarks note notes comment "
        "comments description memo beizhu bz"
    ),
)
"""The rows, in the order of the standard's lists: 3.7, 3.8, then what Chinese tables carry besides."""
