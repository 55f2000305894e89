// Catch2, whichever is installed: 3 (newer systems) or 2 (Debian 12). Use what both have: TEST_CASE, SECTION, CHECK,
// REQUIRE, CAPTURE, INFO, GENERATE, Approx.
#pragma once
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
