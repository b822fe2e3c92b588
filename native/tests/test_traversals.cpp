// SPDX-License-Identifier: MIT
#include "jobs/traversals.h"

#include <cmath>
#include <map>
#include <tuple>

#include "poker_tables.h"
#include "test.h"

using namespace regretless;
using namespace regretless::test;

namespace {

// A strategy that depends on the infoset alone.
std::vector<float> strategy_at(std::uint64_t infoset, int num_actions) {
  std::vector<float> probabilities;
  for (int a = 0; a < num_actions; ++a) probabilities.push_back(Random{infoset, static_cast<std::uint64_t>(a)}.uniform() + 0.01f);
  return probabilities;
}

using Row = std::vector<std::uint8_t>;
using Baselines = std::function<std::vector<float>(const Row& seats)>;

constexpr auto kParts = {&TraversalSamples::advantages, &TraversalSamples::strategies, &TraversalSamples::outcomes};

TraversalSamples traverse(Traversals& job, std::uint64_t iteration, Player traverser, std::int64_t count, int take_every = 7,
                          const Baselines& baselines = {}) {
  TraversalSamples all;
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  const auto take = [&] {
    const TraversalSamples some = job.take_samples();
    all.num_actions = some.num_actions;
    for (const auto part : kParts) {
      (all.*part).row_bytes = (some.*part).row_bytes;
      append((all.*part).rows, (some.*part).rows);
      append((all.*part).legal, (some.*part).legal);
      append((all.*part).numbers, (some.*part).numbers);
      append((all.*part).weights, (some.*part).weights);
      append((all.*part).infosets, (some.*part).infosets);
    }
    append(all.values, some.values);
    append(all.actors, some.actors);
  };
  job.begin(iteration, traverser, 0, count);
  for (int round = 0, open = 1; open > 0; ++round) {
    open = 0;
    for (int half = 0; half < job.num_halves(); ++half) {
      const auto questions = job.ask(half);
      if (!questions) continue;
      ++open;
      CHECK(std::ranges::is_sorted(questions->actors));
      std::vector<float> answers;
      for (const std::uint64_t infoset : questions->infosets)
        for (const float p : strategy_at(infoset, job.num_actions())) answers.push_back(p);
      std::vector<float> said;
      if (baselines) {
        const EncodedRows& seats = questions->encoded[1];
        for (auto row = seats.bytes.begin(); row != seats.bytes.end(); row += static_cast<std::ptrdiff_t>(seats.row_bytes))
          append(said, baselines(Row(row, row + static_cast<std::ptrdiff_t>(seats.row_bytes))));
      }
      job.answer(half, answers.data(), baselines ? said.data() : nullptr);
    }
    if (round % take_every == 0) take();
  }
  take();
  CHECK_EQUAL(job.num_finished(), count);
  return all;
}

bool same(const TraversalSamples::Part& a, const TraversalSamples::Part& b) {
  return a.rows == b.rows && a.legal == b.legal && a.numbers == b.numbers && a.weights == b.weights && a.infosets == b.infosets;
}
bool same(const TraversalSamples& a, const TraversalSamples& b) {
  return same(a.advantages, b.advantages) && same(a.strategies, b.strategies) && same(a.outcomes, b.outcomes) &&
         a.values == b.values && a.actors == b.actors;
}

// One traversal after the other, by recursion. Its samples come in another order: level by level is found by the depth.
template <class G>
class Reference {
 public:
  Reference(std::shared_ptr<const G> game, const TraversalOptions& options, std::shared_ptr<const DealPoolOf<G>> deals)
      : game_(game), options_(options), deals_(deals), encoder_(make_encoder(options.encoder, game)) {}

  TraversalSamples run(std::uint64_t iteration, Player traverser, std::int64_t count) {
    TraversalSamples samples;
    for (std::int64_t k = 0; k < count; ++k) {
      keys_ = {options_.seed, iteration, static_cast<std::uint64_t>(traverser), static_cast<std::uint64_t>(k)};
      traverser_ = traverser;
      Random random{keys_[0], keys_[1], keys_[2], keys_[3]};
      draw(random);
      found_.clear();
      history_.clear();
      value(game_->root());
      for (const auto& level : found_)
        for (const Found& found : level.second) add(samples, found);
    }
    return samples;
  }

 private:
  struct Found {
    std::vector<std::uint8_t> row;
    ActionMask legal;
    std::uint64_t infoset;
    Player actor;
    std::vector<float> numbers;
    float worth;
  };

