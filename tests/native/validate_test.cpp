// What is wrong with a request: each finding names the field and says what would be right; no text breaks the reader.
#include "validate.h"

#include <set>
#include <string>
#include <vector>

#include "json_door.h"
#include "parse.h"
#include "schema.h"
#include "words.h"

using namespace tunefit::json;
using Json = nlohmann::json;

namespace {

struct Case {
  const char* pointer;  // where the value is put
  const char* value;    // JSON text
  const char* code;
  const char* hint;  // part of it
};

Json with(const char* pointer, const char* value) {
  Json request = plain_request();
  request[Json::json_pointer(pointer)] = Json::parse(value);
  return request;
}

}  // namespace

TEST_CASE("each wrong field gets a finding that names it and says what would be right") {
  const Case cases[] = {
      {"/recipe/lora/r", "0", "out_of_range", "from 1 to 65536"},
      {"/recipe/lora/r", "-4", "out_of_range", "from 1 to 65536"},
      {"/recipe/lora/r", "\"16\"", "wrong_type", "without quotes"},
      {"/recipe/lora/r", "\"sixteen\"", "wrong_type", "a whole number"},
      {"/recipe/lora/r", "1.5", "wrong_type", "a whole number"},
      {"/recipe/lora/r", "true", "wrong_type", "a whole number"},
      {"/recipe/lora/r", "1e308", "wrong_type", "a whole number"},
      {"/recipe/lora/r", "[16]", "wrong_type", "a whole number"},
      {"/recipe/lora/dropout", "1", "out_of_range", "below 1"},
      {"/recipe/lora/dropout", "-0.1", "out_of_range", "from 0"},
      {"/recipe/lora/alpha", "0", "out_of_range", "above 0"},
      {"/recipe/lora/alpha", "1e308", "out_of_range", "1000000"},
      {"/recipe/sequence_length", "0", "out_of_range", "from 1 to 16777216"},
      {"/recipe/sequence_length", "18446744073709551615", "wrong_type", "a whole number"},
      {"/recipe/per_device_train_batch_size", "65537", "out_of_range", "65536"},
      {"/recipe/method", "\"qlroa\"", "unknown_value", "Did you mean \"qlora\"?"},
      {"/recipe/method", "5", "wrong_type", "one of full"},
      {"/recipe/optimizer", "\"adamw\"", "unknown_value", "adamw_torch"},
      {"/recipe/optimiser", "\"sgd\"", "unknown_field", "Did you mean \"optimizer\"?"},
      {"/recipe/compile", "\"yes\"", "wrong_type", "true or false"},
      {"/recipe/kernels", "\"liger\"", "wrong_type", "a list"},
      {"/recipe/lora/target_modules", "\"all\"", "unknown_value", "all-linear"},
      {"/recipe/lora/target_modules", "[]", "too_short", "at least 1"},
      {"/recipe/lora/target_modules", "7", "wrong_type", "text, a list or null"},
      {"/recipe/lora", "[]", "wrong_type", "an object or null"},
      {"/recipe", "\"fast\"", "wrong_type", "an object"},
      {"/model", "null", "wrong_type", "text or an object"},
      {"/model", "\"\"", "too_short", "at least 1"},
      {"/schema", "\"tunefit.request/2\"", "wrong_value", "tunefit.request/1"},
      {"/placement/memory_used_by_others_bytes", "-1", "out_of_range", "from 0"},
      {"/placement/accelerator", "80", "wrong_type", "text or null"},
      {"/site", "{\"place\": \"moon\"}", "unknown_value", "desk"},
  };
  for (const Case& c : cases) {
    const std::string pointer = std::string(c.pointer) == "/site" ? "/site/place" : c.pointer;
    const Json answer = sized(with(c.pointer, c.value));
    INFO(c.pointer << " = " << c.value << "\n" << answer.dump(1));
    REQUIRE(answer.contains("error"));
    const Json* f = finding(answer, c.code, pointer);
    REQUIRE(f);
    CHECK(has(*f, "hint", c.hint));
    CHECK(has(*f, "message", field_name(pointer).substr(field_name(pointer).rfind('.') + 1)));
  }
}

TEST_CASE("what is known but not sized yet says what is supported") {
  const Case cases[] = {
      {"/recipe/objective", "\"dpo\"", "not_supported_yet", "pretrain, sft and classification"},
      {"/recipe/gradient_checkpointing", "\"selective\"", "not_supported_yet", "none, full, offload and unsloth"},
      {"/placement/accelerators", "8", "not_supported_yet", "at most 1"},
      {"/placement/sharding", "\"zero3\"", "not_supported_yet", "none"},
      {"/placement/mig_profile", "\"3g.40gb\"", "not_supported_yet", "Leave it out"},
      {"/placement/tensor_parallel", "2", "not_supported_yet", "at most 1"},
  };
  for (const Case& c : cases) {
    const Json answer = sized(with(c.pointer, c.value));
    INFO(c.pointer << " = " << c.value << "\n" << answer.dump(1));
    REQUIRE(answer.contains("error"));
    const Json* f = finding(answer, c.code, c.pointer);
    REQUIRE(f);
    CHECK(has(*f, "hint", c.hint));
  }
  SECTION("a part of the answer that does not exist yet is only a warning") {
    const Json answer = sized(with("/want", R"(["memory", "time"])"));
    CHECK_FALSE(answer.contains("error"));
    CHECK(answer.contains("memory"));
    CHECK_FALSE(answer.contains("time"));
    const Json* f = finding(answer, "not_supported_yet", "/want/1");
    REQUIRE(f);
    CHECK((*f)["severity"] == "warning");
  }
}

