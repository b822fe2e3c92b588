// SPDX-License-Identifier: MIT
// The last regret samples, drawn again in proportion to their size (prioritised replay, Schaul et al., 2016) and divided by the
// probability of being drawn, so that one draw is on average one sample of the buffer.
#pragma once
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cards/random.h"
#include "solve/updates.h"

namespace regretless {

class ReplayBuffer {
 public:
  // A ring. Priorities are whole numbers: their sums are exact, so a buffer that was saved goes on as if it had not been.
  struct Contents {
    std::vector<std::uint64_t> ids, legals;  // [size]
    std::vector<std::uint8_t> sizes;         // [size]: legal actions
    std::vector<double> regrets;             // [size, actions]
    std::vector<std::uint64_t> priorities;   // [size]
    std::int64_t next = 0;                   // place that is overwritten next
  };

  ReplayBuffer(std::int64_t capacity, int num_actions) : capacity_(capacity), num_actions_(num_actions) {
    sums_.resize(static_cast<std::size_t>(capacity) + 1);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(contents_.ids.size()); }
  const Contents& contents() const { return contents_; }

  void restore(Contents contents) {
    const std::size_t size = contents.ids.size();
    const auto capacity = static_cast<std::size_t>(capacity_);
    const auto next = static_cast<std::size_t>(contents.next);
    const bool fits = size <= capacity && contents.legals.size() == size && contents.sizes.size() == size &&
                      contents.priorities.size() == size &&
                      contents.regrets.size() == size * static_cast<std::size_t>(num_actions_) &&
                      (size < capacity ? next == size : next < capacity) &&
                      std::ranges::all_of(contents.sizes, [&](int count) { return count <= num_actions_; }) &&
                      std::ranges::all_of(contents.priorities, [](auto priority) { return priority >= 1 && priority <= kMost; });
    if (!fits) throw std::invalid_argument("the replay buffer of the state does not fit the options");
    contents_ = std::move(contents);
    std::fill(sums_.begin(), sums_.end(), 0);
    for (std::size_t i = 0; i < size; ++i) shift(static_cast<std::int64_t>(i), contents_.priorities[i]);
  }

  void add(const UpdateLog::Record& record, const double* regrets) {
    const std::int64_t at = contents_.next;
    if (at == size()) {
      contents_.ids.push_back(0);
      contents_.legals.push_back(0);
      contents_.sizes.push_back(0);
      contents_.priorities.push_back(0);
      contents_.regrets.resize(contents_.regrets.size() + static_cast<std::size_t>(num_actions_));
    }
    double largest = 0;
    double* out = contents_.regrets.data() + at * num_actions_;
    for (int a = 0; a < record.num_actions; ++a) {
      out[a] = regrets[a];
      largest = std::max(largest, std::abs(regrets[a]));
    }
    contents_.ids[at] = record.id;
    contents_.legals[at] = record.legal;
    contents_.sizes[at] = static_cast<std::uint8_t>(record.num_actions);
    // The one keeps samples without regret in play.
    const std::uint64_t priority = 1 + static_cast<std::uint64_t>(std::min(largest, kLargest) / kLeast);
    shift(at, priority - contents_.priorities[at]);
    contents_.priorities[at] = priority;
    contents_.next = (at + 1) % capacity_;
  }

  struct Sample {
    std::uint64_t id, legal;
    int num_actions;
    const double* regrets;  // [actions]
    double weight;          // one over (size times the probability of being drawn)
  };

  Sample draw(Random& random) const {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t total = prefix(size());
    const auto left = static_cast<std::uint64_t>((static_cast<Wide>(random.bits()) * total) >> 64);
    const std::int64_t at = find(left);
    const double weight =
        static_cast<double>(total) / (static_cast<double>(size()) * static_cast<double>(contents_.priorities[at]));
    return {contents_.ids[at], contents_.legals[at], contents_.sizes[at], contents_.regrets.data() + at * num_actions_, weight};
  }

 private:
  static constexpr double kLeast = 0.01, kLargest = 1e9;  // chips
  static constexpr auto kMost = 1 + static_cast<std::uint64_t>(kLargest / kLeast);

  // A tree of partial sums (Fenwick) over the places.
  void shift(std::int64_t at, std::uint64_t change) {
    for (++at; at <= capacity_; at += at & -at) sums_[at] += change;
  }
  std::uint64_t prefix(std::int64_t count) const {
    std::uint64_t sum = 0;
    for (; count > 0; count -= count & -count) sum += sums_[count];
    return sum;
  }
  std::int64_t find(std::uint64_t left) const {
    std::int64_t at = 0;
    for (std::int64_t step = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(capacity_))); step > 0; step /= 2)
      if (at + step <= capacity_ && sums_[at + step] <= left) {
        at += step;
        left -= sums_[at];
      }
    return at;
  }

  std::int64_t capacity_;
  int num_actions_;
  Contents contents_;
  std::vector<std::uint64_t> sums_;  // [capacity + 1]
};

}  // namespace regretless