  // Deals for seat p are numbers p, p + players, ...
  void draw(Random& random) {
    if (!deals_) {
      deal_ = game_->deal(random);
      return;
    }
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < deals_->size(); ++i)
      if (deals_->seat(i) == traverser_) mine.push_back(i);
    const std::size_t drawn = mine[random.below(static_cast<std::uint32_t>(mine.size()))];
    deal_ = deals_->deal(drawn);
    weight_ = deals_->weight(drawn);
  }

  float value(typename G::State state) {
    while (game_->actor(state) == kChance) game_->reveal(state, deal_);
    const Player actor = game_->actor(state);
    if (actor == kTerminal) {
      std::array<std::int32_t, kMaxPlayers> payoffs{};
      game_->payoffs(state, deal_, {payoffs.data(), static_cast<std::size_t>(game_->num_players())});
      return static_cast<float>(payoffs[static_cast<std::size_t>(traverser_)] / game_->unit());
    }
    const int actions = game_->num_actions();
    Found found{{}, game_->legal(state), game_->infoset(state, deal_, actor), actor, {}, 0};
    found.row.resize(static_cast<std::size_t>(encoder_->layout().row_bytes()));
    encoder_->write(state, deal_, actor, history_, found.row.data());
    std::vector<float> sigma = strategy_at(found.infoset, actions);
    float sum = 0;
    for (int a = 0; a < actions; ++a) sum += (found.legal >> a & 1) != 0 ? sigma[a] : 0;
    for (int a = 0; a < actions; ++a) sigma[a] = (found.legal >> a & 1) != 0 ? sigma[a] / sum : 0;
    const std::size_t depth = history_.size(), place = found_[depth].size();
    found_[depth].emplace_back();
    const auto follow = [&](int slot) {
      typename G::State next = state;
      history_.push_back(game_->take(next, slot));
      const float result = value(next);
      history_.pop_back();
      return result;
    };
    if (actor == traverser_) {
      std::vector<float> values(static_cast<std::size_t>(actions));
      double mean = 0;
      for (int a = 0; a < actions; ++a)
        if ((found.legal >> a & 1) != 0) {
          values[a] = follow(a);
          mean += static_cast<double>(sigma[a]) * static_cast<double>(values[a]);
        }
      found.worth = static_cast<float>(mean);
      for (int a = 0; a < actions; ++a) found.numbers.push_back((found.legal >> a & 1) != 0 ? values[a] - found.worth : 0);
    } else {
      Random random{keys_[0], keys_[1], keys_[2], keys_[3], state.key};
      float left = random.uniform();
      int chosen = -1;
      for (int a = 0; a < actions && left >= 0; ++a)
        if (sigma[a] > 0) left -= sigma[chosen = a];
      found.numbers = sigma;
      found.worth = follow(chosen);
    }
    found_[depth][place] = found;
    return found.worth;
  }

  void add(TraversalSamples& samples, const Found& found) {
    const bool is_mine = found.actor == traverser_;
    TraversalSamples::Part& part = is_mine ? samples.advantages : samples.strategies;
    part.rows.insert(part.rows.end(), found.row.begin(), found.row.end());
    for (int a = 0; a < game_->num_actions(); ++a) part.legal.push_back(found.legal >> a & 1);
    part.numbers.insert(part.numbers.end(), found.numbers.begin(), found.numbers.end());
    part.infosets.push_back(found.infoset);
    part.weights.push_back(weight_);
    if (is_mine)
      samples.values.push_back(found.worth);
    else
      samples.actors.push_back(static_cast<std::uint8_t>(found.actor));
  }

  std::shared_ptr<const G> game_;
  TraversalOptions options_;
  std::shared_ptr<const DealPoolOf<G>> deals_;
  std::shared_ptr<const EncoderOf<G>> encoder_;
  float weight_ = 1;
  std::array<std::uint64_t, 4> keys_{};
  Player traverser_ = 0;
  typename G::Deal deal_;
  std::vector<Step> history_;
  std::map<std::size_t, std::vector<Found>> found_;  // by depth
};

template <class G>
void check_equals_the_reference(std::shared_ptr<const G> game, std::int64_t count,
                                std::shared_ptr<const DealPoolOf<G>> deals = nullptr) {
  TraversalOptions options{.encoder = "canonical24", .seed = 5};
  for (Player traverser = 0; traverser < game->num_players(); ++traverser) {
    const TraversalSamples expected = Reference<G>(game, options, deals).run(3, traverser, count);
    CHECK(!expected.values.empty() && !expected.actors.empty());
    for (const int in_flight : {1, 7, 64})
      for (const int threads : {1, 3})
        for (const std::int64_t kept : {0, 50, 1 << 20}) {
          options.in_flight = in_flight;
          options.threads = threads;
          options.kept_answers = kept;
          options.halves = in_flight > 1 && threads > 1 ? 2 : 1;
          const auto job = make_traversals(game, options, deals);
          traverse(*job, 1, 0, 3);  // a job can be used again
          CHECK(same(traverse(*job, 3, traverser, count), expected));
        }
  }
}

