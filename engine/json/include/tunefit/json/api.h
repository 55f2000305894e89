// The engine as text in, text out. Every function takes and returns UTF-8 JSON, never throws and never aborts on any input:
// a wrong request gives {"error": {...}, "findings": [...]} (docs/contract.md).
#pragma once
#include <string>
#include <string_view>

namespace tunefit::json {

// Sizes one request (tunefit.request/1) and returns its answer (tunefit.answer/1).
std::string size(std::string_view request);

// {"kind": "models|accelerators|systems|offers|frameworks|schema", "query": "...", "catalogue_overlay": {...}} -> JSON array of entries.
std::string catalogue(std::string_view call);

// JSON array of the published measurements: {"id", "source", "family", "quality", "model", "framework", "method", "counter", "oom",
// "measured" (bytes, absent for a run out of memory), "predicted": {"expected", "low", "high"}, "verdict"}. Sizes each: about a second.
std::string measured();

// {"kind": "hf-config|safetensors-index|safetensors-header|gguf", "text": "...", "name": "..."} ->
// {"request": {...}, "entry": {...}, "understood": [...], "not_understood": [...], "findings": [...]}; entry with a config only.
std::string import(std::string_view call);

// {"engine_version": "...", "catalogue": {"version": "...", "date": "..."}, "schema": "tunefit.request/1"}
std::string version();

}  // namespace tunefit::json
