// The caching allocator against cases worked out by hand from c10/cuda/CUDACachingAllocator.cpp.
#include "tunefit/allocator.h"

#include "catch.h"
#include "tunefit/units.h"

namespace tunefit::test {

TEST_CASE("segments: 2 MiB for small, 20 MiB up to 10 MiB, else rounded to 2 MiB") {
  CachingAllocator a(10);
  a.allocate(0, 1);
  CHECK(a.peak_allocated() == 512);
  CHECK(a.peak_reserved() == 2 * kMiB);
  a.allocate(1, 5 * kMiB);
  CHECK(a.peak_reserved() == 22 * kMiB);
  a.allocate(2, 31 * kMiB);
  CHECK(a.peak_reserved() == 54 * kMiB);
}

TEST_CASE("a freed block serves the next request of its size; neighbours merge") {
  CachingAllocator a(10);
  a.allocate(0, 64 * kMiB);
  a.release(0);
  a.allocate(1, 30 * kMiB);  // split: 34 MiB left
  a.allocate(2, 34 * kMiB);
  CHECK(a.peak_reserved() == 64 * kMiB);
  a.release(1);
  a.release(2);
  a.allocate(3, 64 * kMiB);  // merged again
  CHECK(a.peak_reserved() == 64 * kMiB);
}

TEST_CASE("a large rest of at most 1 MiB is not split off and counts as allocated") {
  CachingAllocator a(4);
  a.allocate(0, 64 * kMiB);
  a.release(0);
  a.allocate(1, 64 * kMiB - kMiB);
  CHECK(a.peak_allocated() == 64 * kMiB);
  a.allocate(2, kMiB + 1);  // needs a segment of its own
  CHECK(a.peak_reserved() == 84 * kMiB);
}

TEST_CASE("growing requests cannot use smaller cached blocks, until the device is full and the cache is flushed") {
  CachingAllocator open(8), full(8, 100 * kMiB);
  for (int i = 0; i < 4; ++i)
    for (CachingAllocator* a : {&open, &full}) {
      a->allocate(i, (20 + 10 * i) * kMiB);
      a->release(i);
    }
  CHECK(open.peak_reserved() == (20 + 30 + 40 + 50) * kMiB);
  CHECK(full.peak_reserved() == 90 * kMiB);  // 20 + 30 + 40; the flush leaves room for 50
  CHECK_FALSE(full.out_of_memory());
  full.allocate(5, 101 * kMiB);
  CHECK(full.out_of_memory());
}

TEST_CASE("expandable segments reserve what is allocated, in pages of 2 MiB") {
  CachingAllocator a(8, 0, true);
  for (int i = 0; i < 4; ++i) {
    a.allocate(i, (20 + 10 * i) * kMiB);
    a.release(i);
  }
  CHECK(a.peak_reserved() == 50 * kMiB);
}

}  // namespace tunefit::test
