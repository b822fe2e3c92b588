// SPDX-License-Identifier: MIT
#include <cmath>
#include <utility>

#include "cards/chunks.h"
#include "cards/equity.h"
#include "cards/hands.h"
#include "cards/sweep.h"

namespace regretless {
namespace {

constexpr std::size_t kMostSymmetricHands = 20'000;  // beyond, finding symmetries costs too much
constexpr double kChunkEvaluations = 1 << 26;
constexpr std::int64_t kMostBoardsPerChunk = 8192;
constexpr std::size_t kRowsPerBlock = 1024;
constexpr double kSweepCost = 8;  // of a hand in a sweep, in comparisons of two hands
constexpr double kRowCost = 4;    // of judging one hand of a list, in hands of a whole board

double weight_of(const WeightedHands& player, CardSet hand) {
  const auto place = std::ranges::lower_bound(player.hands, hand);
  if (place == player.hands.end() || *place != hand) return 0;
  return player.weights[static_cast<std::size_t>(place - player.hands.begin())];
}

bool is_symmetric(const WeightedHands& player, const SuitPermutation& permutation) {
  for (std::size_t i = 0; i < player.hands.size(); ++i) {
    const CardSet renamed = rename_suits(player.hands[i], permutation);
    if (weight_of(player, renamed) != player.weights[i]) return false;
  }
  return true;
}

bool is_symmetric(const Matchup& matchup, const SuitPermutation& permutation) {
  return rename_suits(matchup.board, permutation) == matchup.board &&
         rename_suits(matchup.available, permutation) == matchup.available &&
         std::ranges::all_of(matchup.players, [&](const WeightedHands& player) { return is_symmetric(player, permutation); });
}

// The number of boards that this one stands for: 0 unless it is the lowest of those that the symmetries make of it.
int multiplicity(CardSet board, const std::vector<SuitPermutation>& symmetries) {
  int unchanged = 1;
  for (const SuitPermutation& permutation : symmetries) {
    const CardSet renamed = rename_suits(board, permutation);
    if (renamed < board) return 0;
    unchanged += renamed == board;
  }
  return static_cast<int>(symmetries.size() + 1) / unchanged;
}

// The k-subsets of a list of cards in colex order.
class BoardWalk {
 public:
  BoardWalk(const std::vector<Card>& cards, int k, std::uint32_t index) : cards_(cards), k_(k) {
    CardSet places = subset_at(index, k);
    for (int i = 0; i < k; ++i, places &= places - 1) places_[i] = std::countr_zero(places);
  }

  CardSet board() const {
    CardSet board = 0;
    for (int i = 0; i < k_; ++i) board |= bit(cards_[places_[i]]);
    return board;
  }

  void next() {
    int i = 0;
    while (i + 1 < k_ && places_[i] + 1 == places_[i + 1]) {
      places_[i] = i;
      ++i;
    }
    ++places_[i];
  }

 private:
  const std::vector<Card>& cards_;
  int k_;
  std::array<int, kMaxBoardCards> places_{};
};

}  // namespace

// Judges the hands on one board after the other and adds up who wins.
class ExactEquity::Worker {
 public:
  explicit Worker(const ExactEquity& equity)
      : equity_(equity), matchup_(equity.matchup_), strengths_(equity.hands_.size()), outcomes_(equity.outcomes_.size()) {}

  void add(CardSet board, double weight) {
    BoardCards board_cards;
    write_cards(board, board_cards.data());
    if (equity_.judges_all_) {
      judge_all(board_cards);
      settle(board, weight);
    } else {
      add_rows(board_cards, board);
      boards_.push_back({board, weight, row_hands_.size()});
      if (row_hands_.size() >= kRowsPerBlock) judge_rows();
    }
  }

  Outcomes finish() {
    judge_rows();
    return std::move(outcomes_);
  }

 private:
  using BoardCards = std::array<Card, kMaxBoardCards>;
  struct Board {
    CardSet cards;
    double weight;
    std::size_t rows_end;
  };

  void judge_all(const BoardCards& board_cards) {
    row_strengths_.resize(num_hands(matchup_.deck, matchup_.num_hole));
    board_strengths(matchup_.rule, matchup_.deck, board_cards, matchup_.num_hole, row_strengths_.data());
    for (std::size_t hand = 0; hand < strengths_.size(); ++hand) strengths_[hand] = row_strengths_[equity_.indices_[hand]];
  }

  void add_rows(const BoardCards& board_cards, CardSet board) {
    const auto num_hole = static_cast<std::size_t>(matchup_.num_hole);
    const std::size_t width = num_hole + kMaxBoardCards;
    rows_.resize((row_hands_.size() + equity_.hands_.size()) * width);
    Card* row = rows_.data() + row_hands_.size() * width;
    for (std::uint32_t hand = 0; hand < equity_.hands_.size(); ++hand) {
      if (share_card(equity_.hands_[hand], board)) continue;
      row = std::copy_n(&equity_.cards_[hand * num_hole], num_hole, row);
      row = std::copy_n(board_cards.data(), kMaxBoardCards, row);
      row_hands_.push_back(hand);
    }
  }

  void judge_rows() {
    row_strengths_.resize(row_hands_.size());
    strengths(matchup_.rule, matchup_.deck, rows_.data(), row_hands_.size(), matchup_.num_hole, kMaxBoardCards,
              row_strengths_.data());
    std::size_t row = 0;
    for (const Board& board : boards_) {
      for (; row < board.rows_end; ++row) strengths_[row_hands_[row]] = row_strengths_[row];
      settle(board.cards, board.weight);
    }
    row_hands_.clear();
    boards_.clear();
  }

