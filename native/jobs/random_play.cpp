// SPDX-License-Identifier: MIT
#include "jobs/random_play.h"

#include <algorithm>

#include "threads/lookout.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

void act_at_random(const Poker& game, PokerState& state, Random& random) {
  const Betting& betting = game.betting();
  const bool can_fold = betting.can_fold(state);
  const auto range = betting.raise_range(state);
  const std::uint32_t kind = random.below(1u + can_fold + range.has_value());
  if (kind == 0) return betting.act(state, kCall);
  if (kind == 1 && can_fold) return betting.act(state, kFold);
  betting.act(state, range->min + static_cast<Chips>(random.below(static_cast<std::uint32_t>(range->max - range->min + 1))));
}

template <Game G>
void act_at_random(const G& game, typename G::State& state, Random& random) {
  ActionMask legal = game.legal(state);
  for (std::uint32_t skip = random.below(static_cast<std::uint32_t>(std::popcount(legal))); skip > 0; --skip) legal &= legal - 1;
  game.act(state, std::countr_zero(legal));
}

void add(RandomPlay& totals, const RandomPlay& part) {
  totals.episodes += part.episodes;
  totals.decisions += part.decisions;
  totals.payoffs.resize(std::max(totals.payoffs.size(), part.payoffs.size()));
  for (std::size_t p = 0; p < part.payoffs.size(); ++p) totals.payoffs[p] += part.payoffs[p];
}

// The cards of one episode after the other, dealt as it begins.
template <Game G>
class Cards {
 public:
  explicit Cards(const G& game) : game_(game) {}
  void begin(Random& random) { deal_ = game_.deal(random); }
  const typename G::Deal& deal() const { return deal_; }
  const typename G::Deal& deal_at_end(const typename G::State&) const { return deal_; }

 private:
  const G& game_;
  typename G::Deal deal_{};
};

// Who acts at random looks at no card: they are dealt at the showdown, if there is one. A deal of poker draws one number for each
// card, unless cards or hands are given.
template <>
class Cards<Poker> {
 public:
  explicit Cards(const Poker& game)
      : game_(game),
        is_late_(game.start().board.empty() && game.start().weights.empty()),
        num_draws_(game.num_players() * game.hand_size() + game.num_board_cards()) {}

  void begin(Random& random) {
    before_ = random;
    if (!is_late_) deal_ = game_.deal(random);
    for (int i = 0; is_late_ && i < num_draws_; ++i) random.bits();
  }

  const PokerDeal& deal() const { return deal_; }  // the board is a blank until the end

  const PokerDeal& deal_at_end(const PokerState& state) {
    if (is_late_ && !std::has_single_bit(state.live)) deal_ = game_.deal(before_);
    return deal_;
  }

 private:
  const Poker& game_;
  bool is_late_;
  int num_draws_;
  Random before_{0};
  PokerDeal deal_{};
};

template <Game G>
RandomPlay play(const G& game, std::int64_t first, std::int64_t last, std::uint64_t seed) {
  RandomPlay totals;
  totals.episodes = last - first;
  totals.payoffs.resize(static_cast<std::size_t>(game.num_players()));
  std::array<std::int32_t, kMaxPlayers> payoffs{};
  Cards<G> cards(game);
  for (std::int64_t episode = first; episode < last; ++episode) {
    Random random{seed, static_cast<std::uint64_t>(episode)};
    cards.begin(random);
    auto state = game.root();
    for (Player actor = game.actor(state); actor != kTerminal; actor = game.actor(state)) {
      if (actor == kChance) {
        game.reveal(state, cards.deal());
      } else {
        act_at_random(game, state, random);
        ++totals.decisions;
      }
    }
    game.payoffs(state, cards.deal_at_end(state), payoffs);
    for (Player p = 0; p < game.num_players(); ++p) totals.payoffs[p] += payoffs[p];
  }
  return totals;
}

// Threads take the next piece when they are done with one; whole numbers add up to the same in any order. A signal is heard
// between two rounds.
template <Game G>
RandomPlay play_on_threads(const G& game, std::int64_t episodes, std::uint64_t seed, int threads) {
  constexpr std::int64_t kPiece = 4096;
  const std::int64_t round = 64 * kPiece * threads;
  ThreadPool pool(threads);
  std::vector<RandomPlay> parts(static_cast<std::size_t>(threads));
  for (std::int64_t begin = 0, end = 0; begin < episodes; begin = end) {
    Lookout::look_now();
    end = begin + std::min(round, episodes - begin);
    std::atomic<std::int64_t> next = begin;
    pool.run([&](int t) {
      for (std::int64_t first = next.fetch_add(kPiece); first < end; first = next.fetch_add(kPiece))
        add(parts[t], play(game, first, std::min(first + kPiece, end), seed));
    });
  }
  RandomPlay totals;
  totals.payoffs.resize(static_cast<std::size_t>(game.num_players()));
  for (const RandomPlay& part : parts) add(totals, part);
  return totals;
}

}  // namespace

RandomPlay play_random(const AnyGame& any, std::int64_t episodes, std::uint64_t seed, int threads) {
  return with_game(any, "random play needs episodes",
                   [&]<EpisodeGame G>(std::shared_ptr<const G> game) { return play_on_threads(*game, episodes, seed, threads); });
}

}  // namespace regretless
