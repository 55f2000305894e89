# Finds the toolchain file of whichever emcc is first in PATH (Debian's package or an emsdk), so that
# `cmake --preset wasm` needs no wrapper.
find_program(TUNEFIT_EMCC emcc)
if(NOT TUNEFIT_EMCC)
  message(FATAL_ERROR "emcc is not in PATH: install emscripten (Debian) or activate an emsdk")
endif()
file(REAL_PATH ${TUNEFIT_EMCC} emcc)
get_filename_component(emscripten_root ${emcc} DIRECTORY)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
