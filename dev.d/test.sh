# ./dev test: stages with name and duration, one sum at the end.
# shellcheck shell=bash

passed=0
failed=0
skipped=0

# stage KIND NAME COMMAND...: runs the command, counts what it reports, returns whether it was all right.
#   build   counts only when it fails
#   check   counts as one test
#   catch   counts the test cases of a Catch2 program
#   node    counts the tests of `node --test`
stage() {
  local kind=$1 name=$2 start=$SECONDS status=0 log
  shift 2
  log=build/test/${name// /-}.log
  echo "== $name"
  "$@" 2>&1 | tee "$log" || status=1
  "count_$kind" "$log" "$status"
  echo "-- $name: $([ $status = 0 ] && echo ok || echo FAILED), $((SECONDS - start)) s"
  return $status
}

count_build() { [ "$2" = 0 ] || failed=$((failed + 1)); }

count_check() { if [ "$2" = 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }

# "test cases: 5 | 4 passed | 1 failed" or "All tests passed (9 assertions in 5 test cases)"; the same in Catch2 2 and 3.
count_catch() {
  local all good bad
  all=$(sed -nE 's/^All tests passed \(.* in ([0-9]+) test cases?\).*/\1/p' "$1" | tail -n 1)
  good=$(sed -nE 's/^test cases:.* ([0-9]+) passed.*/\1/p' "$1" | tail -n 1)
  bad=$(sed -nE 's/^test cases:.* ([0-9]+) failed.*/\1/p' "$1" | tail -n 1)
  add_counts "${all:-${good:-0}}" "${bad:-0}" 0 "$2"
}

count_node() {
  local tap=$1.tap
  add_counts "$(tap_count pass "$tap")" "$(tap_count fail "$tap")" "$(tap_count skipped "$tap")" "$2"
}

tap_count() { sed -nE "s/^# $1 ([0-9]+)$/\1/p" "$2" 2>/dev/null | tail -n 1; }

# A runner that failed without saying how many (a crash, a missing program) is one failure.
add_counts() { # add_counts PASSED FAILED SKIPPED STATUS
  local bad=${2:-0}
  if [ "$4" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  passed=$((passed + ${1:-0}))
  failed=$((failed + bad))
  skipped=$((skipped + ${3:-0}))
}

# node_tests NAME FOLDER...: every *.test.mjs below the folders.
node_tests() {
  local name=$1 files
  shift
  mapfile -t files < <(find "$@" -name '*.test.mjs' | sort)
  if [ ${#files[@]} -eq 0 ]; then
    echo "no tests below $*" >&2
    return 1
  fi
  node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination="build/test/${name// /-}.log.tap" "${files[@]}"
}

native_tests() { "build/$1/tests/tunefit_tests"; }

configure_and_compile() { configure "$1" && compile "$@"; }

all_groups=(checks native sanitized wasm page)

# run_tests [GROUP...]: all groups unless some are named.
run_tests() {
  local start=$SECONDS groups=" ${*:-${all_groups[*]}} "
  rm -rf build/test
  mkdir -p build/test
  set +e

  if wants checks; then
    stage check "format" check_format
    stage check "catalogue" node catalog/build.mjs --check
    stage node "catalogue tests" node_tests "catalogue tests" catalog
    stage check "lint" lint
  fi
  if wants native; then
    stage build "native build" configure_and_compile native && stage catch "native tests" native_tests native
  fi
  if wants sanitized; then
    stage build "sanitized build" configure_and_compile sanitize tunefit_tests && stage catch "sanitized tests" native_tests sanitize
  fi
  if wants wasm || wants page; then
    stage build "WebAssembly build" build_wasm && stage build "package" build_package && test_package
  fi

  echo "== all, $((SECONDS - start)) s"
  echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
  [ $failed = 0 ]
}

wants() { case $groups in *" $1 "*) ;; *) return 1 ;; esac }

test_package() {
  if wants wasm; then
    stage check "package types" check_package_types
    # The comparison of native with WebAssembly needs the native tool.
    stage build "native tool" configure_and_compile native tunefit_native &&
      stage node "package tests" node_tests "package tests" tests/contract tests/package tests/measured
  fi
  if wants page; then
    stage build "page" build_page && stage node "browser tests" node_tests "browser tests" tests/browser
  fi
}

# What set_up must bring for these groups.
test_needs() {
  local groups=" ${*:-${all_groups[*]}} "
  echo "build test$(wants checks && echo ' format')$(wants page && echo ' browser')"
}

check_groups() {
  local group groups=" ${all_groups[*]} "
  for group in "$@"; do
    wants "$group" || { echo "dev: no such group of tests: $group (there are: ${all_groups[*]})" >&2; exit 2; }
  done
}