  void settle(CardSet board, double weight) {
    if (!equity_.sweeps_) return deal(0, board, weight, 0, 0);
    sweep_.entries.clear();
    for (std::uint32_t hand = 0; hand < strengths_.size(); ++hand)
      if (!share_card(equity_.hands_[hand], board)) sweep_.entries.push_back({strengths_[hand], hand});
    const Sweep::Weights weights = sweep_.compare(equity_.cards_, equity_.weights_[0], equity_.weights_[1]);
    outcomes_[1] += weight * weights.first_wins;
    outcomes_[2] += weight * weights.second_wins;
    outcomes_[3] += weight * weights.ties;
  }

  // Every deal to the players from this one on, given the cards used and the best strength so far.
  void deal(int player, CardSet used, double weight, Strength best, std::uint32_t winners) {
    const Holding& holding = equity_.holdings_[player];
    const bool is_last = player + 1 == matchup_.num_players();
    for (std::size_t i = 0; i < holding.hands.size(); ++i) {
      if (share_card(holding.sets[i], used)) continue;
      const Strength own = strengths_[holding.hands[i]];
      const std::uint32_t kept = own > best ? 0 : winners;
      const std::uint32_t now = own >= best ? kept | 1u << player : kept;
      const double product = weight * holding.weights[i];
      if (is_last) {
        outcomes_[now] += product;
      } else {
        deal(player + 1, used | holding.sets[i], product, std::max(own, best), now);
      }
    }
  }

  const ExactEquity& equity_;
  const Matchup& matchup_;
  std::vector<Board> boards_;             // not judged yet
  std::vector<Card> rows_;                // [rows, hole + board], the hands possible on those boards
  std::vector<std::uint32_t> row_hands_;  // [rows]
  std::vector<Strength> row_strengths_;   // [rows]
  std::vector<Strength> strengths_;       // [hands], on the board being settled
  Sweep sweep_;
  Outcomes outcomes_;
};

ExactEquity::ExactEquity(Matchup matchup) : matchup_(std::move(matchup)), outcomes_(std::size_t{1} << matchup_.num_players()) {
  find_symmetries();
  CardSet open = matchup_.available;
  double hands = 0, deals = 1;
  for (const WeightedHands& player : matchup_.players) {
    if (player.hands.size() == 1) open &= ~player.hands[0];
    hands += static_cast<double>(player.hands.size());
    deals *= static_cast<double>(player.hands.size());
  }
  open_.resize(static_cast<std::size_t>(std::popcount(open)));
  write_cards(open, open_.data());
  num_boards_ = choose(static_cast<int>(open_.size()), matchup_.num_missing());

  sweeps_ = matchup_.num_players() == 2 && matchup_.num_hole == 2 && deals > kSweepCost * hands;
  judges_all_ = kRowCost * hands > num_hands(matchup_.deck, matchup_.num_hole);
  const double per_board = sweeps_ ? hands : std::max(hands, deals);
  const double classes = static_cast<double>(symmetries_.size() + 1);
  num_evaluations_ = std::ceil(static_cast<double>(num_boards_) / classes) * per_board;
  const double fitting = std::max(1.0, kChunkEvaluations / per_board);
  boards_per_chunk_ = std::min(static_cast<std::int64_t>(fitting), kMostBoardsPerChunk);
  num_chunks_ = (num_boards_ + boards_per_chunk_ - 1) / boards_per_chunk_;
}

void ExactEquity::find_symmetries() {
  for (const WeightedHands& player : matchup_.players)
    if (player.hands.size() > kMostSymmetricHands) return;
  for (std::size_t i = 1; i < kSuitPermutations.size(); ++i)
    if (is_symmetric(matchup_, kSuitPermutations[i])) symmetries_.push_back(kSuitPermutations[i]);
}

void ExactEquity::collect_hands() {
  for (const WeightedHands& player : matchup_.players) hands_.insert(hands_.end(), player.hands.begin(), player.hands.end());
  std::ranges::sort(hands_);
  hands_.erase(std::unique(hands_.begin(), hands_.end()), hands_.end());
  for (CardSet hand : hands_) {
    indices_.push_back(subset_index(hand));
    for (; hand != 0; hand &= hand - 1) cards_.push_back(static_cast<Card>(std::countr_zero(hand)));
  }
  for (const WeightedHands& player : matchup_.players) {
    Holding holding{{}, player.hands, player.weights};
    std::vector<double> weights(hands_.size());
    for (std::size_t i = 0; i < player.hands.size(); ++i) {
      const auto hand = std::ranges::lower_bound(hands_, player.hands[i]) - hands_.begin();
      holding.hands.push_back(static_cast<std::uint32_t>(hand));
      weights[hand] = player.weights[i];
    }
    holdings_.push_back(std::move(holding));
    weights_.push_back(std::move(weights));
  }
}

void ExactEquity::run(std::int64_t chunks, int threads) {
  check_chunks(chunks, threads);
  if (hands_.empty()) collect_hands();
  const auto run_chunk = [&](std::int64_t chunk) {
    const std::int64_t begin = chunk * boards_per_chunk_;
    const std::int64_t end = std::min(begin + boards_per_chunk_, num_boards_);
    Worker worker(*this);
    BoardWalk walk(open_, matchup_.num_missing(), static_cast<std::uint32_t>(begin));
    for (std::int64_t index = begin; index < end; ++index, walk.next()) {
      const CardSet rest = walk.board();
      const int boards = multiplicity(rest, symmetries_);
      if (boards > 0) worker.add(matchup_.board | rest, boards);
    }
    return worker.finish();
  };
  sum_chunks(done_, std::min(chunks, num_chunks_ - done_), threads, run_chunk, outcomes_);
}

}  // namespace regretless
