// SPDX-License-Identifier: MIT
#include "cards/range_shares.h"

#include <algorithm>
#include <stdexcept>

#include "cards/hands.h"
#include "cards/sweep.h"

namespace regretless {
namespace {

constexpr std::size_t kBoardCards = 5;

class BoardSweep {
 public:
  BoardSweep(Showdown rule, const Deck& deck, const std::array<std::span<const double>, 2>& weights, CardSet dead)
      : rule_(rule), deck_(deck), table_(deck, 2), strengths_(table_.num_hands()) {
    for (std::uint32_t hand = 0; hand < table_.num_hands(); ++hand) {
      if (!table_.possible(hand, dead) || (weights[0][hand] <= 0 && weights[1][hand] <= 0)) continue;
      const auto cards = table_.cards(hand);
      hands_.push_back({hand, {cards[0], cards[1]}, {weights[0][hand], weights[1][hand]}});
    }
    for (RangeShares& each : shares_)
      for (auto* numbers : {&each.wins, &each.ties, &each.meets}) numbers->assign(table_.num_hands(), 0);
    std::array<CardSums, 2> all;
    for (const One& one : hands_)
      for (int p = 0; p < 2; ++p) all[p].add(one.cards.data(), one.weights[p]);
    for (const One& one : hands_)
      for (int p = 0; p < 2; ++p) shares_[p].meets[one.hand] = all[1 - p].apart_from(one.cards.data()) + one.weights[1 - p];
  }

  void add(std::span<const Card> board, double probability) {
    board_strengths(rule_, deck_, board, 2, strengths_.data());
    order_.clear();
    for (std::uint32_t i = 0; i < hands_.size(); ++i)
      if (const Strength strength = strengths_[hands_[i].hand]) order_.push_back({strength, i});
    sort_by_strength(order_, spare_);
    std::array<CardSums, 2> below;
    for (std::size_t first = 0, last = 0; first < order_.size(); first = last) {
      while (last < order_.size() && order_[last].strength == order_[first].strength) ++last;
      std::array<CardSums*, 2> tied{&tied_[0], &tied_[1]};
      for (std::size_t i = first; i < last; ++i) {
        const One& one = hands_[order_[i].hand];
        for (int p = 0; p < 2; ++p) tied[p]->add(one.cards.data(), one.weights[p]);
      }
      for (std::size_t i = first; i < last; ++i) {
        const One& one = hands_[order_[i].hand];
        for (int p = 0; p < 2; ++p) {
          shares_[p].wins[one.hand] += probability * below[1 - p].apart_from(one.cards.data());
          shares_[p].ties[one.hand] += probability * (tied[1 - p]->apart_from(one.cards.data()) + one.weights[1 - p]);
        }
      }
      for (std::size_t i = first; i < last; ++i) {
        const One& one = hands_[order_[i].hand];
        for (int p = 0; p < 2; ++p) {
          below[p].add(one.cards.data(), one.weights[p]);
          for (const Card card : one.cards) tied[p]->by_card[card] = 0;
        }
      }
      for (int p = 0; p < 2; ++p) tied[p]->total = 0;
    }
  }

  std::array<RangeShares, 2> result() && { return std::move(shares_); }

 private:
  struct One {
    std::uint32_t hand;
    std::array<Card, 2> cards;
    std::array<double, 2> weights;
  };
  Showdown rule_;
  Deck deck_;
  HandTable table_;
  std::vector<Strength> strengths_;
  std::vector<One> hands_;
  std::vector<RankedHand> order_, spare_;  // places in hands_, of those that the board leaves
  std::array<CardSums, 2> tied_;
  std::array<RangeShares, 2> shares_;
};

}  // namespace

std::array<RangeShares, 2> range_shares(Showdown rule, const Deck& deck, std::span<const Card> board,
                                        const std::array<std::span<const double>, 2>& weights) {
  if (rule != Showdown::kHoldem && rule != Showdown::kShortDeck) throw std::invalid_argument("only hands of two cards have shares");
  if (board.size() < 3 || board.size() > kBoardCards) throw std::invalid_argument("a board has 3 to 5 cards");
  for (const auto& each : weights)
    if (each.size() != num_hands(deck, 2)) throw std::invalid_argument("weights: one for each hand of two cards");
  const CardSet dead = card_set(board);
  BoardSweep sweep(rule, deck, weights, dead);
  std::vector<Card> cards(board.begin(), board.end()), left;
  for (Card card = 0; card < deck.num_cards(); ++card)
    if ((dead >> card & 1) == 0) left.push_back(card);
  const std::size_t missing = kBoardCards - board.size(), known = left.size() - 4;  // two hands hold four
  if (missing == 0) {
    sweep.add(cards, 1);
  } else {
    cards.resize(kBoardCards);
    const double probability = missing == 1 ? 1.0 / static_cast<double>(known) : 2.0 / static_cast<double>(known * (known - 1));
    for (std::size_t i = 0; i < left.size(); ++i) {
      cards[board.size()] = left[i];
      if (missing == 1) sweep.add(cards, probability);
      for (std::size_t j = 0; missing == 2 && j < i; ++j) {
        cards[board.size() + 1] = left[j];
        sweep.add(cards, probability);
      }
    }
  }
  return std::move(sweep).result();
}

}  // namespace regretless
