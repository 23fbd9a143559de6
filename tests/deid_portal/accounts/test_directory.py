"""Sign-in by the password of the organisation's directory: a real slapd, started by the test, always within TLS."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from django.urls import reverse

from deid_portal.accounts import two_step
from deid_portal.accounts.backends import DirectoryBackend, _directory_knows
from deid_portal.accounts.confirmation import signer_is_right
from deid_portal.accounts.models import Appointment, SecondStep, User
from deid_portal.accounts.services import user_create, user_set_active
from tests.services import PATIENCE, _end_with_parent, _unprivileged, free_port

pytestmark = pytest.mark.django_db
SLAPD, SCHEMA = Path("/usr/sbin/slapd"), Path("/etc/ldap/schema")
BASE = "dc=hospital,dc=example"
ENTRIES = f"""dn: {BASE}
objectClass: domain
dc: hospital

dn: uid=portal,{BASE}
objectClass: account
objectClass: simpleSecurityObject
uid: portal
userPassword: looks people up

dn: uid=li.lei,{BASE}
objectClass: inetOrgPerson
uid: li.lei
cn: Li Lei
sn: Li
userPassword: password of the directory

dn: cn=twice-a,{BASE}
objectClass: inetOrgPerson
uid: twice
cn: twice-a
sn: Twice
userPassword: password of the directory

dn: cn=twice-b,{BASE}
objectClass: inetOrgPerson
uid: twice
cn: twice-b
sn: Twice
userPassword: password of the directory
"""
CONFIGURATION = """include {schema}/core.schema
include {schema}/cosine.schema
include {schema}/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile {folder}/pid
TLSCertificateFile {folder}/certificate.pem
TLSCertificateKeyFile {folder}/key.pem
security tls=1
database mdb
suffix "{base}"
directory {folder}/data
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="uid=portal,{base}" read by * none
"""


def certificate(folder):
    """A certificate of localhost that nobody else signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))


