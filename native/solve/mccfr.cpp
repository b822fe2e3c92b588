// SPDX-License-Identifier: MIT
#include "solve/mccfr.h"

#include <numeric>

#include "solve/sampling_buckets.h"
#include "solve/sampling_tree.h"
#include "threads/lookout.h"
#include "threads/thread_pool.h"

namespace regretless {
namespace {

template <Game G, class Ground>
class MccfrOf final : public Mccfr {
 public:
  template <class Source>
  MccfrOf(std::shared_ptr<const G> game, const MccfrOptions& options, Source source)
      : game_(std::move(game)),
        options_(options),
        pool_(options.threads),
        ground_(*game_, std::move(source), options.estimates != Estimates::kNone),
        logs_(static_cast<std::size_t>(options.threads)),
        visits_(static_cast<std::size_t>(options.threads)) {
    if (options.replay_capacity > 0) replay_.emplace(options.replay_capacity, num_actions());
  }

  int num_actions() const override { return game_->num_actions(); }
  Storage storage() const override { return Ground::kHasPlaces ? Storage::kTree : Storage::kStates; }
  bool is_compact() const override { return std::is_same_v<Number, float>; }
  std::optional<std::int64_t> most_bytes() const override { return ground_.most_bytes(); }
  std::int64_t iteration() const override { return iteration_; }
  std::int64_t nodes() const override { return nodes_; }
  std::int64_t decisions() const override { return decisions_; }

  void run(std::int64_t batches) override {
    if (batches < 0 || batches > (std::numeric_limits<std::int64_t>::max() - iteration_) / options_.batch)
      throw std::invalid_argument("batches: must not be negative, nor more than can be counted");
    for (; batches > 0; --batches) {
      options_.batch < 64 ? Lookout::look_up() : Lookout::look_now();
      for (Player traverser = 0; traverser < game_->num_players(); ++traverser) traverse(traverser);
      iteration_ += options_.batch;
      if (replay_) replay();
    }
  }

  StrategyTable average_strategy() const override {
    struct Met {
      std::uint64_t key, legal;
      std::int64_t offset;
      double sum;
    };
    std::vector<Met> met;
    const std::vector<Number>& sums = ground_.rows().sums;
    ground_.each_row([&](std::uint64_t key, std::uint64_t legal, std::int64_t offset) {
      const double sum = std::accumulate(sums.begin() + offset, sums.begin() + offset + std::popcount(legal), 0.0);
      if (sum > 0) met.push_back({key, legal, offset, sum});
    });
    std::sort(met.begin(), met.end(), [](const Met& a, const Met& b) { return a.key < b.key; });
    StrategyTable table{num_actions(), {}, {}};
    table.probabilities.resize(met.size() * static_cast<std::size_t>(num_actions()));
    double* out = table.probabilities.data();
    for (const Met& row : met) {
      table.keys.push_back(row.key);
      const Number* sum = sums.data() + row.offset;
      for (ActionMask rest = row.legal; rest != 0; rest &= rest - 1) out[std::countr_zero(rest)] = *sum++ / row.sum;
      out += num_actions();
    }
    return table;
  }

  MccfrState state() const override {
    MccfrState state;
    state.iteration = iteration_;
    state.nodes = nodes_;
    state.rows_of<Number>() = ground_.rows();
    ground_.save(state.keys, state.legals);
    if (replay_) state.replay = replay_->contents();
    return state;
  }

  void restore(MccfrState state) override {
    if (state.iteration < 0 || state.iteration % options_.batch != 0)
      throw std::invalid_argument("iteration: must be a multiple of the batch");
    if (state.nodes < 0) throw std::invalid_argument("nodes: must not be negative");
    check_numbers(state);
    if (!replay_ && !state.replay.ids.empty()) throw std::invalid_argument("the state has a replay buffer, the options have none");
    if (replay_)
      restore_with_replay(state);
    else
      ground_.restore(state.keys, state.legals, std::move(state.rows_of<Number>()));
    iteration_ = state.iteration;
    nodes_ = state.nodes;
  }

 private:
  using Number = typename Ground::Number;

  static void check_numbers(MccfrState& state) {
    const auto check = [](const auto& numbers) {
      if (!std::ranges::all_of(numbers, [](auto x) { return std::isfinite(x); }))
        throw std::invalid_argument("the state has numbers that are not finite");
    };
    const InfosetRows<Number>& rows = state.rows_of<Number>();
    for (const auto* numbers : {&rows.regrets, &rows.sums, &rows.values}) check(*numbers);
    check(state.replay.regrets);
    if (std::ranges::any_of(rows.sums, [](Number x) { return x < 0; }))
      throw std::invalid_argument("the state has negative sums of strategies");
  }

