// SPDX-License-Identifier: MIT
#include "jobs/bot_match.h"

#include "jobs/style_counts.h"
#include "threads/lookout.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

constexpr auto kAlike = [] {
  std::array<float, kMaxActions> ones{};
  ones.fill(1);
  return ones;
}();

// The cards of a deal, judged once for all its copies.
template <Game G>
struct Judged {
  typename G::Deal deal;
  std::array<float, kMaxPlayers> shares;  // of the street below, by seat; less than 0: not yet judged
  void forget() { shares.fill(-1); }
};
template <>
struct Judged<Poker> {
  PokerDeal deal;
  std::array<std::array<float, kMaxPlayers>, kMaxBoardCards + 1> shares;  // [board cards, seats]; less than 0: not yet judged
  std::array<Strength, kMaxPlayers> strengths;  // [seats] at the end; 0: not yet judged
  void forget() {
    for (auto& row : shares) row.fill(-1);
    strengths.fill(0);
  }
};

template <Game G>
class BotPlay {
 public:
  BotPlay(const G& game, const BotMatchOptions& options) : game_(game), options_(options), players_(game.num_players()) {
    for (const BotRule& rule : options.rules) {
      draws_ |= rule.at_random;
      if (rule.looks() && !strengths_) strengths_.emplace(game);
    }
  }

  // One deal in all its copies; payoffs [copies, players].
  void play(std::int64_t deal, StyleTally& styles, std::int32_t* payoffs) {
    Random deck{options_.seed, static_cast<std::uint64_t>(deal)};
    judged_.deal = game_.deal(deck);
    judged_.forget();
    for (int copy = 0; copy < players_; ++copy, payoffs += players_) {
      const std::int64_t episode = deal * players_ + copy;
      typename G::State state = game_.root();
      Random random = draws_ ? Random{options_.seed, static_cast<std::uint64_t>(episode), 1} : Random{0};
      for (Player actor = game_.actor(state); actor != kTerminal; actor = game_.actor(state)) {
        if (actor == kChance)
          game_.reveal(state, judged_.deal);
        else
          decide(state, actor, episode, random, styles);
      }
      pay(state, {payoffs, static_cast<std::size_t>(players_)});
      styles.end(episode, payoffs);
    }
  }

 private:
  // As many random numbers are drawn as for the answer of a policy.
  void decide(typename G::State& state, Player seat, std::int64_t episode, Random& random, StyleTally& styles) {
    const BotRule& rule = options_.rules[static_cast<std::size_t>(seat + episode) % options_.rules.size()];
    const float strength = rule.looks() ? share(state, seat) : 0;
    if (draws_ && !rule.at_random) random.bits();
    const auto choose = [&](ActionMask legal, Chips to_call, Chips pot) {
      if (rule.at_random) return sample_slot(legal, kAlike.data(), static_cast<float>(std::popcount(legal)), random);
      return rule.slot(legal, game_.num_actions(), strength, to_call, pot);
    };
    if constexpr (std::is_same_v<G, Poker>) {
      const Betting& betting = game_.betting();
      const Chips to_call = betting.to_call(state);
      const bool can_fold = betting.can_fold(state);
      // Raises, and whether a call is on the menu, are looked up only for those who may want them.
      const bool is_plain = !rule.at_random && game_.menu().limp && !rule.raises(strength, to_call);
      const Offer offer = is_plain ? plain_offer(can_fold) : game_.offer(state);
      const int slot = choose(offer.legal, to_call, rule.calls_by_odds ? betting.pot(state) : 0);
      styles.note(episode, seat, slot, state.street, can_fold);
      betting.act(state, offer.actions[static_cast<std::size_t>(slot)]);
    } else {
      game_.act(state, choose(game_.legal(state), 0, 0));
    }
  }

  static Offer plain_offer(bool can_fold) {
    Offer offer;
    offer.legal = ActionMask{1} << kCallSlot | ActionMask{can_fold} << kFoldSlot;
    offer.actions[kCallSlot] = kCall;
    offer.actions[kFoldSlot] = kFold;
    return offer;
  }

