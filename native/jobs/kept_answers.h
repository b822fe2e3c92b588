// SPDX-License-Identifier: MIT
// Answers by infoset, or by whatever they depend on, so that none is asked for twice.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace regretless {

class KeptAnswers {
 public:
  // The answer of an infoset: unknown, asked for, or known.
  struct Entry {
    std::uint64_t infoset = 0;
    std::int32_t asked_by = -1;  // a half, whose open question has it ...
    std::int32_t row = -1;       // ... as this row
    std::int32_t index = -1;     // its answer
    bool is_free() const { return asked_by < 0 && index < 0; }
  };

  // At most so many answers, each of so many numbers.
  KeptAnswers(std::int64_t most, std::size_t width) : most_(most), width_(width) { clear(); }

  void clear() {
    entries_.assign(std::min<std::size_t>(kFirstSize, std::bit_ceil(static_cast<std::size_t>(2 * most_ + 1))), Entry{});
    size_ = 0;
    answers_.clear();
  }
  bool keeps_any() const { return most_ > 0; }

  // Its entry; a free one, which may be filled at once, if there is room; nullptr if there is none.
  Entry* find(std::uint64_t infoset) {
    std::size_t at = place(infoset);
    if (!entries_[at].is_free()) return &entries_[at];
    if (size_ >= most_) return nullptr;
    if (2 * static_cast<std::size_t>(size_ + 1) > entries_.size()) {
      grow();
      at = place(infoset);
    }
    ++size_;
    entries_[at].infoset = infoset;
    return &entries_[at];
  }

  const float* answer(std::int32_t index) const { return answers_.data() + static_cast<std::size_t>(index) * width_; }

  // The entry of an infoset that this half asks for, nullptr if it has none.
  Entry* find_asked(std::uint64_t infoset, int half) {
    Entry& entry = entries_[place(infoset)];
    return !entry.is_free() && entry.asked_by == half ? &entry : nullptr;
  }
  void keep(Entry& entry, const float* answer) {
    entry.asked_by = -1;
    entry.index = static_cast<std::int32_t>(answers_.size() / width_);
    answers_.insert(answers_.end(), answer, answer + width_);
  }

 private:
  static constexpr std::size_t kFirstSize = 1 << 10;

  std::size_t place(std::uint64_t infoset) const {
    std::size_t at = infoset & (entries_.size() - 1);
    while (!entries_[at].is_free() && entries_[at].infoset != infoset) at = (at + 1) & (entries_.size() - 1);
    return at;
  }

  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (!entry.is_free()) entries_[place(entry.infoset)] = entry;
  }

  std::int64_t most_, size_ = 0;
  std::size_t width_;
  std::vector<Entry> entries_;  // a power of two, at most half of them filled
  std::vector<float> answers_;
};

}  // namespace regretless
