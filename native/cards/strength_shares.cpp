// SPDX-License-Identifier: MIT
#include "cards/strength_shares.h"

#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

#include "cards/best_five_block.h"
#include "cards/random.h"

namespace regretless {
namespace {

constexpr int kOmahaSamples = 1 << 15;
constexpr int kNumSuits = 4;

Strength best_of(Showdown rule, int num_cards, SuitRanks hand) {
  return with_kernel(rule, num_cards, [&]<int kCards, bool kShort> { return best_five<kCards, kShort>(hand); });
}

SuitRanks card_of(const Deck& deck, int rank, int suit) { return suit_ranks(deck, deck.card(rank, suit)); }

// Visits every way to hold num_cards cards as a number of cards of each rank.
template <class Visit>
void for_each_multiset(std::array<int, 13>& counts, int num_ranks, int rank, int left, const Visit& visit) {
  if (rank == num_ranks) {
    if (left == 0) visit(counts);
    return;
  }
  for (int count = 0; count <= std::min(left, kNumSuits); ++count) {
    counts[rank] = count;
    for_each_multiset(counts, num_ranks, rank + 1, left - count, visit);
  }
}

// The ways to choose suits for these ranks so that no suit has five cards. At most one suit can have them: by suit and
// by how many cards it has, each rank of c cards holds the suit in C(3, c - 1) ways and does without in C(3, c).
double num_suitings_without_flush(const std::array<int, 13>& counts, int num_ranks) {
  double all = 1;
  std::array<double, 8> in_suit{1};  // [cards of one suit]
  for (int rank = 0; rank < num_ranks; ++rank) {
    const int count = counts[rank];
    all *= choose(kNumSuits, count);
    for (int held = 7; held >= 0; --held) {
      const double with = count > 0 && held > 0 ? in_suit[held - 1] * choose(kNumSuits - 1, count - 1) : 0;
      in_suit[held] = in_suit[held] * choose(kNumSuits - 1, count) + with;
    }
  }
  return all - kNumSuits * (in_suit[5] + in_suit[6] + in_suit[7]);
}

// Cards of these ranks, suited so that no suit has more than two.
SuitRanks without_flush(const Deck& deck, const std::array<int, 13>& counts) {
  SuitRanks hand = 0;
  for (int rank = 0, dealt = 0; rank < deck.num_ranks; ++rank)
    for (int i = 0; i < counts[rank]; ++i) hand |= card_of(deck, rank, dealt++ % kNumSuits);
  return hand;
}

}  // namespace

std::vector<StrengthShares::Count> StrengthShares::count_best_five(Showdown rule, const Deck& deck, int num_cards) {
  std::vector<Count> found;
  std::array<int, 13> counts{};
  for_each_multiset(counts, deck.num_ranks, 0, num_cards, [&](const std::array<int, 13>& ranks) {
    const double hands = num_suitings_without_flush(ranks, deck.num_ranks);
    if (hands > 0) found.push_back({best_of(rule, num_cards, without_flush(deck, ranks)), hands});
  });
  // Five cards of a suit leave no room for anything better than the flush: the others may be any cards.
  for (int suited = 5; suited <= num_cards; ++suited)
    for (std::uint32_t i = 0; i < choose(deck.num_ranks, suited); ++i) {
      SuitRanks hand = 0;
      const CardSet ranks = subset_at(i, suited);
      for (CardSet rest = ranks; rest != 0; rest &= rest - 1) hand |= card_of(deck, std::countr_zero(rest), 0);
      for (int other = suited; other < num_cards; ++other) hand |= card_of(deck, std::countr_zero(ranks), 1 + other - suited);
      const double others = choose((kNumSuits - 1) * deck.num_ranks, num_cards - suited);
      found.push_back({best_of(rule, num_cards, hand), kNumSuits * others});
    }
  return found;
}

std::vector<StrengthShares::Count> StrengthShares::sample_omaha(const Deck& deck, int num_hole, int num_board) {
  std::vector<Count> found;
  std::array<Card, kMaxCards> cards;
  std::iota(cards.begin(), cards.end(), Card{0});
  Random random{static_cast<std::uint64_t>(num_hole), static_cast<std::uint64_t>(num_board)};
  for (int sample = 0; sample < kOmahaSamples; ++sample) {
    for (int i = 0; i < num_hole + num_board; ++i)
      std::swap(cards[i], cards[i + static_cast<int>(random.below(static_cast<std::uint32_t>(deck.num_cards() - i)))]);
    const std::span<const Card> hole{cards.data(), static_cast<std::size_t>(num_hole)};
    const std::span<const Card> board{cards.data() + num_hole, static_cast<std::size_t>(num_board)};
    found.push_back({strength(Showdown::kOmaha, deck, hole, board), 1});
  }
  return found;
}

StrengthShares::StrengthShares(Showdown rule, const Deck& deck, int num_hole, int num_board) {
  std::vector<Count> counts =
      rule == Showdown::kOmaha ? sample_omaha(deck, num_hole, num_board) : count_best_five(rule, deck, num_hole + num_board);
  std::ranges::sort(counts, {}, &Count::strength);
  double total = 0;
  for (const auto& [strength, hands] : counts) {
    if (strengths_.empty() || strengths_.back() != strength) {
      strengths_.push_back(strength);
      below_.push_back(total);
    }
    total += hands;
  }
  below_.push_back(total);
  for (std::size_t i = 0; i < strengths_.size(); ++i) shares_.push_back(share_at(i, true));
  for (std::size_t last = kBlock - 1; last < strengths_.size(); last += kBlock) lasts_.push_back(strengths_[last]);
}

// Counted and not searched: a search by halves takes a branch that any hand misleads, or waits for each number it compares.
std::size_t StrengthShares::place(Strength strength) const {
  const auto weaker = [&](const Strength* first, std::size_t size) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < size; ++i) count += first[i] < strength;
    return std::size_t{count};
  };
  const std::size_t before = kBlock * weaker(lasts_.data(), lasts_.size());
  return before + weaker(strengths_.data() + before, std::min(kBlock, strengths_.size() - before));
}

float StrengthShares::share_at(std::size_t place, bool found) const {
  return static_cast<float>((below_[place] + below_[place + found]) / (2 * below_.back()));
}

float StrengthShares::share(Strength strength) const {
  const std::size_t at = place(strength);
  const bool found = at < strengths_.size() && strengths_[at] == strength;
  return found ? shares_[at] : share_at(at, false);
}

Strength StrengthShares::least_strength(float wanted) const {
  const auto found = std::ranges::partition_point(strengths_, [&](Strength each) { return share(each) < wanted; });
  return found != strengths_.end() ? *found : ~Strength{0};
}

std::shared_ptr<const StrengthShares> strength_shares(Showdown rule, const Deck& deck, int num_hole, int num_board) {
  using Question = std::tuple<Showdown, Deck, int, int>;
  static std::mutex mutex;
  static std::map<Question, std::shared_ptr<const StrengthShares>> made;
  const std::lock_guard lock(mutex);
  auto& shares = made[{rule, deck, num_hole, num_board}];
  if (!shares) shares = std::make_shared<StrengthShares>(rule, deck, num_hole, num_board);
  return shares;
}

}  // namespace regretless
