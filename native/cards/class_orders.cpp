// SPDX-License-Identifier: MIT
#include "cards/class_orders.h"

#include <array>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "cards/canonical.h"
#include "cards/hands.h"
#include "cards/strength.h"
#include "cards/suits.h"
#include "cards/sweep.h"
#include "threads/lookout.h"

namespace regretless {
namespace {

constexpr std::size_t kClasses = kNumClasses;
constexpr std::size_t kWidth = 192;       // classes, padded to whole registers
constexpr std::size_t kSlots = 32;        // the 25 classes with a given rank, padded
constexpr std::size_t kMostBoards = 37;   // whose counts of at most 12 x 12 x 12 each fit into 16 bits
constexpr std::uint32_t kNever = 0xffffffff;

using Counts = std::array<std::uint8_t, kWidth>;  // hands of each class, at most 12, or pairs, at most 12 x 12
using Sums = std::array<std::uint16_t, kWidth>;

// The classes that hold a rank.
struct RankSlots {
  std::array<std::array<std::uint8_t, 25>, 13> classes{};       // [ranks, slots]
  std::array<std::array<std::uint8_t, kClasses>, 13> slots{};  // [ranks, classes]

  constexpr RankSlots() {
    for (std::size_t rank = 0; rank < 13; ++rank) {
      std::size_t slot = 0;
      for (std::size_t place = 0; place < kClasses; ++place)
        if (12 - place / 13 == rank || 12 - place % 13 == rank) {
          classes[rank][slot] = static_cast<std::uint8_t>(place);
          slots[rank][place] = static_cast<std::uint8_t>(slot++);
        }
    }
  }
};
constexpr RankSlots kRankSlots;

// Hands are met from the weakest to the strongest, and `pairs` counts the pairs (better, worse) of classes among those met that
// share no card. A hand z beats both of a pair unless the pair holds a card of z: from n times `pairs` for n hands z of one class
// and strength are subtracted the pairs whose better or worse hand holds a card, and the pairs that hold both cards, one in
// each hand, are added back. Pairs that hold a card fill only the 25 rows or columns of classes with its rank.
//
// Sums are modulo 2^16 until they are flushed: only their total is a count.
class OrderCount {
 public:
  OrderCount() : hands_(kDeck52, 2) {
    for (std::uint32_t hand = 0; hand < hands_.num_hands(); ++hand) {
      const auto cards = hands_.cards(hand);
      classes_.push_back(static_cast<std::uint8_t>(class_of(cards[0], cards[1])));
      numbers_[cards[0]][cards[1]] = numbers_[cards[1]][cards[0]] = hand;
    }
  }

  void count(std::span<const Card> board) {
    begin(board);
    for (std::size_t start = 0, end; start < order_.size(); start = end) {
      for (end = start; end < order_.size() && order_[end].strength == order_[start].strength;) ++end;
      const std::span<const RankedHand> group{order_.data() + start, end - start};
      if (start > 0) add_strict(group);
      if (start > 0) add_ties(group, met_, met_with_, 0);
      for (const RankedHand& each : group) meet_pairs(each.hand);
      for (const RankedHand& each : group) meet(each.hand);
      if (end < order_.size()) add_ties_below(group);
    }
  }

  // Adds the counts since the last flush, weighted, and forgets them.
  void flush(ClassOrders& sums, std::uint32_t weight) {
    for (std::size_t z = 0; z < kClasses; ++z)
      for (std::size_t y = 0; y < kClasses; ++y) {
        Sums row = beaten_[z][y];
        for (std::size_t which = 0; which < 2; ++which) {
          const std::size_t rank = rank_of(z, which);
          if (holds(y, rank))
            for (std::size_t x = 0; x < kClasses; ++x) row[x] -= with_better_[z][which][kRankSlots.slots[rank][y]][x];
          for (std::size_t slot = 0; slot < 25; ++slot) row[kRankSlots.classes[rank][slot]] -= with_worse_[z][which][y][slot];
        }
        for (std::size_t x = 0; x < kClasses; ++x) sums.strict[(z * kClasses + y) * kClasses + x] += weight * row[x];
      }
    for (std::size_t a = 0; a < kClasses; ++a)
      for (std::size_t b = a; b < kClasses; ++b)
        for (std::size_t x = 0; x < kClasses; ++x) {
          const std::uint32_t times = a == b ? 2 * weight : weight;
          const std::uint32_t above = times * ties_[0][a][b][x], below = times * ties_[1][a][b][x];
          for (const std::size_t place : {(a * kClasses + b) * kClasses + x, (b * kClasses + a) * kClasses + x}) {
            sums.tied_above[place] += above;
            sums.tied_below[place] += below;
            if (a == b) break;
          }
        }
    std::memset(beaten_, 0, sizeof beaten_);
    std::memset(with_better_, 0, sizeof with_better_);
    std::memset(with_worse_, 0, sizeof with_worse_);
    std::memset(ties_, 0, sizeof ties_);
  }

 private:
  using ByCard = std::array<Counts, kMaxCards>;

