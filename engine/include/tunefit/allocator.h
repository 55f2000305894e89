// A model of PyTorch's caching allocator (c10/cuda/CUDACachingAllocator.cpp): rounding, small and large pools, segments, best
// fit, splitting, merging, and the flush when the device is full. Gives reserved memory for a sequence of events.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace tunefit {

class CachingAllocator {
 public:
  // capacity: bytes it may reserve before it flushes its cache; 0: no limit. expandable: one segment grows (expandable_segments:True).
  // keys: how many different ones are used, from 0.
  explicit CachingAllocator(std::int64_t keys, std::int64_t capacity = 0, bool expandable = false);

  void allocate(std::int64_t key, std::int64_t bytes);  // a key that is not live
  void release(std::int64_t key);                       // does nothing for a key that is not live

  std::int64_t peak_allocated() const { return peak_allocated_; }
  std::int64_t peak_reserved() const { return peak_reserved_; }
  bool out_of_memory() const { return out_of_memory_; }  // capacity was passed even after a flush

 private:
  struct Block {
    std::int64_t size = 0;
    int previous = -1, next = -1;
    bool free = false, small = false;
  };
  using Pool = std::vector<std::pair<std::int64_t, int>>;  // (size, block), sorted: few hundred entries, so a vector beats a tree

  int new_block(Block);
  void reserve_segment(std::int64_t bytes);
  void flush();

  std::int64_t capacity_;
  bool expandable_;
  std::vector<Block> blocks_;
  std::vector<int> unused_;
  Pool free_[2];                    // small, large
  std::vector<std::int64_t> live_;  // key -> block (with expandable segments: bytes), -1 if not live
  std::int64_t allocated_ = 0, reserved_ = 0, peak_allocated_ = 0, peak_reserved_ = 0;
  bool out_of_memory_ = false;
};

}  // namespace tunefit
