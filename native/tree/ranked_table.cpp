// SPDX-License-Identifier: MIT
#include "tree/ranked_table.h"

#include <algorithm>
#include <numeric>

namespace regretless {

RankedTable::RankedTable(const Hands& own_hands, const Hands& other_hands, const std::vector<std::int32_t>& twins, int own_stride,
                         int other_stride) {
  const auto in_order = [](const Hands& hands) {
    std::vector<std::uint16_t> order;
    for (std::size_t h = 0; h < hands.strengths.size(); ++h)
      if (hands.strengths[h] != 0) order.push_back(static_cast<std::uint16_t>(h));
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return hands.strengths[a] < hands.strengths[b]; });
    return order;
  };
  const std::vector<std::uint16_t> own_order = in_order(own_hands), other_order = in_order(other_hands);
  const auto zero = static_cast<std::uint16_t>(other_stride);
  own.resize(static_cast<std::size_t>(own_stride));
  for (Own& hand : own) hand.twin = zero;

  // Both players' hands by card, weakest first; everybody before the cards.
  constexpr int kLists = kMaxCards + 1;
  const auto by_card = [&](const Hands& hands, const std::vector<std::uint16_t>& order) {
    std::array<std::vector<std::uint16_t>, kLists> all;
    all[0] = order;
    for (const std::uint16_t hand : order)
      for (const Card card : (*hands.cards)[hand]) all[1 + card].push_back(hand);
    return all;
  };
  const auto own_by_card = by_card(own_hands, own_order), other_by_card = by_card(other_hands, other_order);

  for (int l = 0; l < kLists; ++l) {
    List list{static_cast<std::uint8_t>(l == 0 ? kEverybody : l - 1), 0, 0};
    const auto& mine = own_by_card[l];
    const auto& theirs = other_by_card[l];
    if (theirs.empty() && mine.empty()) continue;
    others.insert(others.end(), theirs.begin(), theirs.end());
    std::size_t next = 0;
    for (std::size_t first = 0, last = 0; first < mine.size(); first = last) {
      const std::uint32_t strength = own_hands.strengths[mine[first]];
      Run run;
      for (; next < theirs.size() && other_hands.strengths[theirs[next]] < strength; ++next) ++run.below;
      for (; next < theirs.size() && other_hands.strengths[theirs[next]] == strength; ++next) ++run.tied;
      runs.push_back(run);
      ++list.num_runs;
      for (; last < mine.size() && own_hands.strengths[mine[last]] == strength; ++last) {
        Own& hand = own[mine[last]];
        const auto row = static_cast<std::uint16_t>(runs.size());
        if (l == 0) {
          const auto& cards = (*own_hands.cards)[mine[last]];
          const std::int32_t twin = twins[mine[last]];
          hand = {row, 0, 0, twin >= 0 ? static_cast<std::uint16_t>(twin) : zero, cards[0], cards[1], kEverybody};
        } else {
          ((*own_hands.cards)[mine[last]][0] == l - 1 ? hand.high_run : hand.low_run) = row;
        }
      }
    }
    list.rest = static_cast<std::uint16_t>(theirs.size() - next);
    lists.push_back(list);
  }
  runs.shrink_to_fit();
  others.shrink_to_fit();
  lists.shrink_to_fit();
}

std::size_t RankedTable::num_others() const {
  std::size_t count = lists[0].rest;
  for (int r = 0; r < lists[0].num_runs; ++r) count += runs[r].below + runs[r].tied;
  return count;
}

}  // namespace regretless