  void restore_with_replay(MccfrState& state) {
    Ground ground = ground_;
    ground.restore(state.keys, state.legals, std::move(state.rows_of<Number>()));
    ReplayBuffer replay = *replay_;
    replay.restore(std::move(state.replay));
    const ReplayBuffer::Contents& contents = replay.contents();
    for (std::size_t i = 0; i < contents.ids.size(); ++i)
      if (!ground.has_row(contents.ids[i], contents.legals[i], contents.sizes[i]))
        throw std::invalid_argument("the replay buffer of the state names an unknown infoset");
    ground_ = std::move(ground);
    replay_ = std::move(replay);
  }

  // All traversals of a batch for one player.
  void traverse(Player traverser) {
    if constexpr (Ground::kHasPlaces) {
      if (options_.batch == 1 && !replay_) {
        DirectUpdates<Number> updates(ground_.rows());
        typename Ground::Descent descent = ground_.descent();
        count(walk(traverser, 0, descent, updates));
        return;
      }
    }
    pool_.run([&](int thread) {
      UpdateLog& log = logs_[thread];
      log.clear();
      typename Ground::Descent descent = ground_.descent();
      Visits& visits = visits_[thread] = {};
      for (std::int64_t i = options_.batch * thread / pool_.size(); i < options_.batch * (thread + 1) / pool_.size(); ++i) {
        const Visits walked = walk(traverser, i, descent, log);
        visits.nodes += walked.nodes;
        visits.decisions += walked.decisions;
      }
    });
    for (const Visits& visits : visits_) count(visits);
    if constexpr (Ground::kHasPlaces) {
      if (!replay_) return pool_.run([&](int thread) { apply_logs(thread); });
    }
    for (const UpdateLog& log : logs_)
      for (const UpdateLog::Record& record : log.records()) {
        apply(log, record, ground_.offset(record.id, record.legal), options_.value_rate, ground_.rows());
        if (replay_ && record.kind == UpdateLog::Kind::kRegrets) replay_->add(record, log.numbers(record));
      }
  }

  // Every row belongs to one thread, which adds to it in the order of the iterations.
  void apply_logs(int thread) {
    constexpr int kBlockBits = 8;       // rows that are neighbours go together
    constexpr std::size_t kAhead = 16;  // records
    const auto threads = static_cast<unsigned>(pool_.size());
    const auto is_mine = [&](const UpdateLog::Record& record) {
      return (record.id >> kBlockBits) % threads == static_cast<unsigned>(thread);
    };
    for (const UpdateLog& log : logs_) {
      const std::span<const UpdateLog::Record> records = log.records();
      for (std::size_t i = 0; i < records.size(); ++i) {
        if (i + kAhead < records.size() && is_mine(records[i + kAhead])) expect(records[i + kAhead], ground_.rows());
        if (is_mine(records[i]))
          apply(log, records[i], static_cast<std::int64_t>(records[i].id), options_.value_rate, ground_.rows());
      }
    }
  }

  struct Visits {
    std::int64_t nodes = 0, decisions = 0;
  };
  void count(const Visits& visits) {
    nodes_ += visits.nodes;
    decisions_ += visits.decisions;
  }

  template <class Updates>
  Visits walk(Player traverser, std::int64_t i, typename Ground::Descent& descent, Updates& updates) {
    const std::int64_t t = iteration_ + i;
    updates.begin({power(t + 1, options_.weight_power), options_.value_rate});
    const Random random{options_.seed, static_cast<std::uint64_t>(t), static_cast<std::uint64_t>(traverser)};
    SampledWalk<typename Ground::Descent, Updates> walk(descent, updates, traverser, random);
    if (options_.sampling == Sampling::kExternal)
      walk.external(options_.pruning);
    else
      walk.outcome(epsilon(t), options_.estimates);
    return {walk.nodes(), walk.decisions()};
  }

  static double power(std::int64_t t, double exponent) {
    if (exponent == 0) return 1;
    return exponent == 1 ? static_cast<double>(t) : std::pow(static_cast<double>(t), exponent);
  }

  double epsilon(std::int64_t t) const {
    const double& decay = options_.epsilon_decay;
    return options_.final_epsilon + (options_.epsilon - options_.final_epsilon) * decay / (decay + static_cast<double>(t));
  }

  // Adds samples of the buffer once more.
  void replay() {
    Random random{options_.seed, static_cast<std::uint64_t>(iteration_), kReplayStream};
    for (std::int64_t left = options_.replay_draws * options_.batch; left > 0; --left) {
      const ReplayBuffer::Sample sample = replay_->draw(random);
      Number* regrets = ground_.rows().regrets.data() + ground_.offset(sample.id, sample.legal);
      for (int a = 0; a < sample.num_actions; ++a) regrets[a] = static_cast<Number>(regrets[a] + sample.weight * sample.regrets[a]);
    }
  }