// The value of every slot of every decision of Kuhn poker to a seat with all cards known, by the public state.
class KuhnValues {
 public:
  explicit KuhnValues(Player seat)
      : game_(game_of(kuhn())), encoder_(make_encoder("slots12/seats", std::shared_ptr<const Poker>(game_))), seat_(seat) {
    for (std::uint64_t i = 0; i < 200; ++i) {  // all six deals are among them
      Random random{i};
      const PokerDeal deal = game_->deal(random);
      value(deal, game_->root(), {});
    }
  }
  std::shared_ptr<const Poker> game() const { return game_; }
  const std::vector<float>& at(const Row& seats) const { return values_.at(seats); }

 private:
  float value(const PokerDeal& deal, const PokerState& state, const std::vector<Step>& history) {
    const Player actor = game_->actor(state);
    if (actor == kTerminal) {
      std::array<std::int32_t, 2> payoffs{};
      game_->payoffs(state, deal, payoffs);
      return static_cast<float>(payoffs[static_cast<std::size_t>(seat_)] / game_->unit());
    }
    Row row(static_cast<std::size_t>(encoder_->layout().row_bytes()));
    encoder_->write(state, deal, actor, history, row.data());
    const std::vector<float> weights = strategy_at(game_->infoset(state, deal, actor), game_->num_actions());
    std::vector<float> values(weights.size());
    float sum = 0, total = 0;
    for (std::size_t a = 0; a < weights.size(); ++a) {
      if ((game_->legal(state) >> a & 1) == 0) continue;
      PokerState next = state;
      std::vector<Step> steps = history;
      steps.push_back(game_->take(next, static_cast<int>(a)));
      values[a] = value(deal, next, steps);
      sum += weights[a] * values[a];
      total += weights[a];
    }
    values_[row] = values;
    return sum / total;
  }

  std::shared_ptr<const Poker> game_;
  std::shared_ptr<const EncoderOf<Poker>> encoder_;
  Player seat_;
  std::map<Row, std::vector<float>> values_;
};

// Useless values, but always the same ones.
std::vector<float> wild_baselines(const Row& seats) {
  std::uint64_t key = 0;
  for (const std::uint8_t byte : seats) key = key * 31 + byte;
  std::vector<float> baselines;
  for (std::uint64_t a = 0; a < 3; ++a) baselines.push_back(2 * Random{key, a}.uniform() - 1);
  return baselines;
}

// Means of the advantages at each infoset, of slots 0 to 2.
std::map<std::uint64_t, std::array<double, 3>> mean_advantages(const TraversalSamples& samples) {
  std::map<std::uint64_t, std::array<double, 3>> means;
  std::map<std::uint64_t, double> counts;
  for (const std::uint64_t infoset : samples.advantages.infosets) ++counts[infoset];
  for (std::size_t i = 0; i < samples.values.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a)
      means[samples.advantages.infosets[i]][a] +=
          static_cast<double>(samples.advantages.numbers[3 * i + a]) / counts[samples.advantages.infosets[i]];
  return means;
}

}  // namespace

TEST(traversals_equal_a_recursion_with_any_number_in_flight_and_threads) {
  check_equals_the_reference(game_of(leduc()), 100);
  check_equals_the_reference(game_of(no_limit_holdem(3, 1, 2, 20), {"50%", "a"}), 30);
  check_equals_the_reference(std::make_shared<const LiarsDice>(1, 3, 2), 40);
}

