// SPDX-License-Identifier: MIT
#include "cards/equity_features.h"

#include <string>

#include "cards/chunks.h"
#include "cards/suits.h"

namespace regretless {
namespace {

// Sums for one hand over the boards to come.
struct Tally {
  std::uint32_t boards = 0, sum = 0;
  std::uint64_t squares = 0;
  std::array<std::uint16_t, EquityFeatures::kBins> bins{};
};

void write_features(FeatureKind kind, const Tally& tally, double most, float* out) {
  const double boards = tally.boards;
  if (kind == FeatureKind::kEhs) *out = static_cast<float>(tally.sum / (boards * most));
  if (kind == FeatureKind::kEhs2) *out = static_cast<float>(static_cast<double>(tally.squares) / (boards * most * most));
  if (kind != FeatureKind::kHistogram) return;
  std::uint32_t below = 0;
  for (int bin = 0; bin + 1 < EquityFeatures::kBins; ++bin) {
    below += tally.bins[bin];
    out[bin] = static_cast<float>(below / boards);
  }
}

template <class T>
void append(std::vector<T>& out, const std::vector<T>& more) {
  out.insert(out.end(), more.begin(), more.end());
}

}  // namespace

EquityFeatures::EquityFeatures(Showdown rule, const Deck& deck, int num_board, FeatureKind kind)
    : scores_(rule, deck),
      kind_(kind),
      boards_({num_board == 3 ? 3 : 4}, deck),
      deals_({2, num_board == 3 ? 3 : 4}, deck),
      classes_(scores_.hands().num_hands()),
      bins_(static_cast<std::size_t>(scores_.most()) + 1) {
  if (num_board != 3 && num_board != 4) throw std::invalid_argument("num_board: must be 3 or 4");
  for (std::uint32_t hand = 0; hand < classes_.size(); ++hand)
    classes_[hand] = static_cast<std::uint32_t>(deals_.index(scores_.hands().cards(hand)));
  for (std::size_t score = 0; score < bins_.size(); ++score)
    bins_[score] = static_cast<std::uint8_t>(std::min<std::size_t>(score * kBins / (bins_.size() - 1), kBins - 1));
}

FeatureRows EquityFeatures::rows(std::span<const std::int64_t> boards, int threads) const {
  for (const std::int64_t board : boards)
    if (board < 0 || board >= num_boards()) throw std::out_of_range("there is no board " + std::to_string(board));
  check_chunks(static_cast<std::int64_t>(boards.size()), threads);
  std::vector<FeatureRows> parts(boards.size());
  for_each_chunk(static_cast<std::int64_t>(boards.size()), threads, [&](std::int64_t i) { add_board(boards[i], parts[i]); });
  FeatureRows all;
  for (const FeatureRows& part : parts) {
    append(all.indices, part.indices);
    append(all.classes, part.classes);
    append(all.weights, part.weights);
    append(all.equities, part.equities);
    append(all.features, part.features);
  }
  return all;
}

void EquityFeatures::add_board(std::int64_t number, FeatureRows& out) const {
  const Deck& deck = scores_.deck();
  const HandTable& hands = scores_.hands();
  const int num_board = boards_.num_cards(0), due = BoardScores::kNumBoard - num_board;
  std::array<Card, BoardScores::kNumBoard> board{};
  boards_.cards(0, static_cast<std::uint64_t>(number), board.data());
  const CardSet dealt = card_set({board.data(), static_cast<std::size_t>(num_board)});

  std::vector<Tally> tallies(hands.num_hands());
  std::vector<BoardScores::Score> scores(hands.num_hands());
  for (std::uint32_t runout = 0; runout < choose(deck.num_cards(), due); ++runout) {
    const CardSet rest = subset_at(runout, due);
    if (share_card(rest, dealt)) continue;
    write_cards(rest, board.data() + num_board);
    scores_.all(board, scores.data());
    for (std::uint32_t hand = 0; hand < hands.num_hands(); ++hand) {
      const std::uint32_t score = scores[hand];
      if (score == BoardScores::kBlocked) continue;
      Tally& tally = tallies[hand];
      ++tally.boards;
      tally.sum += score;
      tally.squares += std::uint64_t{score} * score;
      ++tally.bins[bins_[score]];
    }
  }

  // Hands that a renaming which leaves the board as it is turns into each other are one row.
  const std::uint32_t renamed = num_renamed(deck, dealt);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;  // index, hand
  std::array<Card, 2 + BoardScores::kNumBoard> cards{};
  std::copy_n(board.begin(), num_board, cards.begin() + 2);
  for (std::uint32_t hand = 0; hand < hands.num_hands(); ++hand) {
    if (!hands.possible(hand, dealt)) continue;
    std::copy_n(hands.cards(hand).data(), 2, cards.begin());
    const auto index = deals_.index({cards.data(), static_cast<std::size_t>(2 + num_board)});
    found.push_back({static_cast<std::uint32_t>(index), hand});
  }
  std::ranges::sort(found);
  for (std::size_t begin = 0, end = 0; begin < found.size(); begin = end) {
    while (end < found.size() && found[end].first == found[begin].first) ++end;
    const std::uint32_t hand = found[begin].second;
    const Tally& tally = tallies[hand];
    out.indices.push_back(found[begin].first);
    out.classes.push_back(classes_[hand]);
    out.weights.push_back(renamed * static_cast<std::uint32_t>(end - begin));
    out.equities.push_back(static_cast<float>(tally.sum / (static_cast<double>(tally.boards) * scores_.most())));
    out.features.resize(out.features.size() + static_cast<std::size_t>(width()));
    write_features(kind_, tally, scores_.most(), out.features.data() + out.features.size() - width());
  }
}

ScoreCounts::ScoreCounts(Showdown rule, const Deck& deck) : scores_(rule, deck), boards_({BoardScores::kNumBoard}, deck) {}

std::vector<std::int64_t> ScoreCounts::count(std::int64_t first, std::int64_t last, int threads) const {
  if (first < 0 || last < first || last > num_boards()) throw std::out_of_range("there are no such boards");
  constexpr std::int64_t kBoardsPerChunk = 256;
  const std::int64_t chunks = (last - first + kBoardsPerChunk - 1) / kBoardsPerChunk;
  check_chunks(chunks, threads);
  const auto size = static_cast<std::size_t>(most()) + 1;
  std::vector<std::vector<std::int64_t>> parts(static_cast<std::size_t>(chunks));
  for_each_chunk(chunks, threads, [&](std::int64_t chunk) {
    parts[chunk].resize(size);
    std::vector<BoardScores::Score> scores(scores_.hands().num_hands());
    std::array<Card, BoardScores::kNumBoard> board;
    const std::int64_t begin = first + chunk * kBoardsPerChunk, end = std::min(last, begin + kBoardsPerChunk);
    for (std::int64_t number = begin; number < end; ++number) {
      boards_.cards(0, static_cast<std::uint64_t>(number), board.data());
      scores_.all(board, scores.data());
      const std::uint32_t renamed = num_renamed(scores_.deck(), card_set(board));
      for (const BoardScores::Score score : scores)
        if (score != BoardScores::kBlocked) parts[chunk][score] += renamed;
    }
  });
  std::vector<std::int64_t> counts(size);
  for (const auto& part : parts) std::ranges::transform(counts, part, counts.begin(), std::plus<>{});
  return counts;
}

}  // namespace regretless