  static std::size_t rank_of(std::size_t place, std::size_t which) { return 12 - (which == 0 ? place / 13 : place % 13); }
  static bool holds(std::size_t place, std::size_t rank) { return rank_of(place, 0) == rank || rank_of(place, 1) == rank; }
  static std::size_t rank(Card card) { return static_cast<std::size_t>(kDeck52.rank(card)); }

  static void add(Counts& to, const Counts& from) {
    for (std::size_t i = 0; i < kWidth; ++i) to[i] = static_cast<std::uint8_t>(to[i] + from[i]);
  }

  void begin(std::span<const Card> board) {
    board_strengths(Showdown::kHoldem, kDeck52, board, 2, strengths_.data());
    order_.clear();
    all_ = met_ = {};
    all_with_.fill({});
    met_with_.fill({});
    slots_with_.fill({});
    times_.fill(kNever);
    for (auto& each : lists_) each.clear();
    std::memset(pairs_, 0, sizeof pairs_);
    std::memset(better_with_, 0, sizeof better_with_);
    std::memset(worse_with_, 0, sizeof worse_with_);
    for (std::uint32_t hand = 0; hand < hands_.num_hands(); ++hand)
      if (strengths_[hand] != 0) {
        order_.push_back({strengths_[hand], hand});
        ++all_[classes_[hand]];
        for (const Card card : hands_.cards(hand)) ++all_with_[card][classes_[hand]];
      }
    sort_by_strength(order_, spare_);
  }

  bool is_met(Card a, Card b) const { return times_[numbers_[a][b]] != kNever; }

  // The pairs of this hand and every hand met before, whose strengths are lower.
  void meet_pairs(std::uint32_t hand) {
    const Card c = hands_.cards(hand)[0], d = hands_.cards(hand)[1];
    const std::size_t its_class = classes_[hand];
    Counts below;
    for (std::size_t i = 0; i < kWidth; ++i) below[i] = static_cast<std::uint8_t>(met_[i] - met_with_[c][i] - met_with_[d][i]);
    add(pairs_[its_class], below);
    for (const Card card : {c, d}) add(better_with_[card][kRankSlots.slots[rank(card)][its_class]], below);
    for (Card card = 0; card < kMaxCards; ++card) {
      if (card == c || card == d) continue;
      auto& row = worse_with_[card][its_class];
      for (std::size_t i = 0; i < kSlots; ++i) row[i] = static_cast<std::uint8_t>(row[i] + slots_with_[card][i]);
      for (const Card own : {c, d})
        if (is_met(card, own)) --row[kRankSlots.slots[rank(card)][classes_[numbers_[card][own]]]];
    }
  }

  void meet(std::uint32_t hand) {
    const std::size_t its_class = classes_[hand];
    times_[hand] = strengths_[hand];
    ++met_[its_class];
    for (const Card card : hands_.cards(hand)) {
      ++met_with_[card][its_class];
      ++slots_with_[card][kRankSlots.slots[rank(card)][its_class]];
      lists_[card].push_back(hand);
    }
  }

  // The pairs that the hands of a group, which are of one strength, beat.
  void add_strict(std::span<const RankedHand> group) {
    std::array<std::uint8_t, kClasses> numbers{};
    for (const RankedHand& each : group) {
      const std::size_t z = classes_[each.hand];
      ++numbers[z];
      for (const Card card : hands_.cards(each.hand)) {
        const std::size_t which = rank_of(z, 0) == rank(card) ? 0 : 1;
        for (std::size_t slot = 0; slot < 25; ++slot)
          for (std::size_t x = 0; x < kWidth; ++x) with_better_[z][which][slot][x] += better_with_[card][slot][x];
        for (std::size_t y = 0; y < kClasses; ++y)
          for (std::size_t slot = 0; slot < kSlots; ++slot) with_worse_[z][which][y][slot] += worse_with_[card][y][slot];
      }
      add_back(z, hands_.cards(each.hand)[0], hands_.cards(each.hand)[1]);
      add_back(z, hands_.cards(each.hand)[1], hands_.cards(each.hand)[0]);
    }
    for (std::size_t z = 0; z < kClasses; ++z)
      if (numbers[z] != 0)
        for (std::size_t y = 0; y < kClasses; ++y)
          for (std::size_t x = 0; x < kWidth; ++x) beaten_[z][y][x] += static_cast<std::uint16_t>(numbers[z] * pairs_[y][x]);
  }

  // The pairs whose better hand holds the card `high` of z and whose worse hand the card `low`.
  void add_back(std::size_t z, Card high, Card low) {
    const std::size_t which = rank_of(z, 0) == rank(high) ? 0 : 1;
    Counts below{};
    std::size_t next = 0;
    for (const std::uint32_t better : lists_[high]) {
      for (; next < lists_[low].size() && times_[lists_[low][next]] < times_[better]; ++next) ++below[classes_[lists_[low][next]]];
      Sums& row = with_better_[z][which][kRankSlots.slots[rank(high)][classes_[better]]];
      for (std::size_t x = 0; x < kWidth; ++x) row[x] -= below[x];
      const auto cards = hands_.cards(better);
      const std::uint32_t common = numbers_[low][cards[0] == high ? cards[1] : cards[0]];
      if (times_[common] < times_[better]) ++row[classes_[common]];
    }
  }

