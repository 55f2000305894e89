# What the commands need: Debian packages, Node, npm packages. Quick when nothing is missing.
# shellcheck shell=bash

node_fallback=20.20.2 # installed below .tools/ where the system has no Node of 20.19 or newer

# One line a need: the group of commands that needs it, the package, a test that it is there.
needs() {
  cat <<'LIST'
build g++ command -v c++
build cmake command -v cmake
build ninja-build command -v ninja
build nlohmann-json3-dev has_header nlohmann/json.hpp
build emscripten command -v emcc
build ca-certificates test -d /etc/ssl/certs
test catch2 has_header catch2/catch.hpp catch2/catch_all.hpp
test git command -v git
history git command -v git
browser chromium find_chromium
format clang-format command -v clang-format
format clang-tidy command -v clang-tidy
LIST
}

has_header() {
  local header
  for header in "$@"; do
    if [ -e "/usr/include/$header" ] || [ -e "/usr/local/include/$header" ]; then return 0; fi
  done
  return 1
}

find_chromium() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && command -v "$name"; then return 0; fi
  done
  return 1
}

# 20.19 and later of 20, 22.12 and later (what Vite asks for). Prints nothing.
node_is_new_enough() {
  command -v npm >/dev/null && command -v node >/dev/null && node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1)'
}

# set_up GROUP...: installs what these groups of commands need.
set_up() {
  local group package check missing=()
  while read -r group package check; do
    case " $* " in *" $group "*) ;; *) continue ;; esac
    eval "$check" >/dev/null 2>&1 || missing+=("$package")
  done < <(needs)
  use_local_node
  if ! node_is_new_enough; then
    command -v node >/dev/null || missing+=(nodejs)
    command -v npm >/dev/null || missing+=(npm)
  fi
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
  node_is_new_enough || install_node
  install_npm_packages
  if CHROMIUM=$(find_chromium); then export CHROMIUM; fi
}

install_packages() {
  local as_root=()
  if ! command -v apt-get >/dev/null; then
    echo "dev: missing: $*. There is no apt-get here: install them by your system's means." >&2
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "dev: missing: $*. Run this as root or with sudo, or install them yourself." >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "dev: installing Debian packages: $*"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

use_local_node() {
  local bin=$PWD/.tools/node/node_modules/node/bin
  if [ -x "$bin/node" ] && ! node_is_new_enough; then PATH=$bin:$PATH; fi
}

install_node() {
  echo "dev: installing Node $node_fallback below .tools/ (the system's is $(node --version 2>/dev/null || echo missing))"
  mkdir -p .tools/node
  npm install --prefix .tools/node --no-audit --no-fund --no-save --loglevel=error "node@$node_fallback"
  use_local_node
  if ! node_is_new_enough; then
    echo "dev: no Node of 20.19 or newer could be set up" >&2
    exit 1
  fi
}

# A copy of the lock file beside the installed packages tells whether they are the right ones.
install_npm_packages() {
  if ! cmp -s package-lock.json node_modules/.tunefit-lock; then
    echo "dev: installing the npm packages of package-lock.json"
    npm ci --no-audit --no-fund --loglevel=error
    cp package-lock.json node_modules/.tunefit-lock
  fi
}