TEST_CASE("all findings come at once, the first error also alone") {
  Json request = with("/recipe/lora/r", "0");
  request["recipe"]["methodd"] = 1;
  request["placement"]["accelerator"] = "nvidia-h1000";
  request["model"] = "meta-llama/Lama-3.1-8B";
  const Json answer = sized(request);
  CHECK(finding(answer, "out_of_range", "/recipe/lora/r"));
  CHECK(finding(answer, "unknown_field", "/recipe/methodd"));
  CHECK(finding(answer, "unknown_model", "/model"));
  CHECK(finding(answer, "unknown_accelerator", "/placement/accelerator"));
  Json first = answer["findings"][0];
  first.erase("severity");
  CHECK(answer["error"] == first);
  CHECK(has(*finding(answer, "unknown_model", "/model"), "hint", "llama-3.1-8b"));
}

TEST_CASE("a model that cannot be read is told of, whatever the method") {
  Json request = plain_request();
  for (const auto& method : request_schema().at(Json::json_pointer("/$defs/recipe/properties/method/enum"))) {
    CAPTURE(method);
    request["recipe"] = Json{{"method", method}};
    request["model"] = "no/such-model";
    CHECK(finding(sized(request), "unknown_model", "/model"));
    request["model"] = Json{{"name", "x"}, {"config", Json{{"architectures", {"LlamaForCausalLM"}}, {"hidden_size", 64}}}};
    CHECK(sized(request)["error"]["pointer"].get<std::string>().find("/model/config") == 0);
  }
}

TEST_CASE("unknown fields are welcome inside model.config only") {
  CHECK(finding(sized(with("/model", R"({"name": "x", "config": {}, "extra": 1})")), "unknown_field", "/model/extra"));
  const Json answer = sized(with("/model", R"({"name": "x", "config": {"anything": {"at": ["all"]}}})"));
  CHECK_FALSE(finding(answer, "unknown_field", "/model/config/anything"));
}

TEST_CASE("findings are bounded and quote only a little") {
  Json request = plain_request();
  for (int i = 0; i < 1000; ++i) request["recipe"]["unknown_" + std::to_string(i)] = i;
  const Json answer = sized(request);
  CHECK(answer["findings"].size() <= kMostFindings);
  request = plain_request();
  request["recipe"]["method"] = std::string(100000, 'x');
  request[std::string(100000, 'k')] = 1;
  const Json long_texts = sized(request);
  for (const Json& f : long_texts["findings"]) {
    CHECK(f["message"].get<std::string>().size() < 400);
    CHECK(f["hint"].get<std::string>().size() < 1500);
  }
}

TEST_CASE("text that is no JSON says where it breaks") {
  struct Broken {
    const char* text;
    const char* message;
    const char* hint;
  };
  const Broken cases[] = {
      {"", "no text", "JSON object"},
      {"   \n", "no text", "JSON object"},
      {R"({"model": "a)", "ends too early", "still open"},
      {R"({"model": "a", "recipe": {)", "ends too early", "still open"},
      {"{\"model\": NaN}", "byte 11", "neither NaN nor Infinity"},
      {"{\"model\": -Infinity}", "breaks at", "neither NaN nor Infinity"},
      {"{'model': 1}", "line 1, column 2", "double quotes"},
      {"{\n\"a\": 1,\n// why\n}", "line 3", "no comments"},
      {"{\"a\": True}", "breaks at", "lower case"},
      {"{\"a\": 1,}", "breaks at", "closing bracket"},
      {"{\"a\": \"\xff\"}", "breaks at", "UTF-8"},
      {"\x01\x02\x03", "breaks at", ""},
  };
  for (const Broken& c : cases) {
    const Json answer = sized(std::string(c.text));
    INFO(answer.dump());
    CHECK(answer["error"]["code"] == "not_json");
    CHECK(has(answer["error"], "message", c.message));
    CHECK(has(answer["error"], "hint", c.hint));
  }
  CHECK(sized(std::string("{\"a\": 1e999}"))["error"]["code"] == "out_of_range");
  CHECK(sized(std::string("{\"recipe\": {\"lora\": {\"r\": 1e999}}}"))["error"]["pointer"] == "/recipe/lora/r");
  CHECK(sized(std::string("[1, 2]"))["error"]["code"] == "wrong_type");
  CHECK(sized(std::string("3"))["error"]["code"] == "wrong_type");
  CHECK(sized(std::string("\0{}", 3))["error"]["code"] == "not_json");
}

