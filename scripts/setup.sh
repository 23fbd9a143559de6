#!/usr/bin/env bash
# Everything a fresh Debian or Ubuntu machine needs, done once and skipped when it is there.
#   scripts/setup.sh run     what the portal needs to run
#   scripts/setup.sh test    that, and Chromium with faces, PostgreSQL, MariaDB, Redis and Java for the tests
set -euo pipefail
cd "$(dirname "$0")/.."
purpose=${1:-run}

say() { printf '\033[1m%s\033[0m\n' "$*"; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@" 2>/dev/null || sudo "$@"; fi; }

# Package and the file or command that shows it is installed.
missing=()
need_command() { command -v "$1" >/dev/null 2>&1 || missing+=("$2"); }
# Without -q: with pipefail a grep that stops at its first find makes the writer of the list fail.
need_library() { ldconfig -p 2>/dev/null | grep "$1" >/dev/null || missing+=("$2"); }

system_packages() {
  missing=()
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
  need_command msgfmt gettext
  need_library libpango-1.0.so.0 libpango-1.0-0
  need_library libpangoft2-1.0.so.0 libpangoft2-1.0-0
  need_library libharfbuzz-subset.so.0 libharfbuzz-subset0
  if [ "$purpose" = test ]; then
    # For Chinese in the pictures that Chromium takes; documents have faces of their own, and rare characters from these.
    [ -f /usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc ] || fc-list 2>/dev/null | grep NotoSerifCJK-Bold >/dev/null || missing+=(fonts-noto-cjk)
    if ! command -v chromium >/dev/null 2>&1 && ! command -v chromium-browser >/dev/null 2>&1; then missing+=(chromium); fi
    need_command redis-server redis-server
    # Spark needs Java 17; not every distribution has that version under its own name.
    command -v java >/dev/null 2>&1 || missing+=("$(apt-cache show openjdk-17-jre-headless >/dev/null 2>&1 && echo openjdk-17-jre-headless || echo default-jre-headless)")
    [ -x /usr/sbin/slapd ] || missing+=(slapd)
    need_command pdftotext poppler-utils
    [ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || missing+=(postgresql)
    # Servers lie where only an administrator's path leads.
    PATH=$PATH:/usr/sbin need_command mariadbd mariadb-server-core
  fi
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    say "Please install by hand (no apt-get here): ${missing[*]}"
    return 0
  fi
  say "Installing system packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get update -qq
  as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# A Python that was built without its optimisations, as pyenv does unless it is told otherwise, takes a tenth more time for
# everything than the distribution's own; that one is taken where it is of the same version and can make environments.
interpreter() {
  local own=/usr/bin/python3 version='import sys; print(*sys.version_info[:2])'
  if ! python3 -c 'import sysconfig as s; exit("--enable-optimizations" not in (s.get_config_var("CONFIG_ARGS") or ""))' &&
    [ "$("$own" -c "import ensurepip, venv; $version" 2>/dev/null)" = "$(python3 -c "$version")" ]; then
    echo "$own"
  else
    echo python3
  fi
}

python_environment() {
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    say "Python 3.11 or newer is needed; this is $(python3 --version)."
    exit 1
  }
  local stamp=.venv/.lock-sha256 want
  want=$(cat requirements.lock pyproject.toml techniques/pyproject.toml | sha256sum | cut -d' ' -f1)
  if [ "$(cat "$stamp" 2>/dev/null || true)" != "$want" ]; then
    say "Preparing the Python environment from requirements.lock"
    [ -x .venv/bin/python ] || "$(interpreter)" -m venv .venv
    .venv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r scripts/installer.lock
    .venv/bin/uv pip install -q --python .venv/bin/python --require-hashes -r requirements.lock
    .venv/bin/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . -e ./techniques
    echo "$want" >"$stamp"
  fi
}

keys() {
  [ -f .env ] && return 0
  say "Generating this installation's keys into .env"
  (
    umask 077
    .venv/bin/python - >.env <<'PY'
import base64, secrets
print(f"DEID_SECRET_KEY={secrets.token_urlsafe(64)}")
print(f"DEID_MASTER_KEY={base64.b64encode(secrets.token_bytes(32)).decode()}")
PY
  )
}

messages() {
  local po
  for po in locale/*/LC_MESSAGES/*.po; do
    [ -f "$po" ] || continue
    [ "${po%.po}.mo" -nt "$po" ] || msgfmt -o "${po%.po}.mo" "$po"
  done
}

system_packages
python_environment
keys
messages