TEST(traversals_play_the_deals_of_a_pool_for_their_seat) {
  const auto pool = [](auto game, std::int64_t count, std::int64_t least) {
    using G = std::remove_const_t<typename decltype(game)::element_type>;
    return std::make_shared<const DealPoolOf<G>>(game, DealPoolOptions{count, least, 1'000, 3});
  };
  const std::shared_ptr<const Poker> leduc_game = game_of(leduc());
  const auto deals = pool(leduc_game, 61, 10);
  CHECK(std::ranges::min(deals->weights()) < std::ranges::max(deals->weights()));
  check_equals_the_reference(leduc_game, 100, deals);
  const auto dice = std::make_shared<const LiarsDice>(1, 3, 3);
  check_equals_the_reference(dice, 40, pool(dice, 5, 0));
  const auto make = [](auto game, const std::shared_ptr<const DealPool>& of) {
    make_traversals(std::shared_ptr<const Poker>(game), {.encoder = "slots12"}, of);
  };
  CHECK_THROWS(make(game_of(leduc()), deals));
  CHECK_THROWS(make(leduc_game, pool(dice, 5, 0)));
  CHECK_THROWS(make(leduc_game, pool(leduc_game, 1, 0)));
}

TEST(traversals_with_the_right_baselines_leave_nothing_to_chance_but_the_deal) {
  for (const Player traverser : {0, 1}) {
    const KuhnValues values(traverser);
    const Baselines baselines = [&](const Row& seats) { return values.at(seats); };
    for (const auto sampling : {TraversalSampling::kExternal, TraversalSampling::kOutcome})
      for (const auto kind : {TraversalBaselines::kControl, TraversalBaselines::kTargets}) {
        const TraversalOptions options{.encoder = "slots12", .sampling = sampling, .baselines = kind, .seed = 3};
        const TraversalSamples samples = traverse(*make_traversals(values.game(), options), 0, traverser, 300, 7, baselines);
        CHECK(samples.outcomes.size() == samples.advantages.size() + samples.strategies.size());
        std::size_t mine = 0;
        for (std::size_t i = 0; i < samples.outcomes.size(); ++i) {
          const auto begin = samples.outcomes.rows.begin() + static_cast<std::ptrdiff_t>(i * samples.outcomes.row_bytes);
          const std::vector<float>& right = values.at(Row(begin, begin + static_cast<std::ptrdiff_t>(samples.outcomes.row_bytes)));
          for (std::size_t a = 0; a < 3; ++a)
            if (samples.outcomes.legal[3 * i + a] != 0) CHECK(std::abs(samples.outcomes.numbers[3 * i + a] - right[a]) < 1e-5f);
          if (mine == samples.values.size() || samples.outcomes.infosets[i] != samples.advantages.infosets[mine]) continue;
          for (std::size_t a = 0; a < 3; ++a)
            if (samples.advantages.legal[3 * mine + a] != 0)
              CHECK(std::abs(samples.advantages.numbers[3 * mine + a] - (right[a] - samples.values[mine])) < 1e-5f);
          ++mine;
        }
        CHECK_EQUAL(mine, samples.values.size());
      }
  }
}

TEST(traversals_have_the_same_mean_advantages_with_any_baselines) {
  const auto game = game_of(kuhn());
  for (const Player traverser : {0, 1}) {
    const auto expected = mean_advantages(traverse(*make_traversals(game, {.encoder = "slots12"}), 0, traverser, 20'000));
    for (const auto sampling : {TraversalSampling::kExternal, TraversalSampling::kOutcome}) {
      const TraversalOptions options{
          .encoder = "slots12", .sampling = sampling, .baselines = TraversalBaselines::kControl, .seed = 1};
      const auto found = mean_advantages(traverse(*make_traversals(game, options), 0, traverser, 60'000, 7, wild_baselines));
      CHECK_EQUAL(found.size(), 6u);
      for (const auto& [infoset, means] : expected)
        for (std::size_t a = 0; a < 3; ++a) CHECK(std::abs(means[a] - found.at(infoset)[a]) < 0.1);
    }
  }
}

TEST(traversals_with_baselines_are_the_same_with_any_number_in_flight_and_threads) {
  const auto game = game_of(leduc());
  for (const auto sampling : {TraversalSampling::kExternal, TraversalSampling::kOutcome}) {
    TraversalOptions options{
        .encoder = "canonical24", .sampling = sampling, .baselines = TraversalBaselines::kControl, .in_flight = 1, .seed = 8};
    options.kept_answers = 0;
    const TraversalSamples expected = traverse(*make_traversals(game, options), 2, 1, 60, 7, wild_baselines);
    for (const int threads : {1, 3})
      for (const std::int64_t kept : {0, 20, 1 << 20}) {
        options.in_flight = 16;
        options.threads = threads;
        options.halves = threads > 1 ? 2 : 1;
        options.kept_answers = kept;
        CHECK(same(traverse(*make_traversals(game, options), 2, 1, 60, 7, wild_baselines), expected));
      }
  }
}

TEST(traversals_ask_about_an_infoset_once_in_an_iteration) {
  const auto game = game_of(leduc());
  for (const std::int64_t kept : {0, 1 << 20}) {
    const auto job = make_traversals(game, {.encoder = "slots12", .kept_answers = kept});
    const TraversalSamples samples = traverse(*job, 0, 0, 2'000);
    std::map<std::uint64_t, int> infosets;
    for (const auto part : {&TraversalSamples::advantages, &TraversalSamples::strategies})
      for (const std::uint64_t infoset : (samples.*part).infosets) ++infosets[infoset];
    const auto decisions = static_cast<std::int64_t>(samples.values.size() + samples.actors.size());
    CHECK_EQUAL(job->num_questions(), kept > 0 ? static_cast<std::int64_t>(infosets.size()) : decisions);
    CHECK(job->num_nodes() > decisions);
  }
}

TEST(traversals_by_outcomes_have_the_same_mean_advantages) {
  const auto game = game_of(leduc());
  std::map<std::uint64_t, std::array<double, 2>> sums[2];
  std::map<std::uint64_t, double> counts[2];
  for (const int outcome : {0, 1}) {
    TraversalOptions options{.encoder = "slots12", .seed = 9};
    if (outcome == 1) options.sampling = TraversalSampling::kOutcome;
    const TraversalSamples samples = traverse(*make_traversals(game, options), 0, 1, outcome == 1 ? 200'000 : 20'000);
    for (std::size_t i = 0; i < samples.values.size(); ++i) {
      const std::uint64_t infoset = samples.advantages.infosets[i];
      ++counts[outcome][infoset];
      for (std::size_t a = 0; a < 2; ++a)
        sums[outcome][infoset][a] += static_cast<double>(samples.advantages.numbers[3 * i + 1 + a]);
    }
  }
  int compared = 0;
  for (const auto& [infoset, count] : counts[0]) {
    if (count < 1'500 || counts[1][infoset] < 1'500) continue;
    ++compared;
    for (std::size_t a = 0; a < 2; ++a)
      CHECK(std::abs(sums[0][infoset][a] / count - sums[1][infoset][a] / counts[1][infoset]) < 0.45);
  }
  CHECK(compared >= 6);
}

TEST(traversals_refuse_what_they_cannot_do) {
  const auto game = game_of(leduc());
  const auto make = [&](const char* encoder, int in_flight, int halves) {
    return make_traversals(game, {.encoder = encoder, .in_flight = in_flight, .halves = halves});
  };
  CHECK_THROWS(make("none", 1, 1));
  CHECK_THROWS(make("slots12", 0, 1));
  CHECK_THROWS(make("slots12", 8, 3));
  const auto job = make_traversals(game, {.encoder = "slots12"});
  CHECK(job->ask(0) == nullptr);
  CHECK_THROWS(job->begin(0, 2, 0, 1));
  job->begin(0, 0, 0, 10);
  CHECK_THROWS(job->begin(0, 0, 0, 10));
  CHECK_THROWS(job->ask(1));
  const auto questions = job->ask(0);
  std::vector<float> answers(questions->legal.size(), 0.f);
  CHECK_THROWS(job->answer(0, answers.data()));
  answers.assign(answers.size(), 1.f);
  CHECK_THROWS(job->answer(0, answers.data(), answers.data()));
  CHECK(job->ask(0) == questions);
  const auto wants_more = make_traversals(game, {.encoder = "slots12", .baselines = TraversalBaselines::kControl});
  wants_more->begin(0, 0, 0, 1);
  answers.assign(wants_more->ask(0)->legal.size(), 1.f);
  CHECK_THROWS(wants_more->answer(0, answers.data()));
  std::vector<float> baselines(answers.size(), NAN);
  CHECK_THROWS(wants_more->answer(0, answers.data(), baselines.data()));
}

TEST(traversals_share_all_ins_over_many_boards_with_the_same_mean_and_less_noise) {
  const auto game = game_of(no_limit_holdem(2, 1, 2, 10), {"a"});
  std::array<double, 2> means{}, squares{};
  for (const int runouts : {0, 200}) {
    const auto job = make_traversals(game, {.encoder = "canonical24", .runouts = runouts, .seed = 3});
    const TraversalSamples samples = traverse(*job, 0, 1, 4'000);
    const std::size_t at = runouts > 0;
    for (std::size_t i = 0; i < samples.values.size(); ++i) {
      const double value = static_cast<double>(samples.values[i]);
      means[at] += value / static_cast<double>(samples.values.size());
      squares[at] += value * value / static_cast<double>(samples.values.size());
    }
  }
  CHECK(std::abs(means[0] - means[1]) < 0.2);
  CHECK(squares[1] < 0.8 * squares[0]);
}
