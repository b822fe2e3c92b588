// SPDX-License-Identifier: MIT
// Features that distinguish hands before the river: equities on the boards to come against a hand drawn at random. Boards that a
// renaming of suits turns into each other are met once, and hands on them by their canonical index.
#pragma once
#include "cards/board_scores.h"
#include "cards/canonical.h"

namespace regretless {

enum class FeatureKind : std::uint8_t {
  kEhs,        // the mean equity
  kEhs2,       // the mean of its square
  kHistogram,  // how often the equity is below 1/25, 2/25, ... 24/25
};

// One row for each hand on some boards, those that differ by suits alone once.
struct FeatureRows {
  std::vector<std::uint32_t> indices;  // [rows], canonical, of hole cards and board
  std::vector<std::uint32_t> classes;  // [rows], canonical, of the hole cards
  std::vector<std::uint32_t> weights;  // [rows]: deals that the row stands for
  std::vector<float> equities;         // [rows], mean
  std::vector<float> features;         // [rows, width]
};

class EquityFeatures {
 public:
  static constexpr int kBins = 25;

  // Boards of 3 or 4 cards; throws std::invalid_argument.
  EquityFeatures(Showdown rule, const Deck& deck, int num_board, FeatureKind kind);

  int width() const { return kind_ == FeatureKind::kHistogram ? kBins - 1 : 1; }
  std::int64_t num_boards() const { return static_cast<std::int64_t>(boards_.size(0)); }  // up to suits
  std::uint64_t num_deals() const { return deals_.size(1); }                              // hands with boards, up to suits

  // The rows of these boards, by number, in that order. Throws std::out_of_range.
  FeatureRows rows(std::span<const std::int64_t> boards, int threads) const;

 private:
  void add_board(std::int64_t board, FeatureRows& out) const;

  BoardScores scores_;
  FeatureKind kind_;
  CanonicalIndex boards_, deals_;
  std::vector<std::uint32_t> classes_;  // [hands]
  std::vector<std::uint8_t> bins_;      // [scores]
};

// The number of deals of two cards and a full board with each score, [most + 1], over the boards from first on, counted up to
// suits.
class ScoreCounts {
 public:
  ScoreCounts(Showdown rule, const Deck& deck);

  int most() const { return scores_.most(); }
  std::int64_t num_boards() const { return static_cast<std::int64_t>(boards_.size(0)); }
  std::vector<std::int64_t> count(std::int64_t first, std::int64_t last, int threads) const;

 private:
  BoardScores scores_;
  CanonicalIndex boards_;
};

}  // namespace regretless
