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
  const auto stride = static_cast<std::size_t>(other_stride);
  own.resize(static_cast<std::size_t>(own_stride));
  for (Own& hand : own) hand.twin = row(stride + 1);

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
    const auto& mine = own_by_card[l];
    const auto& theirs = other_by_card[l];
    if (theirs.empty() && mine.empty()) continue;
    List list{row(l == 0 ? kEverybody : l - 1), static_cast<std::uint16_t>(theirs.size()), 0};
    for (const std::uint16_t hand : theirs) others.push_back(row(hand));
    std::size_t below = 0, tied = 0;
    for (std::size_t first = 0, last = 0; first < mine.size(); first = last) {
      const std::uint32_t strength = own_hands.strengths[mine[first]];
      for (below = tied; below < theirs.size() && other_hands.strengths[theirs[below]] < strength; ++below) {
      }
      for (tied = below; tied < theirs.size() && other_hands.strengths[theirs[tied]] == strength; ++tied) {
      }
      runs.push_back({row(below), row(tied)});
      ++list.num_runs;
      for (; last < mine.size() && own_hands.strengths[mine[last]] == strength; ++last) {
        Own& hand = own[mine[last]];
        const auto& cards = (*own_hands.cards)[mine[last]];
        if (l == 0) {
          const std::int32_t twin = twins[mine[last]];
          hand = {row(runs.size()), 0, 0, row(cards[0]), row(cards[1]), row(twin >= 0 ? static_cast<std::size_t>(twin) : stride)};
        } else {
          (cards[0] == l - 1 ? hand.high_run : hand.low_run) = row(runs.size());
        }
      }
    }
    lists.push_back(list);
  }
  runs.shrink_to_fit();
  others.shrink_to_fit();
  lists.shrink_to_fit();
}

}  // namespace regretless