@pytest.fixture(scope="module")
def served():
    if not SLAPD.is_file():
        pytest.skip("slapd is not installed")
    folder = Path(tempfile.mkdtemp(prefix="deid-slapd-"))
    (folder / "data").mkdir()
    certificate(folder)
    (folder / "slapd.conf").write_text(CONFIGURATION.format(folder=folder, schema=SCHEMA, base=BASE))
    (folder / "entries.ldif").write_text(ENTRIES)
    user, who = _unprivileged(), {}
    if user is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user.pw_uid, user.pw_gid)
        who = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    configured = ["-f", str(folder / "slapd.conf")]
    filled = subprocess.run(
        ["/usr/sbin/slapadd", *configured, "-l", str(folder / "entries.ldif")],
        capture_output=True,
        text=True,
        **who,
    )
    assert filled.returncode == 0, filled.stderr
    secure, plain = free_port(), free_port()
    addresses = f"ldaps://localhost:{secure} ldap://localhost:{plain}"
    process = subprocess.Popen(
        [str(SLAPD), *configured, "-h", addresses, "-d", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_end_with_parent(signal.SIGTERM),
        **who,
    )
    end = time.monotonic() + PATIENCE
    while not (folder / "pid").is_file():
        assert process.poll() is None, "slapd did not start"
        assert time.monotonic() < end
        time.sleep(0.05)
    yield SimpleNamespace(
        secure=f"ldaps://localhost:{secure}",
        plain=f"ldap://localhost:{plain}",
        ca=str(folder / "certificate.pem"),
    )
    process.terminate()
    process.wait(timeout=PATIENCE)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def directory(served, settings):
    settings.DEID_LDAP_URL, settings.DEID_LDAP_CA_FILE = served.secure, served.ca
    settings.DEID_LDAP_BASE, settings.DEID_LDAP_BIND_DN = BASE, f"uid=portal,{BASE}"
    settings.DEID_LDAP_BIND_PASSWORD = "looks people up"
    backends = list(settings.AUTHENTICATION_BACKENDS)
    backends.insert(3, "deid_portal.accounts.backends.DirectoryBackend")
    settings.AUTHENTICATION_BACKENDS = backends
    return served


@pytest.fixture
def lei(people):
    return user_create(
        username="li.lei",
        password="x" * 20,
        full_name="李雷",
        must_change_password=True,
        by=people.administrator,
    )


def signed_in(username="li.lei", password="password of the directory"):
    client = Client()
    client.post(reverse("accounts:sign_in"), {"username": username, "password": password})
    return client if "_auth_user_id" in client.session else None


@pytest.mark.parametrize("kind", ["secure", "plain"])
def test_the_password_of_the_directory_opens_the_account_and_gives_nothing(directory, lei, settings, kind):
    settings.DEID_LDAP_URL = getattr(directory, kind)
    client = signed_in()
    assert client is not None
    # The one-time password was not used, and nobody is asked to change it.
    assert client.get("/account/").status_code == 200
    stored = User.objects.get(pk=lei.pk)
    assert (stored.post, stored.is_superuser) == ("staff", False)
    assert not Appointment.objects.filter(account=lei).exists()


def test_wrong_passwords_empty_ones_and_other_names_do_not(directory, lei, people):
    before = User.objects.count()
    for password in ("wrong", "", "looks people up"):
        assert signed_in(password=password) is None
    for name in ("portal", "*", "li.lei)(uid=*", "LI.LEI", "li*"):
        assert signed_in(name) is None
    assert DirectoryBackend().authenticate(None, username="li.lei", password="") is None
    assert User.objects.count() == before


def test_a_star_in_a_user_name_is_no_pattern(directory, people):
    # Django's own validator lets no such name in; the filter does not depend on that.
    assert _directory_knows("li.lei", "password of the directory")
    assert not _directory_knows("li.*", "password of the directory")
    assert not _directory_knows("twice", "password of the directory")


def test_a_name_that_two_entries_have_opens_nothing(directory, people):
    user_create(username="twice", password=None, full_name="Twice", by=people.administrator)
    assert signed_in("twice") is None


def test_a_directory_whose_certificate_nobody_vouches_for_is_not_asked(directory, lei, settings):
    settings.DEID_LDAP_CA_FILE = ""
    for url in (directory.secure, directory.plain):
        settings.DEID_LDAP_URL = url
        assert signed_in() is None


def test_a_directory_that_is_away_leaves_the_portals_own_passwords(directory, people, settings):
    settings.DEID_LDAP_URL = "ldaps://localhost:1"
    assert signed_in(people.executor.username, "correct-horse-battery") is not None
    assert signed_in(people.executor.username, "password of the directory") is None


def test_who_is_deactivated_is_out_at_once(directory, lei, people):
    client = signed_in()
    assert client.get("/account/").status_code == 200
    user_set_active(lei, active=False, by=people.administrator)
    assert client.get("/account/").status_code == 302
    assert signed_in() is None


def test_the_second_step_is_asked_for_and_documents_are_signed_with_the_directorys_password(
    directory, lei, rf
):
    request = rf.post("/")
    request.user, request.session = User.objects.get(pk=lei.pk), {}
    assert signer_is_right(request, "password of the directory")
    assert not signer_is_right(request, "wrong")
    two_step.setup_start(lei)
    SecondStep.objects.filter(user=lei).update(confirmed=True)
    assert signed_in().get("/account/")["Location"].startswith(reverse("accounts:second_step"))


def test_a_program_gets_its_token_with_it(directory, lei):
    sent = {"username": "li.lei", "password": "password of the directory", "name": "a program", "days": 1}
    made = Client().post(reverse("api:account-token-sign-in"), sent, content_type="application/json")
    assert made.status_code == 201
    sent["password"] = "x" * 20
    refused = Client().post(reverse("api:account-token-sign-in"), sent, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "password_change_needed")
