// Reading a JSON Schema: its parts, and what it asks for in plain words. Schemas here are our own and known to be sound.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tunefit::json {

using Json = nlohmann::json;

// The member of an object, nullptr if there is none (or it is no object).
const Json* member(const Json& object, const char* key);

// The text of a value, empty if it is none.
const std::string& text_of(const Json& value);

// The schema itself, or what its $ref ("#/$defs/name") refers to in root.
const Json& resolved(const Json& schema, const Json& root);

// By the names of the keyword `type`; "integer" takes 4096.0 too.
bool is_type(const std::string& type, const Json& value);
bool is_one_of_types(const Json& type, const Json& value);
const char* type_in_words(const std::string& type);  // "integer" -> "a whole number"

// The types that a schema allows.
void collect_types(const Json& schema, const Json& root, std::vector<std::string>& out);

// The values of an enum as text.
std::vector<std::string> names_of(const Json& values);

// What a schema asks for: "a whole number from 1 to 65536".
std::string wanted(const Json& schema, const Json& root);

// Which values an x-supported schema leaves, as a hint.
std::string supported_in_words(const Json& supported);

// The schema of the field at a pointer ("/recipe/lora/r"), $ref resolved, first fitting branch of an anyOf; nullptr if there is none.
const Json* schema_at(const Json& root, std::string_view pointer);

// The request's schema, parsed once.
const Json& request_schema();

}  // namespace tunefit::json
