#include "tunefit/allocator.h"

#include <algorithm>

namespace tunefit {
namespace {

constexpr std::int64_t kMiB = 1 << 20;
constexpr std::int64_t kRound = 512;               // kMinBlockSize
constexpr std::int64_t kSmall = kMiB;              // kSmallSize: requests up to this come from the small pool
constexpr std::int64_t kSmallSegment = 2 * kMiB;   // kSmallBuffer
constexpr std::int64_t kMinLarge = 10 * kMiB;      // kMinLargeAlloc: below, a segment of kLargeBuffer is reserved
constexpr std::int64_t kLargeSegment = 20 * kMiB;  // kLargeBuffer
constexpr std::int64_t kRoundLarge = 2 * kMiB;     // kRoundLarge

std::int64_t segment_size(std::int64_t size) {
  if (size <= kSmall) return kSmallSegment;
  if (size < kMinLarge) return kLargeSegment;
  return (size + kRoundLarge - 1) / kRoundLarge * kRoundLarge;
}

template <class Pool, class Entry>
void insert(Pool& pool, Entry e) {
  pool.insert(std::lower_bound(pool.begin(), pool.end(), e), e);
}

}  // namespace

CachingAllocator::CachingAllocator(std::int64_t keys, std::int64_t capacity, bool expandable)
    : capacity_(capacity), expandable_(expandable), live_(static_cast<std::size_t>(keys), -1) {}

int CachingAllocator::new_block(Block b) {
  if (!unused_.empty()) {
    const int i = unused_.back();
    unused_.pop_back();
    blocks_[static_cast<std::size_t>(i)] = b;
    return i;
  }
  blocks_.push_back(b);
  return static_cast<int>(blocks_.size()) - 1;
}

void CachingAllocator::flush() {
  for (Pool& pool : free_) {
    Pool kept;
    for (const auto& [size, index] : pool) {
      const Block& b = blocks_[static_cast<std::size_t>(index)];
      if (b.previous >= 0 || b.next >= 0) {
        kept.emplace_back(size, index);
      } else {
        reserved_ -= size;
        unused_.push_back(index);
      }
    }
    pool = std::move(kept);
  }
}

void CachingAllocator::reserve_segment(std::int64_t bytes) {
  if (capacity_ > 0 && reserved_ + bytes > capacity_) {
    flush();
    out_of_memory_ = out_of_memory_ || reserved_ + bytes > capacity_;
  }
  reserved_ += bytes;
  peak_reserved_ = std::max(peak_reserved_, reserved_);
}

void CachingAllocator::allocate(std::int64_t key, std::int64_t bytes) {
  const std::int64_t size = std::max(kRound, (bytes + kRound - 1) / kRound * kRound);
  allocated_ += size;
  peak_allocated_ = std::max(peak_allocated_, allocated_);
  if (expandable_) {  // pages of 2 MiB are mapped as needed: no hole is too small to be filled
    peak_reserved_ = std::max(peak_reserved_, (allocated_ + kRoundLarge - 1) / kRoundLarge * kRoundLarge);
    live_[static_cast<std::size_t>(key)] = size;
    return;
  }
  const bool small = size <= kSmall;
  Pool& pool = free_[small ? 0 : 1];
  int index;
  const auto fit = std::lower_bound(pool.begin(), pool.end(), std::pair{size, -1});
  if (fit != pool.end()) {
    index = fit->second;
    pool.erase(fit);
  } else {
    const std::int64_t segment = segment_size(size);
    reserve_segment(segment);
    index = new_block({segment, -1, -1, false, small});
  }
  Block taken = blocks_[static_cast<std::size_t>(index)];
  const std::int64_t rest = taken.size - size;
  if (small ? rest >= kRound : rest > kSmall) {  // should_split
    const int remainder = new_block({rest, index, taken.next, true, small});
    if (taken.next >= 0) blocks_[static_cast<std::size_t>(taken.next)].previous = remainder;
    taken.next = remainder;
    taken.size = size;
    insert(pool, std::pair{rest, remainder});
  }
  taken.free = false;
  blocks_[static_cast<std::size_t>(index)] = taken;
  live_[static_cast<std::size_t>(key)] = index;
  if (taken.size != size) {  // an unsplit block counts whole
    allocated_ += taken.size - size;
    peak_allocated_ = std::max(peak_allocated_, allocated_);
  }
}

void CachingAllocator::release(std::int64_t key) {
  std::int64_t& live = live_[static_cast<std::size_t>(key)];
  const std::int64_t found = std::exchange(live, -1);
  if (found < 0) return;
  if (expandable_) {
    allocated_ -= found;
    return;
  }
  const int index = static_cast<int>(found);
  Block b = blocks_[static_cast<std::size_t>(index)];
  allocated_ -= b.size;
  Pool& pool = free_[b.small ? 0 : 1];
  auto absorb = [&](int neighbour) -> const Block* {
    if (neighbour < 0) return nullptr;
    const Block& n = blocks_[static_cast<std::size_t>(neighbour)];
    if (!n.free) return nullptr;
    pool.erase(std::lower_bound(pool.begin(), pool.end(), std::pair{n.size, neighbour}));
    unused_.push_back(neighbour);
    return &n;
  };
  const int next = b.next, previous = b.previous;
  if (const Block* n = absorb(next)) {
    b.size += n->size;
    b.next = n->next;
    if (n->next >= 0) blocks_[static_cast<std::size_t>(n->next)].previous = index;
  }
  if (const Block* p = absorb(previous)) {
    b.size += p->size;
    b.previous = p->previous;
    if (p->previous >= 0) blocks_[static_cast<std::size_t>(p->previous)].next = index;
  }
  b.free = true;
  blocks_[static_cast<std::size_t>(index)] = b;
  insert(pool, std::pair{b.size, index});
}

}  // namespace tunefit
