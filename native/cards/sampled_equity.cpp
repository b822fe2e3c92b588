// SPDX-License-Identifier: MIT
#include <numeric>

#include "cards/chunks.h"
#include "cards/equity.h"
#include "cards/hands.h"
#include "cards/random.h"

namespace regretless {
namespace {

constexpr std::uint64_t kSamplesPerChunk = 4096;
constexpr int kMostAttempts = 1'000'000;

}  // namespace

SampledEquity::Alias::Alias(const std::vector<double>& weights) : keep(weights.size(), 1.0f), other(weights.size(), 0) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double mean = total / static_cast<double>(weights.size());
  std::vector<double> left;  // [hands], in units of the mean
  std::vector<std::uint32_t> poor, rich;
  for (std::uint32_t i = 0; i < weights.size(); ++i) {
    left.push_back(weights[i] / mean);
    (left[i] < 1 ? poor : rich).push_back(i);
  }
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t taker = poor.back(), giver = rich.back();
    poor.pop_back();
    keep[taker] = static_cast<float>(left[taker]);
    other[taker] = giver;
    left[giver] -= 1 - left[taker];
    if (left[giver] < 1) {
      rich.pop_back();
      poor.push_back(giver);
    }
  }
}

// Draws the hands of players with a range until they share no card, then all other cards from the rest of the deck:
// as every such deal leaves the same number of completions, deals stay in proportion to their weights.
class SampledEquity::Dealer {
 public:
  Dealer(const SampledEquity& equity, Random random) : matchup_(equity.matchup_), aliases_(equity.aliases_), random_(random) {}

  // Writes one deal to rows: [players, hole + board].
  void deal(Card* rows) {
    CardSet used = draw_ranges();
    for (int player = 0; player < matchup_.num_players(); ++player)
      if (matchup_.is_random[player]) hands_[player] = draw_cards(matchup_.num_hole, used);
    const CardSet board = matchup_.board | draw_cards(matchup_.num_missing(), used);
    for (int player = 0; player < matchup_.num_players(); ++player) rows = write_cards(board, write_cards(hands_[player], rows));
  }

 private:
  CardSet draw_ranges() {
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      CardSet used = ~matchup_.available;
      int player = 0;
      for (; player < matchup_.num_players(); ++player) {
        if (matchup_.is_random[player]) continue;
        hands_[player] = matchup_.players[player].hands[draw_hand(aliases_[player])];
        if ((hands_[player] & used) != 0) break;
        used |= hands_[player];
      }
      if (player == matchup_.num_players()) return used;
    }
    throw std::invalid_argument("almost all deals are impossible: the players' hands share cards");
  }

  std::uint32_t draw_hand(const Alias& alias) {
    if (alias.keep.size() == 1) return 0;
    const std::uint32_t hand = random_.below(static_cast<std::uint32_t>(alias.keep.size()));
    const bool kept = alias.keep[hand] == 1.0f || random_.uniform() < alias.keep[hand];
    return kept ? hand : alias.other[hand];
  }

  CardSet draw_cards(int count, CardSet& used) {
    const auto num_cards = static_cast<std::uint32_t>(matchup_.deck.num_cards());
    CardSet drawn = 0;
    while (count > 0) {
      const CardSet card = bit(static_cast<Card>(random_.below(num_cards)));
      if ((card & used) != 0) continue;
      used |= card;
      drawn |= card;
      --count;
    }
    return drawn;
  }

  const Matchup& matchup_;
  const std::vector<Alias>& aliases_;
  Random random_;
  std::array<CardSet, kMaxMatched> hands_{};
};

SampledEquity::SampledEquity(Matchup matchup, std::uint64_t samples, std::uint64_t seed)
    : matchup_(std::move(matchup)),
      samples_(samples),
      seed_(seed),
      num_chunks_(static_cast<std::int64_t>((samples + kSamplesPerChunk - 1) / kSamplesPerChunk)),
      outcomes_(std::size_t{1} << matchup_.num_players()) {
  if (samples == 0) throw std::invalid_argument("at least one sample is needed");
  if (samples > std::uint64_t{1} << 48) throw std::invalid_argument("samples: at most 2^48");
  for (int player = 0; player < matchup_.num_players(); ++player)
    aliases_.emplace_back(matchup_.is_random[player] ? std::vector<double>{} : matchup_.players[player].weights);
}

void SampledEquity::run(std::int64_t chunks, int threads) {
  check_chunks(chunks, threads);
  const auto num_players = static_cast<std::size_t>(matchup_.num_players());
  const std::size_t width = static_cast<std::size_t>(matchup_.num_hole) + kMaxBoardCards;
  const auto run_chunk = [&](std::int64_t chunk) {
    const auto first = static_cast<std::uint64_t>(chunk) * kSamplesPerChunk;
    const std::size_t count = std::min(kSamplesPerChunk, samples_ - first);
    std::vector<Card> rows(count * num_players * width);  // [samples, players, hole + board]
    std::vector<Strength> judged(count * num_players);    // [samples, players]
    Dealer dealer(*this, Random{seed_, static_cast<std::uint64_t>(chunk)});
    for (std::size_t i = 0; i < count; ++i) dealer.deal(&rows[i * num_players * width]);
    strengths(matchup_.rule, matchup_.deck, rows.data(), judged.size(), matchup_.num_hole, kMaxBoardCards, judged.data());
    Outcomes outcomes(outcomes_.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Strength* own = &judged[i * num_players];
      const Strength best = *std::max_element(own, own + num_players);
      std::size_t winners = 0;
      for (std::size_t player = 0; player < num_players; ++player) winners |= std::size_t{own[player] == best} << player;
      outcomes[winners] += 1;
    }
    return outcomes;
  };
  sum_chunks(done_, std::min(chunks, num_chunks_ - done_), threads, run_chunk, outcomes_);
}

Equity SampledEquity::result() const {
  const std::uint64_t drawn = static_cast<std::uint64_t>(done_) * kSamplesPerChunk;
  return summarize(outcomes_, matchup_.num_players(), std::min(samples_, drawn));
}

}  // namespace regretless