  // For each two hands of a group, which are equal, the hands among `others` that share no card with them.
  void add_ties(std::span<const RankedHand> group, const Counts& others, const ByCard& with, std::size_t side) {
    held_.resize(group.size());
    for (std::size_t i = 0; i < group.size(); ++i) {
      const auto cards = hands_.cards(group[i].hand);
      for (std::size_t x = 0; x < kWidth; ++x) held_[i][x] = static_cast<std::uint8_t>(with[cards[0]][x] + with[cards[1]][x]);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      Counts left;
      for (std::size_t x = 0; x < kWidth; ++x) left[x] = static_cast<std::uint8_t>(others[x] - held_[i][x]);
      for (std::size_t j = i + 1; j < group.size(); ++j) {
        const std::uint32_t one = group[i].hand, two = group[j].hand;
        if (share_card(hands_.set(one), hands_.set(two))) continue;
        const auto a = hands_.cards(one), b = hands_.cards(two);
        const auto [low, high] = std::minmax(classes_[one], classes_[two]);
        Sums& row = ties_[side][low][high];
        const Counts& held = held_[j];
        for (std::size_t x = 0; x < kWidth; ++x) row[x] = static_cast<std::uint16_t>(row[x] + left[x] - held[x]);
        for (const Card first : a)
          for (const Card second : b) {  // subtracted twice
            const std::uint32_t both = numbers_[first][second];
            const Strength strength = strengths_[both];
            if (side == 0 ? strength != 0 && strength < group[0].strength : strength > group[0].strength) ++row[classes_[both]];
          }
      }
    }
  }

  void add_ties_below(std::span<const RankedHand> group) {
    if (group.size() < 2) return;
    Counts above;
    for (std::size_t i = 0; i < kWidth; ++i) above[i] = static_cast<std::uint8_t>(all_[i] - met_[i]);
    for (std::size_t card = 0; card < kMaxCards; ++card)
      for (std::size_t i = 0; i < kWidth; ++i)
        above_with_[card][i] = static_cast<std::uint8_t>(all_with_[card][i] - met_with_[card][i]);
    add_ties(group, above, above_with_, 1);
  }

  HandTable hands_;
  std::vector<std::uint8_t> classes_;                                        // [hands]
  std::array<std::array<std::uint32_t, kMaxCards>, kMaxCards> numbers_{};  // of the hand of two cards
  // On the board at hand.
  std::array<Strength, 1326> strengths_{};                        // [hands]
  std::vector<RankedHand> order_, spare_;                        // ascending
  Counts all_{}, met_{};                                         // hands by class
  ByCard all_with_{}, met_with_{}, above_with_{};                // of these, those that hold a card
  std::array<std::array<std::uint8_t, kSlots>, kMaxCards> slots_with_{};
  std::array<std::uint32_t, 1326> times_{};                      // [hands]: the strength of a hand that was met
  std::array<std::vector<std::uint32_t>, kMaxCards> lists_;      // hands that hold a card, as they were met
  std::vector<Counts> held_;                                     // [group]: others that hold a card of the hand
  Counts pairs_[kClasses];                                       // [better, worse]
  Counts better_with_[kMaxCards][25];                            // [cards, slots of the better, worse]
  std::uint8_t worse_with_[kMaxCards][kClasses][kSlots];         // [cards, better, slots of the worse]
  // Since the last flush.
  Sums beaten_[kClasses][kClasses] = {};                         // [z, better, worse], pairs with a card of z included
  Sums with_better_[kClasses][2][25] = {};                       // [z, rank of z, slots, worse]
  std::uint16_t with_worse_[kClasses][2][kClasses][kSlots] = {};
  Sums ties_[2][kClasses][kClasses] = {};                        // [above, below; lower class; higher class; third]
};

}  // namespace

ClassOrders class_orders(std::uint64_t first, std::uint64_t count) {
  const CanonicalIndex boards({5});
  if (first > boards.size(0) || count > boards.size(0) - first)
    throw std::invalid_argument("there are " + std::to_string(boards.size(0)) + " boards");
  const std::vector<std::uint32_t> zeros(kClasses * kClasses * kClasses);
  ClassOrders sums{zeros, zeros, zeros};
  const auto counter = std::make_unique<OrderCount>();
  std::uint32_t weight = 0;
  std::size_t unflushed = 0;
  for (std::uint64_t index = first; index < first + count; ++index, Lookout::look_now()) {
    std::array<Card, 5> board;
    boards.cards(0, index, board.data());
    const std::uint32_t its_weight = num_renamed(kDeck52, card_set(board));
    if (unflushed == kMostBoards || its_weight != weight) {
      if (unflushed > 0) counter->flush(sums, weight);
      unflushed = 0;
      weight = its_weight;
    }
    counter->count(board);
    ++unflushed;
  }
  if (unflushed > 0) counter->flush(sums, weight);
  return sums;
}

}  // namespace regretless
