// tunefit_native: the text API of the native build, one call a line in, one answer a line out. The comparison of native
// with WebAssembly and the benchmark drive it.
//
//   size <request JSON> | catalogue <call JSON> | import <call JSON> | version
//
// `--repeat N` instead reads one request, sizes it N times after a warm-up and prints the microseconds of each, one a line.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "tunefit/json/api.h"

namespace {

std::string answer(std::string_view line) {
  const auto space = line.find(' ');
  const auto call = line.substr(0, space);
  const auto text = space == std::string_view::npos ? std::string_view{} : line.substr(space + 1);
  if (call == "size") return tunefit::json::size(text);
  if (call == "catalogue") return tunefit::json::catalogue(text);
  if (call == "import") return tunefit::json::import(text);
  if (call == "version") return tunefit::json::version();
  return {};
}

int repeat(int times) {
  using Clock = std::chrono::steady_clock;
  std::string request;
  if (!std::getline(std::cin, request)) return 2;
  for (int i = 0; i < times / 10 + 1; ++i) tunefit::json::size(request);
  for (int i = 0; i < times; ++i) {
    const auto start = Clock::now();
    const auto text = tunefit::json::size(request);
    const std::chrono::duration<double, std::micro> spent = Clock::now() - start;
    if (text.empty()) return 2;
    std::printf("%.3f\n", spent.count());
  }
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc == 3 && std::string_view(argv[1]) == "--repeat") return repeat(std::atoi(argv[2]));
  if (argc != 1) {
    std::fputs("usage: tunefit_native < calls, or tunefit_native --repeat N < request\n", stderr);
    return 2;
  }
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    const auto text = answer(line);
    if (text.empty()) {
      std::fprintf(stderr, "no such call: %.40s\n", line.c_str());
      return 2;
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
  }
  return 0;
}
