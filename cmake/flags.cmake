# tunefit_flags: how our own code is compiled, everywhere.
add_library(tunefit_flags INTERFACE)
target_compile_options(tunefit_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow
  -Wno-missing-field-initializers  # a designated initialiser leaves the rest to the member's default on purpose
  # One rounding per operation on every machine, so that native and WebAssembly figures agree.
  -ffp-contract=off
)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms of GCC 12: on "x" + std::string (bug 105651), and on char_traits once the headers are precompiled.
  target_compile_options(tunefit_flags INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overread -Wno-stringop-overflow)
endif()
if(TUNEFIT_WERROR)
  target_compile_options(tunefit_flags INTERFACE -Werror)
endif()
if(TUNEFIT_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # GCC's flow warnings are not made for instrumented code: false alarms inside the standard library.
  target_compile_options(tunefit_flags INTERFACE ${sanitizers} -Wno-maybe-uninitialized)
  target_link_options(tunefit_flags INTERFACE ${sanitizers})
endif()
if(EMSCRIPTEN)
  # The libraries never throw and never ask for a type at run time; their machinery would only be bytes to load.
  target_compile_options(tunefit_flags INTERFACE -fno-exceptions -fno-rtti)
endif()
