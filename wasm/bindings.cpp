// The door from JavaScript: text in, text out (docs/contract.md). No conversions, no handles, nothing to delete.
#include <emscripten/bind.h>

#include <string>

#include "tunefit/json/api.h"

EMSCRIPTEN_BINDINGS(tunefit) {
  using Text = std::string;
  namespace api = tunefit::json;

  emscripten::function(
      "size", +[](const Text& request) { return api::size(request); });
  emscripten::function(
      "catalogue", +[](const Text& call) { return api::catalogue(call); });
  emscripten::function(
      "import_", +[](const Text& call) { return api::import(call); });
  emscripten::function("measured", &api::measured);
  emscripten::function("version", &api::version);
}
