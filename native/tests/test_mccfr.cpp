// SPDX-License-Identifier: MIT
#include "solve/mccfr.h"

#include <tuple>

#include "solve/joint_evaluation.h"
#include "solve/table_evaluation.h"
#include "test.h"

using namespace regretless;

namespace {

std::shared_ptr<const LiarsDice> dice(int faces, int players = 2) { return std::make_shared<LiarsDice>(1, faces, players); }

// J Q K in `suits`, with a board card if there are two suits.
std::shared_ptr<const Poker> small_poker(int players, int suits) {
  PokerRules rules;
  rules.name = "small";
  rules.num_players = players;
  rules.deck = {static_cast<std::uint8_t>(players + 1), static_cast<std::uint8_t>(suits), 9};
  if (players > 3) rules.deck.lowest_rank = 0;
  rules.num_hole_cards = 1;
  rules.num_streets = suits;
  rules.limit = Limit::kFixed;
  rules.showdown = Showdown::kPair;
  rules.unit = 1;
  for (int s = 0; s < suits; ++s) {
    rules.board_cards[s] = s;
    rules.bets[s] = 1 + s;
    rules.max_raises[s] = 1;
  }
  for (Player p = 0; p < players; ++p) {
    rules.antes[p] = 1;
    rules.stacks[p] = 10;
  }
  BetMenu menu;
  menu.name = "one bet";
  menu.slots = {"fold", "call", "bet"};
  auto& rows = menu.rows.emplace_back();
  for (int s = 0; s < suits; ++s)
    for (auto& situation : rows[s]) situation.push_back(BetSize::parse("min"));
  return std::make_shared<Poker>(rules, menu);
}

template <class G>
double exploitability(const std::shared_ptr<const G>& game, const StrategyTable& table) {
  const auto evaluation = make_table_evaluation(game);
  const InfosetList& infosets = evaluation->infosets();
  const auto actions = static_cast<std::size_t>(game->num_actions());
  std::vector<double> probabilities(infosets.keys.size() * actions);
  for (std::size_t i = 0; i < infosets.keys.size(); ++i) {
    const auto found = std::lower_bound(table.keys.begin(), table.keys.end(), infosets.keys[i]);
    if (found == table.keys.end() || *found != infosets.keys[i]) continue;
    const double* row = table.probabilities.data() + static_cast<std::size_t>(found - table.keys.begin()) * actions;
    std::copy(row, row + actions, probabilities.data() + i * actions);
  }
  const TableEvaluation::Values result = evaluation->evaluate(probabilities.data());
  double gain = 0;
  for (std::size_t p = 0; p < result.values.size(); ++p) gain += result.best_values[p] - result.values[p];
  return gain / static_cast<double>(result.values.size());
}

bool same(const MccfrState& a, const MccfrState& b) {
  return a.iteration == b.iteration && a.nodes == b.nodes && a.keys == b.keys && a.legals == b.legals && a.rows == b.rows &&
         a.compact_rows == b.compact_rows && a.replay.ids == b.replay.ids && a.replay.regrets == b.replay.regrets &&
         a.replay.priorities == b.replay.priorities && a.replay.next == b.replay.next;
}

MccfrOptions rl_options() {
  return {.sampling = Sampling::kOutcome,
          .estimates = Estimates::kBaseline,
          .weight_power = 1,
          .replay_capacity = 100,
          .replay_draws = 2,
          .seed = 3};
}

// All hands look alike.
struct OneBucket final : CardBuckets {
  int num_buckets(int) const override { return 1; }
  int bucket(int, const PokerDeal&, Player) const override { return 0; }
};

// An abstraction of one hole card and at most one board card loses nothing.
struct AllBuckets final : CardBuckets {
  int num_buckets(int street) const override { return street == 0 ? kMaxCards : kMaxCards * kMaxCards; }
  int bucket(int street, const PokerDeal& deal, Player player) const override {
    return deal.hole[player][0] + (street == 0 ? 0 : kMaxCards * deal.board[0]);
  }
};

// The probabilities of an infoset, or nothing.
std::optional<std::vector<double>> find(const StrategyTable& table, std::uint64_t key) {
  const auto found = std::ranges::lower_bound(table.keys, key);
  if (found == table.keys.end() || *found != key) return {};
  const double* row = table.probabilities.data() + (found - table.keys.begin()) * table.num_actions;
  return std::vector(row, row + table.num_actions);
}

}  // namespace