  static constexpr std::uint64_t kReplayStream = 1 << 16;  // no player

  std::shared_ptr<const G> game_;
  MccfrOptions options_;
  ThreadPool pool_;
  Ground ground_;
  std::vector<UpdateLog> logs_;           // [threads]
  std::vector<Visits> visits_;            // [threads]: for the logs
  std::optional<ReplayBuffer> replay_;
  std::int64_t iteration_ = 0;
  std::int64_t nodes_ = 0, decisions_ = 0;
};

void require(bool ok, const char* message) {
  if (!ok) throw std::invalid_argument(message);
}

constexpr std::int64_t kMostSamples = std::int64_t{1} << 40;  // of a replay buffer
constexpr std::int64_t kMostBatch = std::numeric_limits<std::int32_t>::max();  // times the draws of replay it must be a number

void validate(const MccfrOptions& options) {
  const auto is_probability = [](double x) { return x >= 0 && x <= 1; };
  require(is_probability(options.epsilon), "epsilon: must be 0 to 1");
  require(is_probability(options.final_epsilon), "final_epsilon: must be 0 to 1");
  require(options.epsilon_decay > 0 && std::isfinite(options.epsilon_decay), "epsilon_decay: must be positive and finite");
  require(is_probability(options.value_rate), "value_rate: must be 0 to 1");
  require(options.weight_power >= 0 && options.weight_power <= 10, "weight_power: must be 0 to 10");
  require(options.pruning >= 0 && std::isfinite(options.pruning), "pruning: must be finite and not negative");
  require(options.replay_capacity >= 0 && options.replay_capacity <= kMostSamples, "replay_capacity: must be 0 to 2^40");
  require(options.replay_draws >= 0, "replay_draws: must not be negative");
  require(options.replay_capacity > 0 || options.replay_draws == 0, "replay_draws: needs a replay_capacity");
  require(options.batch >= 1 && options.batch <= kMostBatch, "batch: must be 1 to 2^31 - 1");
  require(options.max_nodes >= 0 && options.max_entries >= 0, "max_nodes and max_entries: must not be negative");
  require(options.threads >= 1 && options.threads <= 1024, "threads: must be 1 to 1,024");
  require(options.sampling == Sampling::kOutcome || options.estimates == Estimates::kNone,
          "estimates: only outcome sampling uses them");
}

// The walks over a tree, or over states where it is too large or not wanted.
template <class MakeTree, class MakeStates>
std::unique_ptr<Mccfr> make(const MccfrOptions& options, MakeTree make_tree, MakeStates make_states) {
  if (options.storage != Storage::kStates) try {
      return make_tree();
    } catch (const std::length_error&) {
      if (options.storage == Storage::kTree) throw;
    }
  return make_states();
}

template <EpisodeGame G>
std::unique_ptr<Mccfr> make_of_hands(std::shared_ptr<const G> game, const MccfrOptions& options) {
  const auto make_states = [&] { return std::make_unique<MccfrOf<G, StateGround<G>>>(game, options, nullptr); };
  if constexpr (PublicGame<G>) {
    const auto make_tree = [&] {
      auto tree = std::make_shared<const SamplingTree<G>>(*game, options.max_nodes, options.max_entries);
      return std::make_unique<MccfrOf<G, TreeGround<G>>>(game, options, std::move(tree));
    };
    return make(options, make_tree, make_states);
  } else {
    if (options.storage == Storage::kTree) throw std::invalid_argument("storage: a game written out in full is its own tree; auto");
    return make_states();
  }
}

std::unique_ptr<Mccfr> make_of_buckets(std::shared_ptr<const Poker> game, const MccfrOptions& options,
                                       const std::shared_ptr<const CardBuckets>& buckets) {
  const auto make_tree = [&] {
    auto tree = std::make_shared<const BettingTree>(*game, *buckets, options.max_nodes, options.max_entries);
    return std::make_unique<MccfrOf<Poker, BucketGround>>(game, options, BucketGround::Source{std::move(tree), buckets});
  };
  return make(options, make_tree, [&] { return std::make_unique<MccfrOf<Poker, StateGround<Poker>>>(game, options, buckets); });
}

}  // namespace

std::unique_ptr<Mccfr> make_mccfr(const AnyGame& any, const MccfrOptions& options, std::shared_ptr<const CardBuckets> buckets) {
  validate(options);
  return with_game(any, "sampled traversals need episodes",
                   [&]<EpisodeGame G>(std::shared_ptr<const G> game) -> std::unique_ptr<Mccfr> {
                     if (!buckets) return make_of_hands(std::move(game), options);
                     if constexpr (std::is_same_v<G, Poker>)
                       return make_of_buckets(std::move(game), options, buckets);
                     else
                       throw std::invalid_argument("buckets: only poker has cards");
                   });
}

}  // namespace regretless
