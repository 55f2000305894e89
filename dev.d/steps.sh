# The steps of which the commands are made.
# shellcheck shell=bash

jobs=$(nproc)

cpp_files() { find engine wasm tests -name '*.cpp' -o -name '*.h' | sort; }

configure() { # configure PRESET
  cmake --preset "$1" >"build/configure-$1.log" 2>&1 || { cat "build/configure-$1.log" >&2; return 1; }
}

compile() { # compile PRESET [TARGET...]
  local preset=$1
  shift
  cmake --build "build/$preset" -j "$jobs" ${1:+--target "$@"} -- --quiet
}

build_wasm() {
  mkdir -p build
  configure wasm && compile wasm tunefit_wasm
}

build_package() { node wasm/package/build.mjs; }

build_page() { node web/build.mjs "$@"; } # build_page [--catalogue FILE]

build() { build_wasm && build_package && build_page "$@"; }

catalogue() { # catalogue lint [--fix] | add KIND OPTION... | diff [OPTION...] [BASE]
  local action=${1:-}
  [ $# -gt 0 ] && shift
  case $action in
    lint)
      case "$*" in '' | --fix) ;; *) echo "dev: catalogue lint takes --fix only, not $*" >&2 && return 2 ;; esac
      set_up
      if [ $# -gt 0 ]; then node catalog/build.mjs --fix || return 1; fi
      node catalog/build.mjs --check
      ;;
    add)
      set_up
      if [ "${1:-}" = model ] && package_is_old; then
        set_up build
        build_wasm && build_package || return 1
      fi
      node catalog/add.mjs "$@"
      ;;
    diff)
      set_up history
      node catalog/diff.mjs "$@"
      ;;
    *)
      echo "dev: catalogue what? lint, add or diff: ./dev help" >&2
      return 2
      ;;
  esac
}

# Whether the package is missing or the engine's code is newer. The importer does not depend on the facts.
package_is_old() {
  local package=dist/npm/tunefit.wasm
  [ ! -e "$package" ] || [ -n "$(find engine wasm -name '*.[ch]*' -newer "$package" 2>/dev/null | head -n 1)" ]
}

format() {
  node catalog/build.mjs --fix
  cpp_files | xargs clang-format -i
  npx --no-install prettier --write --log-level warn .
}

check_format() {
  cpp_files | xargs clang-format --dry-run -Werror && npx --no-install prettier --check --log-level warn .
}

# The engine's sources take seconds each; those that include nlohmann_json far longer.
tidy() { # tidy FOLDER...
  mkdir -p build
  configure native || return 1
  find "$@" -maxdepth 1 -name '*.cpp' -print0 | xargs -0 -n 4 -P "$jobs" clang-tidy --quiet --extra-arg=-Wno-unknown-warning-option -p build/native 2>build/clang-tidy.log ||
    { grep -v 'warnings generated' build/clang-tidy.log >&2; return 1; }
}

# The page's types of request and answer are made from the schemas.
page_types() {
  mkdir -p build/web
  node --input-type=module -e '
    import { writeTypes } from "./web/build/schema.mjs";
    await writeTypes(new URL("build/web/types.d.ts", `file://${process.cwd()}/`));'
}

check_package_types() { npx --no-install tsc -p tests/package/tsconfig.json; }

lint() { # lint [--all]
  local folders=(engine/src)
  [ "${1:-}" = --all ] && folders+=(engine/json/src)
  page_types && npx --no-install eslint --max-warnings 0 . && npx --no-install tsc -p web/tsconfig.json && tidy "${folders[@]}"
}
