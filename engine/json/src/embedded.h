// The catalogue and the request schema as compiled in: text made by `node catalog/build.mjs --embed` (embedded.cpp of the build tree).
#pragma once
#include <string_view>

namespace tunefit::json::embedded {

extern const std::string_view kVersion;  // hash of the content
extern const std::string_view kDate;     // newest date the content holds

// One model a line: what lists show, a tab, the rest; each an object, the first beginning {"id":"...","hf_id":"...", so that lists
// and the chosen model are read without the others. Numbers in "sources" are places in kTexts, "family" is one in kFamilies.
extern const std::string_view kModels;
extern const std::string_view kFamilies;  // array of {"family", "owner", "licence"}
extern const std::string_view kLicences;  // object: what a licence brings, by its id (catalog/lib/licences.mjs)
extern const std::string_view kTexts;     // array of strings that many entries share

extern const std::string_view kAccelerators;  // arrays of entries; "sources" are places in kTexts
extern const std::string_view kSystems;
extern const std::string_view kOffers;
extern const std::string_view kFrameworks;
extern const std::string_view kGlossary;
extern const std::string_view kRules;
extern const std::string_view kRuntime;       // object: context and library workspace by architecture
extern const std::string_view kCalibration;   // object: deciles of measured / predicted by class of run
extern const std::string_view kMeasured;      // object: published measurements (catalog/lib/measured.mjs)
extern const std::string_view kReleases;      // object: [version, date] of each package, oldest first
extern const std::string_view kTransformers;  // object: what transformers fuses and how layers alternate, by model_type

extern const std::string_view kRequestSchema;  // engine/json/schema/request.schema.json
extern const std::string_view kEntrySchemas;   // object: catalog/schema/*.schema.json by kind, without descriptions

}  // namespace tunefit::json::embedded
