# tunefit_nlohmann: the nlohmann_json headers, by a folder that holds nothing else. With -I/usr/include the
# Emscripten compiler would take the native C library's headers.
find_path(TUNEFIT_NLOHMANN_INCLUDE nlohmann/json.hpp
  PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH
  DOC "Folder that contains nlohmann/json.hpp (Debian: nlohmann-json3-dev)")
if(NOT TUNEFIT_NLOHMANN_INCLUDE)
  message(FATAL_ERROR "nlohmann/json.hpp not found: install nlohmann-json3-dev or set TUNEFIT_NLOHMANN_INCLUDE")
endif()
set(link_folder ${CMAKE_BINARY_DIR}/third_party)
file(MAKE_DIRECTORY ${link_folder})
file(CREATE_LINK ${TUNEFIT_NLOHMANN_INCLUDE}/nlohmann ${link_folder}/nlohmann SYMBOLIC)

add_library(tunefit_nlohmann INTERFACE)
target_include_directories(tunefit_nlohmann SYSTEM INTERFACE ${link_folder})
# JSON_NOEXCEPTION natively too: a wrong access must stop the native tests as it would stop the WebAssembly module.
target_compile_definitions(tunefit_nlohmann INTERFACE JSON_NO_IO JSON_NOEXCEPTION)