TEST(mccfr_external_converges) {
  const auto game = dice(3);
  const auto mccfr = make_mccfr(game, {});
  CHECK(mccfr->storage() == Storage::kTree);
  mccfr->run(20'000);
  CHECK(exploitability(game, mccfr->average_strategy()) < 0.02);
}

TEST(mccfr_converges_with_pruning_and_visits_less) {
  const auto game = dice(4);
  MccfrOptions options;
  const auto whole = make_mccfr(game, options);
  options.pruning = 3;
  const auto pruned = make_mccfr(game, options);
  for (const auto& each : {whole.get(), pruned.get()}) {
    each->run(30'000);
    CHECK(exploitability(game, each->average_strategy()) < 0.04);
    CHECK(each->decisions() < each->nodes());
  }
  CHECK(4 * pruned->nodes() < 3 * whole->nodes());
  options.pruning = -1;
  CHECK_THROWS(make_mccfr(game, options));
}

TEST(mccfr_outcome_converges_for_three_players) {
  const auto game = small_poker(3, 1);
  const auto mccfr = make_mccfr(game, {.sampling = Sampling::kOutcome});
  const double before = exploitability(game, mccfr->average_strategy());
  mccfr->run(50'000);
  CHECK(exploitability(game, mccfr->average_strategy()) < before / 10);
}

TEST(mccfr_states_give_the_same_as_the_tree) {
  for (const Sampling sampling : {Sampling::kExternal, Sampling::kOutcome}) {
    const auto game = small_poker(2, 2);
    MccfrOptions options{.sampling = sampling, .storage = Storage::kTree};
    const auto tree = make_mccfr(game, options);
    options.storage = Storage::kStates;
    const auto states = make_mccfr(game, options);
    tree->run(2'000);
    states->run(2'000);
    CHECK(tree->average_strategy().keys == states->average_strategy().keys);
    CHECK(tree->average_strategy().probabilities == states->average_strategy().probabilities);
    CHECK(tree->nodes() == states->nodes());
  }
}

// Kuhn poker. Outcome sampling visits 3 or 4 nodes. External sampling for the first player visits the root, both nodes of the
// other, an ending after a bet, and after a check one ending or a decision with two; for the second 4 or 5 nodes.
TEST(mccfr_counts_the_nodes_it_visits) {
  const auto kuhn = small_poker(2, 1);
  for (const auto& [sampling, least, most] :
       {std::tuple{Sampling::kOutcome, 6, 8}, std::tuple{Sampling::kExternal, 5 + 4, 7 + 5}}) {
    const auto mccfr = make_mccfr(kuhn, {.sampling = sampling});
    CHECK(mccfr->nodes() == 0);
    bool is_least_seen = false, is_most_seen = false;
    for (int i = 0; i < 1'000; ++i) {
      const std::int64_t before = mccfr->nodes();
      mccfr->run(1);
      const std::int64_t visited = mccfr->nodes() - before;
      CHECK(visited >= least && visited <= most);
      is_least_seen |= visited == least;
      is_most_seen |= visited == most;
    }
    CHECK(is_least_seen && is_most_seen);
  }
}

TEST(mccfr_knows_what_its_rows_may_grow_to) {
  const auto game = small_poker(2, 2);
  MccfrOptions options{.storage = Storage::kTree};
  const auto tree = make_mccfr(game, options);
  const auto bytes = static_cast<std::int64_t>(sizeof(double) * 2 * tree->state().rows.regrets.size());
  CHECK(tree->most_bytes() == bytes);
  options.storage = Storage::kStates;
  const auto states = make_mccfr(game, options);
  CHECK(states->most_bytes() >= bytes);
  CHECK(states->most_bytes() < 10 * bytes);
  CHECK(!make_mccfr(std::make_shared<LiarsDice>(2, 6, 2), options)->most_bytes());  // 2^24 bids
  CHECK(!make_mccfr(game, options, std::make_shared<OneBucket>())->most_bytes());
}

TEST(mccfr_threads_change_nothing) {
  const auto game = small_poker(2, 2);
  for (const Storage storage : {Storage::kTree, Storage::kStates}) {
    MccfrOptions options{.batch = 16, .storage = storage};
    const auto one = make_mccfr(game, options);
    options.threads = 3;
    const auto three = make_mccfr(game, options);
    one->run(50);
    three->run(50);
    CHECK(same(one->state(), three->state()));
  }
}

TEST(mccfr_by_outcomes_with_replay_is_the_same_on_threads) {
  const auto check = [](const auto& game, Estimates estimates) {
    for (const Storage storage : {Storage::kTree, Storage::kStates}) {
      MccfrOptions options = rl_options();
      options.estimates = estimates;
      options.batch = 16;
      options.storage = storage;
      const auto one = make_mccfr(game, options);
      options.threads = 3;
      const auto three = make_mccfr(game, options);
      one->run(30);
      three->run(30);
      CHECK(same(one->state(), three->state()));
    }
  };
  check(small_poker(2, 2), Estimates::kBaseline);
  check(small_poker(3, 1), Estimates::kSubstitute);
  check(dice(3), Estimates::kNone);
}

TEST(mccfr_goes_on_from_its_state) {
  for (const Storage storage : {Storage::kTree, Storage::kStates}) {
    MccfrOptions options = rl_options();
    options.storage = storage;
    const auto game = small_poker(2, 2);
    const auto whole = make_mccfr(game, options), half = make_mccfr(game, options), rest = make_mccfr(game, options);
    whole->run(600);
    half->run(300);
    rest->restore(half->state());
    rest->run(300);
    CHECK(same(whole->state(), rest->state()));
  }
}

TEST(mccfr_refuses_a_state_that_does_not_fit) {
  const auto game = small_poker(2, 2);
  const auto mccfr = make_mccfr(game, rl_options());
  mccfr->run(100);
  const MccfrState before = mccfr->state();
  MccfrState wrong = before;
  wrong.rows.regrets.pop_back();
  CHECK_THROWS(mccfr->restore(wrong));
  wrong = before;
  wrong.replay.ids[0] = 1u << 30;
  CHECK_THROWS(mccfr->restore(wrong));
  wrong = before;
  wrong.replay.next = -1;
  CHECK_THROWS(mccfr->restore(wrong));
  CHECK(same(before, mccfr->state()));
  for (const Storage storage : {Storage::kTree, Storage::kStates}) {
    MccfrOptions options = rl_options();
    options.storage = storage;
    const auto other = make_mccfr(game, options);
    other->run(100);
    const auto refuses = [&](auto change) {
      MccfrState state = other->state();
      change(state);
      CHECK_THROWS(other->restore(state));
    };
    refuses([](MccfrState& state) { state.rows.regrets[0] = std::nan(""); });
    refuses([](MccfrState& state) { state.rows.sums[0] = -1; });
    refuses([](MccfrState& state) { state.rows.values[0] = INFINITY; });
    refuses([](MccfrState& state) { state.replay.regrets[0] = std::nan(""); });
    refuses([](MccfrState& state) { state.replay.sizes.back() = 200; });
    refuses([](MccfrState& state) { state.replay.priorities[0] = ~std::uint64_t{0}; });
    if (storage == Storage::kStates) refuses([](MccfrState& state) { state.legals[0] = 1 << 20 | 1; });
    if (storage == Storage::kStates) refuses([](MccfrState& state) { state.legals[0] = 0; });
  }
  // Actions that the game does not have at an infoset are noticed once it is met.
  const MccfrOptions by_key{.storage = Storage::kStates};
  const auto found = make_mccfr(game, by_key), misled = make_mccfr(game, by_key);
  found->run(100);
  MccfrState state = found->state();
  std::size_t place = state.rows.regrets.size();
  for (std::uint64_t& legal : state.legals)
    if (legal == 6) legal = 3, place = 0;  // call and bet: fold and call
  CHECK_EQUAL(place, 0u);
  misled->restore(state);
  CHECK_THROWS((misled->run(100), 0));
  CHECK_THROWS((found->run(-1), 0));
}

TEST(mccfr_refuses_options_that_make_no_sense) {
  CHECK_THROWS(make_mccfr(dice(3), {.epsilon = 2}));
  CHECK_THROWS(make_mccfr(dice(3), {.batch = 0}));
  CHECK_THROWS(make_mccfr(dice(3), {.storage = Storage::kTree, .max_nodes = 4}));
  CHECK(make_mccfr(dice(3), {.max_nodes = 4})->storage() == Storage::kStates);
}

TEST(mccfr_buckets_merge_hands) {
  const auto game = small_poker(2, 2);
  for (const Storage storage : {Storage::kTree, Storage::kStates}) {
    const auto mccfr = make_mccfr(game, {.storage = storage}, std::make_shared<OneBucket>());
    CHECK(mccfr->storage() == storage);
    mccfr->run(2'000);
    // Four lines of betting that end a street, three of which lead on: 4 decisions on the first street, 3 x 4 on the second.
    const std::size_t met = mccfr->average_strategy().keys.size();
    CHECK(met > 8 && met <= 16);
  }
}

// Buckets that keep all cards apart lose nothing: up to rounding every infoset is played as without them.
TEST(mccfr_buckets_that_lose_nothing_change_nothing) {
  for (const int players : {2, 3}) {
    const auto game = small_poker(players, 2);
    MccfrOptions options{.batch = 4};
    const auto plain = make_mccfr(game, options);
    const auto tree = make_mccfr(game, options, std::make_shared<AllBuckets>());
    options.storage = Storage::kStates;
    const auto states = make_mccfr(game, options, std::make_shared<AllBuckets>());
    for (const auto& each : {plain.get(), tree.get(), states.get()}) each->run(300);
    CHECK_EQUAL(plain->nodes(), tree->nodes());
    CHECK_EQUAL(plain->nodes(), states->nodes());
    const StrategyTable by_hand = plain->average_strategy(), by_bucket = tree->average_strategy();
    CHECK(states->average_strategy().keys == by_bucket.keys);
    CHECK_EQUAL(by_hand.keys.size(), by_bucket.keys.size());
    int met = 0;
    Random random{7};
    for (int episode = 0; episode < 300; ++episode) {
      const PokerDeal deal = game->deal(random);
      std::uint64_t slots = slots_key({});
      for (PokerState state = game->root(); game->actor(state) != kTerminal;) {
        if (game->actor(state) == kChance) {
          game->reveal(state, deal);
          continue;
        }
        const Player actor = game->actor(state);
        const auto expected = find(by_hand, game->infoset(state, deal, actor));
        const auto found = find(by_bucket, bucket_infoset(slots, AllBuckets{}.bucket(state.street, deal, actor), actor));
        CHECK(expected.has_value() == found.has_value());
        if (expected && found) {
          ++met;
          for (std::size_t a = 0; a < found->size(); ++a) CHECK(std::abs((*found)[a] - (*expected)[a]) < 1e-4);
        }
        ActionMask legal = game->legal(state);
        for (std::uint32_t drop = random.below(static_cast<std::uint32_t>(std::popcount(legal))); drop > 0; --drop)
          legal &= legal - 1;
        slots = extend_slots_key(slots, std::countr_zero(legal));
        game->act(state, std::countr_zero(legal));
      }
    }
    CHECK(met > 300);
  }
}

TEST(mccfr_buckets_on_threads_change_nothing_and_go_on_from_their_state) {
  const auto game = small_poker(2, 2);
  const auto buckets = std::make_shared<AllBuckets>();
  MccfrOptions options{.weight_power = 1, .batch = 16};
  const auto one = make_mccfr(game, options, buckets);
  options.threads = 3;
  const auto three = make_mccfr(game, options, buckets), rest = make_mccfr(game, options, buckets);
  one->run(50);
  three->run(20);
  CHECK(three->is_compact() && !three->state().compact_rows.sums.empty());
  rest->restore(three->state());
  rest->run(30);
  CHECK(same(one->state(), rest->state()));
  MccfrState wrong = one->state();
  wrong.compact_rows.sums[0] = -1;
  CHECK_THROWS(rest->restore(wrong));
  wrong = one->state();
  wrong.compact_rows.sums.pop_back();
  CHECK_THROWS(rest->restore(wrong));
  options.max_entries = 100;
  options.storage = Storage::kTree;
  CHECK_THROWS(make_mccfr(game, options, buckets));
}

TEST(joint_evaluation_agrees_with_vectors) {
  const auto game = small_poker(2, 2);
  const auto tree = build_tree(*game, game->root(), SymmetryGroup{});
  std::vector<std::int64_t> offsets(tree.nodes.size());
  std::vector<double> strategy;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    if (tree.nodes[n].actor < 0) continue;
    offsets[n] = static_cast<std::int64_t>(strategy.size());
    strategy.insert(strategy.end(), static_cast<std::size_t>(tree.nodes[n].num_children * game->num_hands()),
                    1.0 / tree.nodes[n].num_children);
  }
  JointEvaluation<Poker> joint(*game, tree, offsets);
  const auto evaluation = make_table_evaluation(game);
  const std::vector<double> none(evaluation->infosets().keys.size() * static_cast<std::size_t>(game->num_actions()));
  const TableEvaluation::Values vectors = evaluation->evaluate(none.data());
  for (Player p = 0; p < 2; ++p) {
    CHECK(std::abs(joint.value(strategy, p, false) - vectors.values[p]) < 1e-12);
    CHECK(std::abs(joint.value(strategy, p, true) - vectors.best_values[p]) < 1e-12);
  }
}

TEST(replay_draws_are_unbiased) {
  ReplayBuffer buffer(4, 2);
  UpdateLog::Record record;
  record.num_actions = 2;
  for (std::uint64_t i = 0; i < 6; ++i) {  // the first two are pushed out
    record.id = i;
    const double regrets[2] = {static_cast<double>(i * i), -1};
    buffer.add(record, regrets);
  }
  double sums[4] = {};
  Random random{1};
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) {
    const ReplayBuffer::Sample sample = buffer.draw(random);
    CHECK(sample.id >= 2);
    sums[sample.id - 2] += sample.weight / kDraws;
  }
  for (const double sum : sums) CHECK(std::abs(sum - 0.25) < 0.02);
}