TEST_CASE("hostile texts are refused without harm") {
  CHECK(sized(std::string(50'000'000, 'x'))["error"]["code"] == "too_large");
  CHECK(sized(std::string(1'000'000, '['))["error"]["code"] == "too_deep");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  CHECK(sized(objects)["error"]["code"] == "too_deep");
  std::string many = "[";
  for (std::size_t i = 0; i <= kMostValues; ++i) many += "1,";
  CHECK(sized(many + "1]")["error"]["code"] == "too_large");

  std::string twice = R"({"model": "a", "model": "meta-llama/Llama-3.1-8B", "recipe": {"method": "lora", "method": "full"}})";
  const Json answer = sized(twice);
  CHECK(finding(answer, "duplicate_field", "/model"));
  CHECK(finding(answer, "duplicate_field", "/recipe/method"));
  CHECK(answer["model"]["id"] == "llama-3.1-8b");
}

TEST_CASE("every prefix and every single-byte change of a request is answered") {
  const std::string text = plain_request().dump();
  for (std::size_t n = 0; n < text.size(); ++n) CHECK(sized(text.substr(0, n)).contains("error"));
  for (std::size_t n = 0; n < text.size(); ++n) {
    std::string changed = text;
    changed[n] = static_cast<char>(changed[n] ^ 0x15);
    const Json answer = sized(changed);
    CHECK((answer.contains("error") || answer.contains("memory")));
  }
}

TEST_CASE("pointers escape and names of fields read well") {
  CHECK(child_pointer("/a", "b/c~d") == "/a/b~1c~0d");
  CHECK(field_name("/recipe/kernels/0") == "recipe.kernels[0]");
  CHECK(field_name("/a/b~1c~0d") == "a.b/c~d");
  CHECK(field_name("") == "the request");
  CHECK(nearest("adamw_trch", {"adamw_torch", "sgd"}) == "adamw_torch");
  CHECK(nearest("zzz", {"adamw_torch", "sgd"}).empty());
  CHECK(shortened("\xc3\xa4\xc3\xa4\xc3\xa4", 3) == "\xc3\xa4...");
  Json request = plain_request();
  request["a/b~"] = 1;
  CHECK(finding(sized(request), "unknown_field", "/a~1b~0"));
}

namespace {

// Every schema in the request's schema, with its pointer into it.
void each_schema(const Json& schema, const std::string& at, void (*visit)(const Json&, const std::string&)) {
  if (!schema.is_object()) return;
  visit(schema, at);
  for (const char* group : {"properties", "$defs"}) {
    if (!schema.contains(group)) continue;
    for (const auto& [key, sub] : schema[group].items()) each_schema(sub, at + "/" + key, visit);
  }
  if (schema.contains("items")) each_schema(schema["items"], at + "/[]", visit);
  if (schema.contains("anyOf"))
    for (const Json& branch : schema["anyOf"]) each_schema(branch, at, visit);
}

}  // namespace

TEST_CASE("the request schema uses only keywords that the validator knows, and helps with every field of a form") {
  each_schema(request_schema(), "", [](const Json& schema, const std::string& at) {
    static const std::set<std::string> known{"$schema",
                                             "$id",
                                             "$defs",
                                             "$ref",
                                             "title",
                                             "description",
                                             "default",
                                             "type",
                                             "enum",
                                             "const",
                                             "minimum",
                                             "maximum",
                                             "exclusiveMinimum",
                                             "exclusiveMaximum",
                                             "minLength",
                                             "maxLength",
                                             "minItems",
                                             "maxItems",
                                             "maxProperties",
                                             "required",
                                             "properties",
                                             "additionalProperties",
                                             "items",
                                             "anyOf",
                                             "x-supported",
                                             "x-unsupported",
                                             "x-values"};
    INFO(at);
    for (const auto& [key, value] : schema.items()) CHECK(known.count(key) == 1);
    if (schema.contains("x-supported") && schema["x-supported"].contains("enum"))
      for (const Json& value : schema["x-supported"]["enum"]) CHECK(std::count(schema["enum"].begin(), schema["enum"].end(), value) == 1);
    if (schema.contains("x-values"))
      for (const auto& [value, text] : schema["x-values"].items())
        CHECK(std::count(schema["enum"].begin(), schema["enum"].end(), value) == 1);
  });
  const Json& recipe = request_schema()["$defs"]["recipe"]["properties"];
  for (const auto& [field, schema] : recipe.items()) {
    INFO(field);
    const Json& s = resolved(schema, request_schema());
    CHECK(s.contains("title"));
    CHECK(s.contains("description"));
  }
}