  float share(const typename G::State& state, Player seat) {
    float* kept = nullptr;
    if constexpr (std::is_same_v<G, Poker>)
      kept = &judged_.shares[state.num_board][static_cast<std::size_t>(seat)];
    else
      kept = &judged_.shares[static_cast<std::size_t>(seat)];
    if (*kept < 0) *kept = (*strengths_)(state, judged_.deal, seat);
    return *kept;
  }

  void pay(const typename G::State& state, std::span<std::int32_t> payoffs) {
    if constexpr (std::is_same_v<G, Poker>) {
      if (!std::has_single_bit(state.live))
        for (unsigned rest = state.live; rest != 0; rest &= rest - 1) {
          Strength& kept = judged_.strengths[static_cast<std::size_t>(std::countr_zero(rest))];
          if (kept == 0) kept = game_.strength(judged_.deal, std::countr_zero(rest));
        }
      game_.betting().settle(state, judged_.strengths.data(), payoffs.data());
    } else {
      game_.payoffs(state, judged_.deal, payoffs);
    }
  }

  const G& game_;
  const BotMatchOptions& options_;
  std::optional<HandStrengths<G>> strengths_;  // where somebody looks
  int players_;
  bool draws_ = false;  // somebody plays at random
  Judged<G> judged_;
};

template <Game G>
void validate(const G& game, const BotMatchOptions& options) {
  if (options.rules.size() != static_cast<std::size_t>(game.num_players()))
    throw std::invalid_argument("bots: " + std::to_string(game.num_players()) + " must play, not " +
                                std::to_string(options.rules.size()));
  constexpr bool kHasMoves = std::is_same_v<G, Poker> || std::is_same_v<G, LiarsDice>;
  for (const BotRule& rule : options.rules)
    if (!rule.at_random && (!kHasMoves || rule.bids != std::is_same_v<G, LiarsDice>))
      throw std::invalid_argument("bots: the rule is for another game");
  if (options.threads < 1 || options.threads > 1024) throw std::invalid_argument("threads: must be 1 to 1,024");
  if (options.first_deal < 0 || options.deals < 0 || options.deals > 1 << 24 ||
      options.first_deal > (std::int64_t{1} << 58) - options.deals)
    throw std::invalid_argument("deals: must not be negative, nor more than 2^24 at a time");
}

template <Game G>
BotMatch play(const G& game, const BotMatchOptions& options) {
  validate(game, options);
  Lookout::look_now();
  ThreadPool pool(options.threads);
  const auto players = static_cast<std::size_t>(game.num_players());
  int streets = 1;
  if constexpr (std::is_same_v<G, Poker>) streets = game.num_streets();
  std::vector<StyleTally> tallies(static_cast<std::size_t>(options.threads), {game.num_players(), streets});
  BotMatch match{players, std::vector<std::int32_t>(static_cast<std::size_t>(options.deals) * players * players), {}};
  pool.run([&](int thread) {
    BotPlay<G> table(game, options);
    for (std::int64_t deal = options.deals * thread / pool.size(); deal < options.deals * (thread + 1) / pool.size(); ++deal)
      table.play(options.first_deal + deal, tallies[thread],
                 match.payoffs.data() + static_cast<std::size_t>(deal) * players * players);
  });
  if constexpr (std::is_same_v<G, Poker>) {
    match.styles.resize(kStyleCounts.size() * players);
    for (const StyleTally& tally : tallies)
      for (std::size_t i = 0; i < match.styles.size(); ++i) match.styles[i] += tally.counts()[i];
  }
  return match;
}

}  // namespace

BotMatch play_bots(const AnyGame& any, const BotMatchOptions& options) {
  return with_game(any, "a match needs episodes",
                   [&]<EpisodeGame G>(std::shared_ptr<const G> game) { return play(*game, options); });
}

}  // namespace regretless
