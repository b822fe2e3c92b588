// SPDX-License-Identifier: MIT
// The memory of sampled regret minimisation: for each infoset a row of one entry for each legal slot. A row is found by its
// offset (a number known beforehand) or, through InfosetIndex, by the key of its infoset.
#pragma once
#include <bit>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "buffers/memory.h"
#include "games/game.h"

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

// The rows of a tree whose infosets are known beforehand: each node of a decision has some for every hand or bucket.
template <class NumberType, class Tree>
class PlacedRows {
 public:
  using Number = NumberType;
  static constexpr bool kHasPlaces = true;

  PlacedRows(std::shared_ptr<const Tree> tree, bool with_values) : tree_(std::move(tree)) {
    for (std::vector<Number>* numbers : {&rows_.regrets, &rows_.sums}) {
      numbers->reserve(static_cast<std::size_t>(tree_->num_entries()));
      prefer_large_pages(numbers->data(), numbers->capacity() * sizeof(Number));  // read here and there, before it is touched
    }
    rows_.resize(static_cast<std::size_t>(tree_->num_entries()), with_values);
  }

  InfosetRows<Number>& rows() { return rows_; }
  const InfosetRows<Number>& rows() const { return rows_; }
  std::optional<std::int64_t> most_bytes() const { return InfosetRows<Number>::bytes(tree_->num_entries(), !rows_.values.empty()); }
  std::int64_t offset(std::uint64_t id, std::uint64_t) const { return static_cast<std::int64_t>(id); }

  // visit(key, legal, offset) for every infoset.
  template <class Visit>
  void each_row(Visit visit) const {
    for (std::int32_t n = 0; n < tree_->num_nodes(); ++n) {
      const auto& node = tree_->node(n);
      if (node.actor < 0) continue;
      ActionMask legal = 0;
      for (int a = 0; a < node.num_children; ++a) legal |= ActionMask{1} << tree_->slot(node.first_child + a);
      for (std::int64_t held = 0; held < tree_->num_held(node); ++held)
        visit(infoset_key(tree_->key(n), static_cast<std::uint64_t>(held), node.actor), legal, tree_->row(node, held));
    }
  }

  bool has_row(std::uint64_t id, std::uint64_t, int num_actions) const {
    return id < rows_.regrets.size() && num_actions <= static_cast<std::int64_t>(rows_.regrets.size() - id);
  }
  void save(std::vector<std::uint64_t>&, std::vector<std::uint64_t>&) const {}
  void restore(const std::vector<std::uint64_t>& keys, const std::vector<std::uint64_t>&, const InfosetRows<Number>& rows) {
    if (!keys.empty() || !rows.same_sizes(rows_)) throw std::invalid_argument("the state is of another game or of other options");
    rows_ = rows;  // into the same memory
  }

 protected:
  std::shared_ptr<const Tree> tree_;
  InfosetRows<Number> rows_;
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
