// SPDX-License-Identifier: MIT
// The memory of sampled regret minimisation: for each infoset a row of one entry for each legal slot. A row is found by its
// offset (a number known beforehand) or, through InfosetIndex, by the key of its infoset.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

namespace regretless {

// One infoset as a walk reads it.
template <class Number>
struct Row {
  std::uint64_t id = 0;             // offset or key
  std::uint64_t legal = 0;          // slots of the actions, for rows that are found by key
  int num_actions = 0;
  const Number* regrets = nullptr;  // [actions], null if the infoset is new
  const Number* values = nullptr;   // [actions], estimated value of each action, null if there is none
};

template <class Number>
struct InfosetRows {
  std::vector<Number> regrets, sums;  // [entries]: weighted regrets, weighted strategies
  std::vector<Number> values;         // [entries] or empty

  void resize(std::size_t entries, bool with_values) {
    regrets.resize(entries);
    sums.resize(entries);
    if (with_values) values.resize(entries);
  }

  static std::int64_t bytes(std::int64_t entries, bool with_values) {
    return entries * static_cast<std::int64_t>(sizeof(Number)) * (with_values ? 3 : 2);
  }

  bool same_sizes(const InfosetRows& other) const {
    return regrets.size() == other.regrets.size() && sums.size() == other.sums.size() && values.size() == other.values.size();
  }

  Row<Number> at(std::int64_t offset, int num_actions) const {
    return {static_cast<std::uint64_t>(offset), 0, num_actions, regrets.data() + offset,
            values.empty() ? nullptr : values.data() + offset};
  }

  bool operator==(const InfosetRows&) const = default;
};

// From a key to the offset of its row: open addressing with linear probing, at most half full.
class InfosetIndex {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int64_t offset = 0;
    std::uint64_t legal = 0;  // bit a: slot a is one of the actions
  };

  InfosetIndex() : slots_(kFirstSlots, kEmpty) {}

  const std::vector<Entry>& entries() const { return entries_; }  // in the order of insertion
  std::int64_t num_slots() const { return num_slots_; }
  static std::int64_t bytes(std::int64_t infosets) {  // at most: entries_ has just doubled, and so have slots_
    return infosets * static_cast<std::int64_t>(2 * sizeof(Entry) + 4 * sizeof(std::int32_t));
  }

  const Entry* find(std::uint64_t key) const {
    for (std::size_t at = key & mask();; at = (at + 1) & mask()) {
      const std::int32_t found = slots_[at];
      if (found == kEmpty) return nullptr;
      if (entries_[found].key == key) return &entries_[found];
    }
  }

  // The offset of the row; a new one if the key is new.
  std::int64_t insert(std::uint64_t key, std::uint64_t legal) {
    if (const Entry* found = find(key)) return found->offset;
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const std::int64_t offset = num_slots_;
    entries_.push_back({key, offset, legal});
    seat(static_cast<std::int32_t>(entries_.size()) - 1);
    num_slots_ += std::popcount(legal);
    return offset;
  }

 private:
  static constexpr std::size_t kFirstSlots = 1024;
  static constexpr std::int32_t kEmpty = -1;

  std::size_t mask() const { return slots_.size() - 1; }

  void seat(std::int32_t entry) {
    std::size_t at = entries_[entry].key & mask();
    while (slots_[at] != kEmpty) at = (at + 1) & mask();
    slots_[at] = entry;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kEmpty);
    for (std::size_t e = 0; e < entries_.size(); ++e) seat(static_cast<std::int32_t>(e));
  }

  std::vector<std::int32_t> slots_;  // a power of two of them
  std::vector<Entry> entries_;
  std::int64_t num_slots_ = 0;
};

}  // namespace regretless
