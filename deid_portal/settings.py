"""Settings, all of them from the environment with defaults that run on one machine without servers.

``docs/how-to/operations.md`` explains each variable.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

_PACKAGE = Path(__file__).resolve().parent
_IN_CHECKOUT = (_PACKAGE.parent / "manage.py").is_file()
# Where .env and the data lie: the checkout, or for an installed portal the folder that it is started in.
BASE_DIR = _PACKAGE.parent if _IN_CHECKOUT else Path.cwd()
# Templates, static files and catalogues: a wheel has them in the package.
_RESOURCES = BASE_DIR if _IN_CHECKOUT else _PACKAGE
env = environ.Env()
if (BASE_DIR / ".env").is_file():
    env.read_env(str(BASE_DIR / ".env"))

VAR_DIR = Path(env("DEID_VAR_DIR", default=str(BASE_DIR / "var")))
DEBUG = env.bool("DEID_DEBUG", default=False)
SECRET_KEY = env("DEID_SECRET_KEY", default="")
# 32 bytes, base64; wraps every file key and keys the seal of the audit log.
DEID_MASTER_KEY = env("DEID_MASTER_KEY", default="")
# Where the end of the audit log goes: folders, mailto: addresses, https addresses.
DEID_ANCHORS = env.list("DEID_ANCHORS", default=[])
vars().update(env.email("DEID_EMAIL_URL", default="smtp://localhost:25"))
# Whether people are written to; anchors are mailed where DEID_ANCHORS says so in any case.
DEID_MAIL_IS_SET = bool(env("DEID_EMAIL_URL", default=""))
DEFAULT_FROM_EMAIL = env("DEID_EMAIL_FROM", default="deid-portal@localhost")
# Nobody waits longer for a mail server that does not answer, in seconds.
EMAIL_TIMEOUT = env.int("DEID_EMAIL_TIMEOUT", default=10)
ALLOWED_HOSTS = env.list("DEID_ALLOWED_HOSTS", default=["127.0.0.1", "localhost"])
CSRF_TRUSTED_ORIGINS = env.list("DEID_TRUSTED_ORIGINS", default=[])
# Where the portal is opened, for links in messages.
DEID_PORTAL_URL = env("DEID_PORTAL_URL", default="") or (CSRF_TRUSTED_ORIGINS or ["http://127.0.0.1:8000"])[0]
# Hosts, or host:port, to which robots' messages go without https or inside the organisation's network.
DEID_WEBHOOK_HOSTS = env.list("DEID_WEBHOOK_HOSTS", default=[])
# How often it is looked whether there is something to tell people, in seconds; so many days before its day a task is
# called to mind; from this hour on overviews of the day go out.
DEID_MESSAGE_SECONDS = env.float("DEID_MESSAGE_SECONDS", default=120.0)
DEID_REMIND_DAYS = env.int("DEID_REMIND_DAYS", default=3)
DEID_DIGEST_HOUR = env.int("DEID_DIGEST_HOUR", default=8)

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "guardian",
    "axes",
    "csp",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "approvals.audit",
    "approvals.decisions",
    "approvals.documents",
    "deid_portal.accounts",
    "deid_portal.organisation",
    "deid_portal.masking",
    "deid_portal.records",
    "deid_portal.messaging",
    "deid_portal.ui",
    "projects.core",
    "projects.jobs",
    "projects.vault",
    "projects.vault.custody",
    "projects.datasets",
    "projects.objective",
    "projects.identification",
    "projects.processing",
    "projects.reversal",
    "projects.verification",
    "projects.releases",
    "projects.enclave",
    "projects.queries",
    "projects.statistics",
    "projects.impact",
    "projects.intrusion",
    "projects.findings",
    "projects.incidents",
    "projects.lessons",
    "projects.monitoring",
    "projects.disposal",
    "deid_portal.demo",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "deid_portal.middleware.CompressedTextsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "deid_portal.middleware.StayingMiddleware",
    "deid_portal.middleware.ReadCacheMiddleware",
    "deid_portal.middleware.SignInRequiredMiddleware",
    "deid_portal.accounts.middleware.AccountGateMiddleware",
    "deid_portal.middleware.PrivateResponsesMiddleware",
    "deid_portal.middleware.RefusalMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "deid_portal.urls"
WSGI_APPLICATION = "deid_portal.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [_RESOURCES / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "deid_portal.context.navigation",
            ]
        },
    }
]

# What the portal makes, its owner alone reads: data, SQLite's file, queue, logs.
os.umask(0o077)
VAR_DIR.mkdir(parents=True, exist_ok=True)


def _database(where: dict[str, Any]) -> dict[str, Any]:
    """One database with the options that every one of them has."""
    # Opening a connection, of SQLite too, takes longer than most queries that are sent over it.
    where["CONN_MAX_AGE"] = 60
    if where["ENGINE"].endswith("sqlite3"):
        where["OPTIONS"] = {
            # A write transaction takes the lock at its start, so that two writers queue instead of failing.
            "transaction_mode": "IMMEDIATE",
            "timeout": 30,
            # So many statements stay prepared for a connection, which all pages use one after the other; Python keeps 128.
            "cached_statements": 512,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
            # What is destroyed is overwritten.
            "PRAGMA secure_delete=ON; "
            # A gigabyte of the file is read where the system holds it, and not copied page by page into each process.
            "PRAGMA mmap_size=1073741824;",
        }
        return where
    where["CONN_HEALTH_CHECKS"] = True
    if where["ENGINE"].endswith("postgresql"):
        where["OPTIONS"] = {
            # Nobody waits for a lock without end, and nobody who is gone keeps one. Nor is a statement compiled before it runs: that
            # takes seconds for those of a page, which have many parts and read few rows.
            "options": "-c lock_timeout=30s -c idle_in_transaction_session_timeout=120s -c jit=off",
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
            "application_name": "deid-portal",
            **where.get("OPTIONS", {}),
        }
    return where


DATABASES = {"default": _database(env.db("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'portal.sqlite3'}"))}
# Keys of the vault lie in a database of their own where it is named, sealed by a key of its own; the portal waits for it briefly,
# because decisions wait meanwhile.
DEID_VAULT_KEY = env("DEID_VAULT_KEY", default="")
if env("DEID_VAULT_URL", default=""):
    DATABASES["vault"] = _database(env.db("DEID_VAULT_URL"))
    if DATABASES["vault"]["ENGINE"].endswith("postgresql"):
        DATABASES["vault"]["OPTIONS"].setdefault("connect_timeout", 5)
DATABASE_ROUTERS = ["projects.vault.custody.routing.CustodyRouter"]
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # What is counted over all processes.
    "throttles": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "deid_throttles",
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "deid_portal.accounts.lockout.AddressBackend",
    "axes.backends.AxesStandaloneBackend",
    "deid_portal.accounts.backends.AccountBackend",
    "guardian.backends.ObjectPermissionBackend",
]
GUARDIAN_MONKEY_PATCH_USER = False
ANONYMOUS_USER_NAME = None
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "deid_portal.accounts.guessable.GuessableValidator"},
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "accounts:sign_in"
LOGIN_REDIRECT_URL = "core:home"
LOGOUT_REDIRECT_URL = "accounts:sign_in"
# The organisation's own sign-in by OpenID Connect; off while no issuer is named. Accounts are found by a claim that is their user name.
DEID_OIDC_ISSUER = env("DEID_OIDC_ISSUER", default="").rstrip("/")
DEID_OIDC_CLIENT_ID = env("DEID_OIDC_CLIENT_ID", default="")
DEID_OIDC_CLIENT_SECRET = env("DEID_OIDC_CLIENT_SECRET", default="")
DEID_OIDC_CLAIM = env("DEID_OIDC_CLAIM", default="preferred_username")
DEID_OIDC_SCOPES = env("DEID_OIDC_SCOPES", default="openid profile")
# What of the provider's methods (amr) and classes (acr) counts as the second step here.
DEID_OIDC_AMR = env.list("DEID_OIDC_AMR", default=[])
DEID_OIDC_ACR = env.list("DEID_OIDC_ACR", default=[])
# The organisation's directory, which knows passwords; off while no address is named. ldap:// is made TLS before anything is said.
DEID_LDAP_URL = env("DEID_LDAP_URL", default="")
DEID_LDAP_CA_FILE = env("DEID_LDAP_CA_FILE", default="")
DEID_LDAP_BASE = env("DEID_LDAP_BASE", default="")
DEID_LDAP_FILTER = env("DEID_LDAP_FILTER", default="(uid=%(user)s)")
DEID_LDAP_BIND_DN = env("DEID_LDAP_BIND_DN", default="")
DEID_LDAP_BIND_PASSWORD = env("DEID_LDAP_BIND_PASSWORD", default="")
if DEID_LDAP_URL:
    AUTHENTICATION_BACKENDS.insert(3, "deid_portal.accounts.backends.DirectoryBackend")
# Who holds one of these posts signs in with a second step or reaches nothing: planner, supervisor, management, …
DEID_SECOND_STEP_POSTS = env.list("DEID_SECOND_STEP_POSTS", default=[])
# Networks whose X-Forwarded-For is believed: the portal's own proxies.
DEID_TRUSTED_PROXIES = [ip_network(net) for net in env.list("DEID_TRUSTED_PROXIES", default=[])]
AXES_CLIENT_IP_CALLABLE = "deid_portal.accounts.clients.client_address"
AXES_USERNAME_CALLABLE = "deid_portal.accounts.clients.name_digest"
AXES_SENSITIVE_PARAMETERS = [
    "username",
    "ip_address",
    "old_password",
    "new_password1",
    "new_password2",
    "code",
]
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
# A try while an account or an address is stopped is neither counted nor prolongs it: colleagues share addresses.
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
# So many failures of one address within that time, whatever the names, stop it until fewer lie within it.
DEID_SIGN_IN_FAILURES = env.int("DEID_SIGN_IN_FAILURES", default=60)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "deid_portal.accounts.lockout.locked_out"
AXES_ENABLE_ACCESS_FAILURE_LOG = True
# Beyond so many rows of one name axes drops the newest, which then would not count for their address.
AXES_ACCESS_FAILURE_LOG_PER_USER_LIMIT = 1_000_000
AXES_VERBOSE = False
OTP_TOTP_ISSUER = "De-identification Portal"

SESSION_COOKIE_AGE = 8 * 3600
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
# Behind TLS in production; the single-machine default serves plain HTTP on loopback only.
SECURE = env.bool("DEID_SECURE", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SECURE_SSL_REDIRECT = SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("DEID_BEHIND_PROXY", default=False) else None
)
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        # Signing out leads on to the provider that somebody came by, which browsers take for a part of the form.
        "form-action": [SELF, *(["/".join(DEID_OIDC_ISSUER.split("/")[:3])] if DEID_OIDC_ISSUER else [])],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", _("简体中文")), ("en", _("English"))]
# The names of countries come translated with their library; of an application they would bring its pictures along.
LOCALE_PATHS = [_RESOURCES / "locale", Path(find_spec("django_countries").origin).parent / "locale"]  # type: ignore[union-attr,arg-type]
COUNTRIES_OVERRIDE = {
    "HK": _("Hong Kong, China"),
    "MO": _("Macao, China"),
    "TW": _("Taiwan, China"),
}
TIME_ZONE = env("DEID_TIME_ZONE", default="Asia/Shanghai")
USE_I18N = USE_TZ = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SECURE = SECURE
LANGUAGE_COOKIE_AGE = 365 * 86_400

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [_RESOURCES / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG

# Encrypted files: sources, results, parts of runs, documents. Never below the web root.
DEID_STORE_DIR = Path(env("DEID_STORE_DIR", default=str(VAR_DIR / "store")))
DEID_UPLOAD_LIMIT = env.int("DEID_UPLOAD_LIMIT", default=2 * 1024**3)
# What a worker may take on top of what it holds while it reads an uploaded file; 0: no bound.
DEID_READ_MEMORY_MB = env.int("DEID_READ_MEMORY_MB", default=768)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024**2
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # a recipe for a table of several hundred columns
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# For how many days a release is received after the day on which its re-assessment was due.
DEID_REASSESSMENT_GRACE_DAYS = env.int("DEID_REASSESSMENT_GRACE_DAYS", default=30)
# Within how many hours of the report of an incident the authority and the persons concerned are notified (PIPL 57: at once).
DEID_INCIDENT_AUTHORITY_HOURS = env.float("DEID_INCIDENT_AUTHORITY_HOURS", default=24.0)
DEID_INCIDENT_PERSONS_HOURS = env.float("DEID_INCIDENT_PERSONS_HOURS", default=72.0)
# How long who asked for a value may read the answer, in hours.
DEID_REVERSAL_HOURS = env.float("DEID_REVERSAL_HOURS", default=24.0)
# A query in an enclave: seconds and MiB that it may take, and for how many days its text and what it found are kept.
DEID_QUERY_SECONDS = env.float("DEID_QUERY_SECONDS", default=60.0)
DEID_QUERY_MEMORY_MB = env.int("DEID_QUERY_MEMORY_MB", default=512)
DEID_QUERY_DAYS = env.float("DEID_QUERY_DAYS", default=7.0)

# A job is lost when its worker's heartbeat is older than the lease; the sweeper offers it again.
DEID_JOB_LEASE_SECONDS = env.int("DEID_JOB_LEASE_SECONDS", default=20)
DEID_JOB_HEARTBEAT_SECONDS = env.float("DEID_JOB_HEARTBEAT_SECONDS", default=4.0)
DEID_JOB_SWEEP_SECONDS = env.float("DEID_JOB_SWEEP_SECONDS", default=5.0)
# A job whose worker was lost this often in a row, with no item finished in between, is given up.
DEID_JOB_STALLED_ATTEMPTS = env.int("DEID_JOB_STALLED_ATTEMPTS", default=12)

# An Apache Spark cluster on which runs may take place, by its address; none while it is empty. People read its name.
DEID_SPARK_MASTER = env("DEID_SPARK_MASTER", default="")
DEID_SPARK_NAME = env("DEID_SPARK_NAME", default="") or "Spark"

CELERY_BROKER_URL = env("DEID_BROKER_URL", default="filesystem://localhost//")
if CELERY_BROKER_URL.startswith("filesystem"):
    _queue = VAR_DIR / "queue"
    for _folder in ("messages", "processed", "control"):
        (_queue / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(_queue / "messages"),
        "data_folder_out": str(_queue / "messages"),
        "control_folder": str(_queue / "control"),
        "processed_folder": str(_queue / "processed"),
        "store_processed": False,
        "polling_interval": 0.05,
    }
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_CONCURRENCY = env.int("DEID_WORKERS", default=1)
# In kilobytes. What libraries and pools of a process have once taken they seldom give back.
CELERY_WORKER_MAX_MEMORY_PER_CHILD = env.int("DEID_WORKER_MEMORY_MB", default=600) * 1000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = TIME_ZONE
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULE = {
    "offer lost jobs again": {
        "task": "jobs.sweep",
        "schedule": DEID_JOB_SWEEP_SECONDS,
        # While every worker is busy, sweeps must not pile up.
        "options": {"expires": max(2 * DEID_JOB_SWEEP_SECONDS, 10.0)},
    },
    "remove half-written files and old drafts": {"task": "datasets.sweep", "schedule": 3600.0},
    "destroy answers whose time is over": {"task": "reversal.expire", "schedule": 600.0},
    "destroy what queries in an enclave found": {"task": "enclave.expire", "schedule": 600.0},
    "destroy records that were drawn from a result": {"task": "findings.expire", "schedule": 600.0},
    "destroyed keys leave their store": {"task": "vault.sweep", "schedule": 600.0},
    "open re-assessments that are due": {"task": "monitoring.open_due", "schedule": 3600.0},
    "tell people what waits for them": {
        "task": "messaging.run",
        "schedule": DEID_MESSAGE_SECONDS,
        "options": {"expires": DEID_MESSAGE_SECONDS},
    },
}
if DEID_ANCHORS:
    CELERY_BEAT_SCHEDULE["send the end of the audit log"] = {
        "task": "audit.anchor",
        "schedule": env.float("DEID_ANCHOR_HOURS", default=24.0) * 3600,
    }

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "deid_portal.api.authentication.PortalTokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": [
        "approvals.api.JSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "approvals.api.Portions",
    "PAGE_SIZE": 50,
    "DEFAULT_THROTTLE_CLASSES": [
        "deid_portal.accounts.clients.PersonThrottle",
        "deid_portal.accounts.clients.AnonymousThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "user": env("DEID_API_RATE", default="600/min"),
        "anon": env("DEID_API_ANON_RATE", default="30/min"),
        "sign_in": env("DEID_API_SIGN_IN_RATE", default="10/min"),
        "published": env("DEID_PUBLISHED_RATE", default="60/min"),
    },
    "EXCEPTION_HANDLER": "deid_portal.api.errors.exception_handler",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "De-identification Portal API",
    "DESCRIPTION": "The API can do everything a page can, under the same rules and with the same reasons.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",  # the targets' own JSON schemas are of its dialect
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "COMPONENT_SPLIT_REQUEST": True,
    # Names for vocabularies that several serializers use under names such as "role" and "status".
    "ENUM_NAME_OVERRIDES": {
        "AttendanceOutcomeEnum": "deid_portal.records.enums.AttendanceOutcome",
        "StateEnum": "projects.workflow.State",
        "SharingTypeEnum": "projects.core.enums.SharingType",
        "StageEnum": "projects.workflow.Stage",
        "RoleEnum": "projects.workflow.Role",
        "IdentifierEnum": "techniques.core.kinds.Identifier",
        "ManagementOutcomeEnum": "approvals.decisions.models.ManagementOutcome",
        "ChangeKindEnum": "projects.monitoring.enums.ChangeKind",
        "FitnessEnum": "projects.verification.sign_off.opinions.models.Fitness",
        "LaterConclusionEnum": "projects.monitoring.afterwards.enums.CONCLUSIONS",
        "LaterOutcomeEnum": "projects.monitoring.afterwards.enums.LaterOutcome",
        "AmendmentKindEnum": "projects.monitoring.enums.AmendmentKind",
        "ClassificationEnum": "projects.objective.enums.Classification",
        "ColumnRoleEnum": "projects.identification.enums.ColumnRole",
        "RoundStatusEnum": "projects.identification.enums.RoundStatus",
        "JobStatusEnum": "projects.jobs.enums.JobStatus",
        "ItemStatusEnum": "projects.jobs.enums.ItemStatus",
        "DatasetStatusEnum": "projects.datasets.enums.DatasetStatus",
        "HeldKindEnum": "projects.datasets.store.holdings.HeldKind",
        "DisposalOutcomeEnum": "projects.disposal.enums.DisposalOutcome",
        "ReversalStatusEnum": "projects.reversal.enums.ReversalStatus",
        "FindingStatusEnum": "projects.findings.enums.FindingStatus",
        "FindingSourceEnum": "projects.findings.enums.FindingSource",
        "FindingSeverityEnum": "projects.findings.enums.FindingSeverity",
        "FindingStepKindEnum": "projects.findings.enums.StepKind",
        "CheckResultEnum": "projects.findings.enums.CheckResult",
        "SampleOutcomeEnum": "projects.findings.received.enums.SampleOutcome",
        "DeviationKindEnum": "projects.findings.received.enums.DeviationKind",
        "SampleUnitEnum": "projects.findings.inspected.enums.SampleUnit",
        "InspectionOutcomeEnum": "projects.findings.inspected.enums.InspectionOutcome",
        "InspectionKindEnum": "projects.findings.inspected.enums.InspectionKind",
        "RecipientRemedyKindEnum": "projects.findings.received.enums.RemedyKind",
        "RecipientRemedyStateEnum": "projects.findings.received.enums.RemedyState",
        "IncidentKindEnum": "projects.incidents.enums.IncidentKind",
        "IncidentSeverityEnum": "projects.incidents.enums.IncidentSeverity",
        "IncidentVerdictEnum": "projects.incidents.enums.IncidentVerdict",
        "IntruderKnowledgeEnum": "projects.intrusion.enums.Knowledge",
        "ClaimVerdictEnum": "projects.intrusion.enums.ClaimVerdict",
        "IncidentActEnum": "projects.incidents.enums.IncidentAct",
        "GrantStatusEnum": "projects.queries.enums.GrantStatus",
        "QueryStatusEnum": "projects.queries.enums.QueryStatus",
        "EnclaveQueryStateEnum": "projects.enclave.enums.QueryState",
        "PolicyKindEnum": "deid_portal.organisation.policies.enums.PolicyKind",
        "PartyKindEnum": "deid_portal.organisation.parties.enums.PartyKind",
        "TeamDutyEnum": "deid_portal.organisation.team.enums.TeamDuty",
        "CounterpartKindEnum": "deid_portal.organisation.talks.enums.CounterpartKind",
        "RegulationEnum": "projects.objective.enums.Regulation",
        "ProposalStatusEnum": "deid_portal.organisation.proposals.models.ProposalStatus",
        "TableStatusEnum": "projects.statistics.enums.TableStatus",
        "WayBackEnum": "projects.reversal.enums.WayBack",
        "RunStatusEnum": "projects.processing.enums.RunStatus",
        "DeliveryStatusEnum": "projects.releases.enums.DeliveryStatus",
        "ReviewOutcomeEnum": "approvals.decisions.models.ReviewOutcome",
        "ReassessmentOutcomeEnum": "projects.monitoring.enums.ReassessmentOutcome",
        "PostEnum": "projects.workflow.posts.Post",
        "AppointedPostEnum": "projects.workflow.posts.AppointedPost",
        "TenureEnum": "projects.workflow.posts.TenureKind",
        "AppointmentStatusEnum": "deid_portal.accounts.appointments.enums.AppointmentStatus",
        "RecordKindEnum": "deid_portal.records.enums.RecordKind",
        "RobotKindEnum": "deid_portal.messaging.enums.RobotKind",
        "MessageKindEnum": "deid_portal.messaging.enums.MessageKind",
        "MessageStatusEnum": "deid_portal.messaging.enums.MessageStatus",
    },
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"no_payload": {"()": "deid_portal.logs.WithoutPayload"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["no_payload"]}
    },
    "root": {"handlers": ["console"], "level": env("DEID_LOG_LEVEL", default="INFO")},
    # Django's own handler would mail or print tracebacks with local variables.
    "loggers": {
        "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # Says of each connection to Java that it was closed.
        "py4j": {"level": "WARNING"},
    },
}
